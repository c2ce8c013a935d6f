#include "compiler/emit/global_names.h"

#include <algorithm>
#include <string>

namespace wick::compiler::cpp {
namespace {

// Each between spaces. Names that differ in one of the endings below alone stand here once.
constexpr std::string_view kGlobal =
    " DIR FILE a64l abort abs access acct acos acosh alarm aligned_alloc alloca arc4random "
    "arc4random_buf arc4random_uniform asctime asin asinh at_quick_exit atan atan2 atanh atexit "
    "atof atoi atol basename bcmp bcopy brk bsearch bzero calloc cbrt ceil chdir chmod chown "
    "chroot clearenv clearerr clock clock_getcpuclockid clock_getres clock_gettime "
    "clock_nanosleep clock_settime close close_range closefrom confstr copy_file_range copysign "
    "cos cosh creat crypt ctermid ctime daemon daylight difftime div dprintf drand48 drem dup "
    "dup2 dup3 duplocale dysize eaccess ecvt endusershell environ erand48 erf erfc euidaccess "
    "execl execle execlp execv execve execveat execvp execvpe exit exp exp2 explicit_bzero "
    "expm1 fabs faccessat fallocate fchdir fchmod fchmodat fchown fchownat fclose fcntl fcvt "
    "fdatasync fdim fdopen feof ferror fexecve fflush ffs ffsl fgetc fgetpos fgets fileno "
    "finite flock flockfile floor fma fmax fmemopen fmin fmod fopen fork fpathconf fprintf "
    "fputc fputs fread free freelocale freopen frexp fscanf fseek fseeko fsetpos fstat fstatat "
    "fsync ftell ftello ftruncate ftrylockfile funlockfile futimens fwrite gamma gcvt "
    "get_current_dir_name getc getchar getcwd getdelim getdomainname getdtablesize getegid "
    "getentropy getenv geteuid getgid getgroups gethostid gethostname getline getloadavg "
    "getlogin getopt getpagesize getpass getpgid getpgrp getpid getppid getresgid getresuid "
    "getsid getsubopt gettid getuid getumask getusershell getw getwd gmtime group_member "
    "gsignal hypot ilogb index initstate isalnum isalpha isascii isatty isblank iscntrl isdigit "
    "isgraph isinf islower isnan isprint ispunct isspace isupper isxdigit j0 j1 jn jrand48 kill "
    "killpg l64a labs lchmod lchown lcong48 ldexp ldiv lgamma lgammaf lgammal link linkat llabs "
    "lldiv llrint llround localeconv localtime lockf log log10 log1p log2 logb lrand48 lrint "
    "lround lseek lstat madvise main malloc mblen mbstowcs mbtowc memccpy memchr memcmp memcpy "
    "memfd_create memfrob memmem memmove mempcpy memrchr memset mincore mkdir mkdirat mkdtemp "
    "mkfifo mkfifoat mknod mknodat mkstemp mkstemps mktemp mktime mlock mlock2 mlockall mmap "
    "modf mprotect mrand48 mremap msync munlock munlockall munmap name_to_handle_at nan "
    "nanosleep nearbyint newlocale nextafter nexttoward nice nrand48 on_exit open "
    "open_by_handle_at open_memstream openat optarg opterr optind optopt pathconf pause pclose "
    "perror pipe pipe2 pkey_alloc pkey_free pkey_get pkey_mprotect pkey_set popen posix_fadvise "
    "posix_fallocate posix_madvise posix_memalign pow pread printf process_madvise "
    "process_mrelease profil pselect psiginfo psignal pthread_kill pthread_sigmask putc putchar "
    "putenv puts putw pwrite qecvt qfcvt qgcvt qsort quick_exit raise rand random rawmemchr "
    "read readahead readlink readlinkat realloc reallocarray realpath remainder "
    "remap_file_pages remove remquo rename renameat revoke rewind rindex rint rmdir round "
    "rpmatch sbrk scalb scalbln scalbn scanf seed48 select setbuf setbuffer setdomainname "
    "setegid setenv seteuid setgid sethostid sethostname setlinebuf setlocale setlogin setpgid "
    "setpgrp setregid setresgid setresuid setreuid setsid setstate setuid setusershell setvbuf "
    "shm_open shm_unlink sigabbrev_np sigaction sigaddset sigaltstack sigblock sigdelset "
    "sigdescr_np sigemptyset sigevent sigfillset siggetmask siginfo siginterrupt sigismember "
    "signal signgam significand sigpending sigprocmask sigqueue sigreturn sigsetmask sigstack "
    "sigsuspend sigtimedwait sigwait sigwaitinfo sin sinh sleep snprintf splice sprintf sqrt "
    "srand srand48 srandom sscanf ssignal stat statx stpcpy stpncpy strcasecmp strcasestr "
    "strcat strchr strchrnul strcmp strcoll strcpy strcspn strdup strerror strerrordesc_np "
    "strerrorname_np strfry strftime strlen strncasecmp strncat strncmp strncpy strndup strnlen "
    "strpbrk strrchr strsep strsignal strspn strstr strtod strtof strtok strtol strtold strtoq "
    "strtoul strtouq strverscmp strxfrm swab symlink symlinkat sync sync_file_range syncfs "
    "syscall sysconf system tan tanh tcgetpgrp tcsetpgrp tee tempnam tgamma time timegm "
    "timelocal timer_create timer_delete timer_getoverrun timer_gettime timer_settime timespec "
    "timespec_get timezone tm tmpfile tmpnam toascii tolower toupper trunc truncate ttyname "
    "ttyslot tzset ualarm umask ungetc unlink unlinkat unsetenv uselocale usleep utimensat "
    "valloc vdprintf vfork vfprintf vfscanf vhangup vmsplice vprintf vscanf vsnprintf vsprintf "
    "vsscanf wcstombs wctomb wick_dtype wick_model wick_tensor write y0 y1 yn ";

// logf, logl, strtok_r, isalpha_l, lseek64, putc_unlocked.
constexpr std::string_view kEndings[] = {"f", "l", "_r", "_l", "64", "_unlocked"};

bool is_listed(std::string_view name) {
  return kGlobal.find(" " + std::string(name) + " ") != std::string_view::npos;
}

}  // namespace

bool is_global_name(std::string_view name) {
  if (name.ends_with("_t") || is_listed(name)) return true;
  return std::ranges::any_of(kEndings, [&](std::string_view ending) {
    return name.ends_with(ending) && is_listed(name.substr(0, name.size() - ending.size()));
  });
}

}  // namespace wick::compiler::cpp
