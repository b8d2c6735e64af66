//===- ReservedNames.cpp - Names reserved in C ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A model may call a tensor `int`, `linux`, `EOF` or `memcpy`, and itself
// `string` or `Makefile`. Headers included before the network's may define any
// macro. So every name that looks like a macro is reserved, and the lists hold
// only the other names: identifiers of the standards and of glibc, and
// predefined macros of compilers. Names that start with '_' are left out, since
// we generate none.
//
//===----------------------------------------------------------------------===//

#include "uma/Support/ReservedNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using llvm::SmallVector;
using llvm::StringLiteral;
using llvm::StringRef;

/// Keywords of C89 to C23 and C++98 to C++26, with alternative tokens.
static constexpr StringLiteral kKeywords =
    "_Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn "
    "_Static_assert _Thread_local alignas alignof and and_eq asm auto bitand "
    "bitor bool break case catch "
    "char char16_t char32_t char8_t class co_await co_return co_yield compl "
    "concept const const_cast consteval constexpr constinit continue "
    "contract_assert decltype default delete do double dynamic_cast else enum "
    "explicit export extern false float for friend goto if inline int long "
    "mutable namespace new noexcept not not_eq nullptr operator or or_eq "
    "private protected public register reinterpret_cast requires restrict "
    "return short signed sizeof static static_assert static_cast struct switch "
    "template this thread_local throw true try typedef typeid typename typeof "
    "typeof_unqual union unsigned using virtual void volatile wchar_t while "
    "xor xor_eq";

/// Macros with lower-case letters from the standard headers, glibc and Windows
/// headers, and those predefined by compilers.
static constexpr StringLiteral kMacros =
    // Standard headers.
    "I assert complex errno fpclassify imaginary iscanonical iseqsig isfinite "
    "isgreater isgreaterequal isinf isless islessequal islessgreater isnan "
    "isnormal issignaling issubnormal isunordered iszero math_errhandling "
    "noreturn offsetof setjmp signbit stderr stdin stdout unreachable va_arg "
    "va_copy va_end va_start "
    // glibc.
    "L_ctermid L_cuserid L_tmpnam P_tmpdir alloca be16toh be32toh be64toh "
    "environ gnu_dev_major gnu_dev_minor h_errno htobe16 htobe32 htobe64 "
    "htole16 htole32 htole64 le16toh le32toh le64toh major makedev minor "
    "sa_handler sa_sigaction st_atime st_ctime st_mtime strdupa strndupa "
    // Windows.
    "cdecl far huge interface near pascal small "
    // Predefined outside of strict C.
    "arm hp300 hp800 hp9000s300 hp9000s800 hppa hpux i386 i486 i586 i686 "
    "linux lynx m68k m88k mc68000 mc68020 mips ns32000 pdp11 pyr sgi sparc sun "
    "unix vax";

/// Functions and types of <math.h>, <stddef.h>, <stdio.h>, <stdlib.h> and
/// <string.h>, without the suffixes `f` and `l`.
static constexpr StringLiteral kLibrary =
    "FILE abort abs acos acosh aligned_alloc asin asinh at_quick_exit atan "
    "atan2 atanh atexit atof atoi atol atoll bcmp bcopy bsearch bzero calloc "
    "cbrt ceil clearerr copysign cos cosh div div_t double_t drem erf erfc "
    "exit exp exp10 exp2 expm1 fabs fclose fdim fdopen feof ferror fflush "
    "fgetc fgetpos fgets fileno finite float_t floor fma fmax fmin fmod fopen "
    "fpos_t "
    "fprintf fputc fputs fread free freopen frexp fscanf fseek fseeko fsetpos "
    "ftell ftello fwrite gamma getc getchar getdelim getenv getline gets "
    "hypot ilogb index j0 j1 jn labs ldexp ldiv ldiv_t lgamma llabs lldiv "
    "lldiv_t llrint llround log log10 log1p log2 logb lrint lround main malloc "
    "max_align_t mblen mbstowcs mbtowc memccpy memchr memcmp memcpy memmem "
    "memmove mempcpy memrchr memset memset_explicit modf nan nearbyint "
    "nextafter nexttoward nullptr_t pclose perror popen pow printf ptrdiff_t "
    "putc putchar puts qsort quick_exit rand realloc remainder remove remquo "
    "rename rewind rindex rint round roundeven scalb scalbln scalbn scanf "
    "setbuf setvbuf signgam significand sin sincos sinh size_t snprintf "
    "sprintf sqrt srand sscanf ssize_t stpcpy stpncpy strcasecmp strcat strchr "
    "strcmp strcoll strcpy strcspn strdup strerror strlen strncasecmp strncat "
    "strncmp strncpy strndup strnlen strpbrk strrchr strsep strsignal strspn "
    "strstr strtod strtof strtok strtol strtold strtoll strtoul strtoull "
    "strxfrm system tan tanh tgamma tmpfile tmpnam trunc ungetc va_list "
    "vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf wcstombs "
    "wctomb y0 y1 yn";

