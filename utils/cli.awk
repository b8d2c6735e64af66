# Converts the text of `PROGRAM --help` to a section of docs/generated/cli.md; called by utils/check-docs.sh.
#
#   title   the command, e.g. `uma compile`
#
# Options become the rows of a table, values of an option lines in its row. What follows the options is copied.

function escape(text) { gsub(/[|]/, "\\|", text); gsub(/</, "\\&lt;", text); return text }

function flush() {
  if (option == "")
    return
  gsub(/[|]/, "\\|", option) # ends a cell even in code
  print "| `" option "` | " meaning " |"
  option = ""
}

BEGIN { print "## " title "\n" }

/^(SUBCOMMAND|OVERVIEW)/ {
  sub(/^(SUBCOMMAND '[^']*': |OVERVIEW: )/, "")
  summary = 1
  print escape($0) "."
  next
}
/^USAGE:/ {
  if (text)
    print "```"
  text = summary = gap = 0
  sub(/^USAGE: /, "")
  print "\n```text\n" $0 "\n```\n"
  next
}
/^OPTIONS:|Options:$|^Options of/ { next }
/^ *--help(-list)? |^ *--version / { next }
# Long lists of upstream's options are left out.
only && /^ *-/ && $1 !~ only { skipped = 1; flush(); next }
/^  +-/ {
  flush()
  skipped = 0
  if (!table++)
    print "| option | meaning |\n|---|---|"
  at = index($0, " - ")
  option = substr($0, 1, at)
  gsub(/^ +| +$/, "", option)
  meaning = escape(substr($0, at + 3))
  gsub(/^ +| +$/, "", meaning)
  next
}
/^ +=/ && option != "" {
  at = index($0, " - ")
  value = substr($0, 1, at)
  gsub(/[ =]/, "", value)
  text = substr($0, at + 3)
  gsub(/^ +| +$/, "", text)
  meaning = meaning "<br>`" value "`: " escape(text)
  next
}
# Examples and exit codes, after the first empty line.
summary && !NF { ++gap; next }
summary {
  if (!text++)
    print "\n```text"
  else
    for (; gap; --gap)
      print ""
  gap = 0
  print
  next
}
END { flush(); print "" }
