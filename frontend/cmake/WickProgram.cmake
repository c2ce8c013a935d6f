# Which wick program a project calls. Included by the package (wickConfig.cmake) and by wick's own
# build when that makes none.
#
#   WICK_EXECUTABLE  cache variable: a wick that runs on the machine that builds. It comes before
#                    any other; who cross-compiles sets it, or has wick in the PATH
#
# Afterwards there is a target wick::wick if a program was found. Its property WICK_HAS_CHECKER says
# whether it can check what it emits: a wick that was built without Clang wants to be told
# `--no-check`, so that nobody takes its output for checked.

include_guard(GLOBAL)

# Makes wick::wick out of WICK_EXECUTABLE, else of CANDIDATE (a path that need not exist), else of
# what the PATH has. The global property WICK_PROGRAM_PROBLEM tells why there is none.
function(wick_find_program candidate)
  if(TARGET wick::wick)
    return()
  endif()
  set(program "${WICK_EXECUTABLE}")
  if(NOT program AND EXISTS "${candidate}")
    _wick_ask_version("${candidate}" version)
    if(version)
      set(program "${candidate}")
    endif()
  endif()
  if(NOT program)
    # A sysroot holds programs of the target.
    find_program(WICK_EXECUTABLE wick DOC "The wick program, for the machine that builds"
      NO_CMAKE_FIND_ROOT_PATH)
    mark_as_advanced(WICK_EXECUTABLE)
    set(program "${WICK_EXECUTABLE}")
  endif()
  if(NOT program)
    set_property(GLOBAL PROPERTY WICK_PROGRAM_PROBLEM
      "no wick program was found; set WICK_EXECUTABLE")
    return()
  endif()
  _wick_ask_version("${program}" version)
  if(NOT version)
    set_property(GLOBAL PROPERTY WICK_PROGRAM_PROBLEM
      "${program} is no wick that runs on this machine; set WICK_EXECUTABLE")
    return()
  endif()
  add_executable(wick::wick IMPORTED GLOBAL)
  set_target_properties(wick::wick PROPERTIES IMPORTED_LOCATION "${program}")
  _wick_note_checker(wick::wick "${version}")
endfunction()

# The answer to --version, empty if the program does not run here.
function(_wick_ask_version program result)
  execute_process(COMMAND "${program}" --version
    OUTPUT_VARIABLE answer ERROR_QUIET RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT status STREQUAL "0" OR NOT answer MATCHES "^wick [0-9]")
    set(answer "")
  endif()
  set(${result} "${answer}" PARENT_SCOPE)
endfunction()

function(_wick_note_checker target version)
  set(has_checker TRUE)
  if(version MATCHES "without the checker")
    set(has_checker FALSE)
    message(STATUS "${version}: graphs are compiled with --no-check")
  endif()
  set_target_properties(${target} PROPERTIES WICK_HAS_CHECKER ${has_checker})
endfunction()
