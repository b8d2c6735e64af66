# The build of a project that knows nothing of uma: PACKAGE is a folder like any other.
CFLAGS = -std=c99 -O1 -Wall -Wextra -Wpedantic -Werror -I$(PACKAGE) -I$(PACKAGE)/devices/vanilla

app: app.o digits.o digits_weights.o vanilla.o
	$(CC) -o $@ $^ -lm
app.o: $(PROGRAM)
	$(CC) $(CFLAGS) -c -o $@ $<
%.o: $(PACKAGE)/%.c
	$(CC) $(CFLAGS) -c -o $@ $<
vanilla.o: $(PACKAGE)/devices/vanilla/vanilla.c
	$(CC) $(CFLAGS) -c -o $@ $<