/// Stems of headers `<stem.h>` of C, POSIX and compilers, and of headers that
/// these include without a folder in common libraries; names of Windows
/// devices; files of a package or folders of its build.
static constexpr StringLiteral kFiles =
    // C.
    "assert complex ctype errno fenv float inttypes iso646 limits locale math "
    "setjmp signal stdalign stdarg stdatomic stdbit stdbool stdckdint stddef "
    "stdint stdio stdlib stdmchar stdnoreturn string tgmath threads time uchar "
    "wchar wctype "
    // POSIX.
    "aio cpio devctl dirent dlfcn endian fcntl fmtmsg fnmatch ftw glob grp "
    "iconv langinfo libgen libintl monetary mqueue ndbm netdb nl_types poll "
    "pthread pwd regex sched search semaphore spawn strings stropts syslog "
    "tar termios trace ulimit unistd utime utmpx wait wordexp "
    // Libraries.
    "alloca ar argp argz availability availabilitymacros "
    "availabilityinternal byteswap corecrt crtdefs crypt elf envz err error "
    "execinfo features fpu_control fstab fts gconv getopt ieeefp ifaddrs "
    "io lastlog link malloc mcheck memory mntent newlib nss obstack paths "
    "printf process pty regexp resolv sal sgtty shadow stab stdio_ext "
    "strings_fortified sysexits syscall targetconditionals termio "
    "thread_db ttyent ucontext utmp vadefs values vcruntime xlocale ycheck "
    "yvals windows "
    // Compilers.
    "acc_prof altivec arm_acle arm_bf16 arm_fp16 arm_mve arm_neon arm_sve "
    "cet cpuid gcov intrin intrinsics mm3dnow mm_malloc omp openacc quadmath "
    "riscv_vector stdfix syslimits unwind varargs "
    // Windows devices.
    "aux com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 con lpt0 lpt1 lpt2 "
    "lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9 nul prn "
    // Packages.
    "cmakelists devices gnumakefile main makefile metadata";

static llvm::StringSet<> getWords(StringRef text) {
  SmallVector<StringRef> words;
  text.split(words, ' ');
  llvm::StringSet<> set;
  set.insert_range(words);
  return set;
}

/// Returns whether a name is in capitals, the convention for macros. Single
/// letters are tensor names.
static bool looksLikeMacro(StringRef identifier) {
  auto isLowerCase = [](char c) { return c >= 'a' && c <= 'z'; };
  return identifier.size() > 1 && llvm::none_of(identifier, isLowerCase);
}

static bool isKeyword(StringRef identifier) {
  static const llvm::StringSet<> keywords = getWords(kKeywords);
  return keywords.contains(identifier);
}

/// Returns whether EmitC's printer may use the name: it names values v1, v2,
/// ... and loop variables i1 to u9.
static bool isPrinterName(StringRef identifier) {
  return identifier.size() > 1 &&
         (identifier.front() == 'v' ||
          (identifier.front() >= 'i' && identifier.front() <= 'u')) &&
         llvm::all_of(identifier.drop_front(), llvm::isDigit);
}

bool uma::isFieldNameInC(StringRef name) {
  auto isAllowed = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, isAllowed) && !isKeyword(name);
}

bool uma::isFunctionNameInC(StringRef name) {
  return isFieldNameInC(name) && !isPrinterName(name);
}

bool uma::isReservedInC(StringRef identifier) {
  static const llvm::StringSet<> macros = getWords(kMacros);
  if (isKeyword(identifier) || macros.contains(identifier) ||
      looksLikeMacro(identifier) || isPrinterName(identifier))
    return true;
  // Constants of <math.h>, such as M_PIf32.
  if (identifier.starts_with("M_"))
    return true;
  // Helper functions and types of the emitted C.
  if (identifier == "uma" || identifier.starts_with("uma_"))
    return true;
  // int32_t, uint_fast8_t and so on.
  return identifier.ends_with("_t") && identifier.contains("int");
}

bool uma::isLibraryNameInC(StringRef identifier) {
  static const llvm::StringSet<> names = getWords(kLibrary);
  if (names.contains(identifier))
    return true;
  bool hasSuffix = identifier.ends_with("f") || identifier.ends_with("l");
  return hasSuffix && names.contains(identifier.drop_back());
}

bool uma::isReservedFileName(StringRef stem) {
  static const llvm::StringSet<> names = getWords(kFiles);
  // immintrin.h, wmmintrin.h and so on.
  bool isIntrinsics = stem.ends_with("intrin") && !stem.contains('_');
  return names.contains(stem) || isIntrinsics || stem == "uma" ||
         stem.starts_with("uma_");
}
