# wick_add_graph(): tensor graphs as a library to link.
#
#   wick_add_graph(<target>
#     GRAPH file...            graphs, JSON; relative paths start at the current source folder
#     [NAME stem...]           of the emitted files, one for each graph: <stem>.h is what to include
#                              (default: the graph's "name"; if that cannot be read, the file's).
#                              A graph that is made by the build needs it
#     [NAMESPACE name...]      of the emitted code, one for each graph (default: wick's)
#     [STORAGE arena|static|heap|none]
#     [WEIGHTS embed|pointer|file]
#     [C_API]                  adds <stem>_c.h, the same for C and whatever calls C
#     [OPTIONS option...]      any others of `wick compile`
#     [REPORT])                prints the memory report when a graph was compiled
#
# The first call makes the target: static, or shared as BUILD_SHARED_LIBS says. Further calls in the
# same folder add graphs to it. Whoever links the target finds the headers and wick::runtime;
# install(TARGETS … PUBLIC_HEADER) installs them.
#
# A graph is compiled again when it, a file of constants or wick itself changed; emitted files that
# come out the same are not touched, so nothing else is built for them. How that is told differs:
# Ninja looks at the files after the command. Make goes by times alone, so that the command makes
# a stamp there, and a second rule, which does nothing, says that the files come with it.
#
# The packed constants, <stem>.weights, lie in the folder that the target's property WICK_FOLDER
# names: a program that is to hand them in or to load them takes them from there.
#
# What a graph does wrong is reported as FILE:LINE:COLUMN of the JSON, as compilers do.

include_guard(GLOBAL)

cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)

function(wick_add_graph target)
  cmake_parse_arguments(PARSE_ARGV 1 arg
    "C_API;REPORT" "STORAGE;WEIGHTS" "GRAPH;NAME;NAMESPACE;OPTIONS")
  _wick_require_sound_call()
  if(NOT TARGET ${target})
    _wick_make_library(${target})
  endif()
  _wick_require_own_library(${target})

  set(options ${arg_OPTIONS})
  if(arg_STORAGE)
    list(APPEND options "--storage=${arg_STORAGE}")
  endif()
  if(arg_WEIGHTS)
    list(APPEND options "--weights=${arg_WEIGHTS}")
  endif()
  if(arg_C_API)
    list(APPEND options --c-api)
  endif()
  if(arg_REPORT)
    list(APPEND options --report)
  endif()
  foreach(graph name namespace IN ZIP_LISTS arg_GRAPH arg_NAME arg_NAMESPACE)
    cmake_path(ABSOLUTE_PATH graph NORMALIZE)
    if(NOT name)
      _wick_name_of("${graph}" name)
    endif()
    set(own_options ${options})
    if(namespace)
      list(APPEND own_options "--namespace=${namespace}")
    endif()
    _wick_compile_graph(${target} "${graph}" "${name}" ${own_options})
  endforeach()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CXX" IN_LIST languages)
    message(FATAL_ERROR "wick_add_graph(${target}): the project must enable the language CXX")
  endif()
endfunction()

# Looks at the variables of wick_add_graph, whose arguments they are.
function(_wick_require_sound_call)
  set(call "wick_add_graph(${target})")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${call}: unexpected ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${call}: no value for ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT arg_GRAPH)
    message(FATAL_ERROR "${call}: say which with GRAPH")
  endif()
  list(LENGTH arg_GRAPH graphs)
  foreach(keyword IN ITEMS NAME NAMESPACE)
    list(LENGTH arg_${keyword} count)
    if(count AND NOT count EQUAL graphs)
      message(FATAL_ERROR "${call}: ${graphs} graphs, but ${count} values of ${keyword}")
    endif()
  endforeach()
  if(NOT TARGET wick::wick)
    get_property(problem GLOBAL PROPERTY WICK_PROGRAM_PROBLEM)
    message(FATAL_ERROR "${call}: there is no program wick::wick: ${problem}")
  endif()
endfunction()

function(_wick_make_library target)
  add_library(${target})
  set_target_properties(${target} PROPERTIES
    WICK_FOLDER "${CMAKE_CURRENT_BINARY_DIR}/wick/${target}"
    # The functions of a shared library are what it is for.
    CXX_VISIBILITY_PRESET default
    # Units of several graphs have kernels of the same name, each in a namespace without one.
    UNITY_BUILD OFF)
  target_link_libraries(${target} PUBLIC wick::runtime)
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}/wick/${target}>")
  # A fused multiply-add stands in the source or does not happen: bits do not depend on compilers.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
endfunction()

function(_wick_require_own_library target)
  get_target_property(folder ${target} WICK_FOLDER)
  if(NOT folder)
    message(FATAL_ERROR "wick_add_graph(${target}): there is such a target already; let "
      "wick_add_graph make one of another name, and link that")
  endif()
  if(NOT folder STREQUAL "${CMAKE_CURRENT_BINARY_DIR}/wick/${target}")
    message(FATAL_ERROR "wick_add_graph(${target}): the target was made in another folder; graphs "
      "are added to it there")
  endif()
endfunction()

# The stem of the emitted files: the graph's own name, as `wick compile` would take it.
function(_wick_name_of graph result)
  if(NOT EXISTS "${graph}")
    message(FATAL_ERROR
      "wick_add_graph: there is no ${graph}; if the build makes it, give it a NAME")
  endif()
  file(READ "${graph}" text)
  string(JSON name ERROR_VARIABLE problem GET "${text}" name)
  if(problem)
    # Once it is mended the name may be another.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${graph}")
    cmake_path(GET graph STEM LAST_ONLY name)
  endif()
  string(SUBSTRING "${name}" 0 100 name)
  string(REGEX REPLACE "[^A-Za-z0-9-]" "_" name "${name}")
  string(REGEX REPLACE "^-" "_" name "${name}")
  set(${result} "${name}" PARENT_SCOPE)
endfunction()

function(_wick_compile_graph target graph name)
  get_target_property(folder ${target} WICK_FOLDER)
  get_target_property(names ${target} WICK_NAMES)
  if("${name}" IN_LIST names)
    message(FATAL_ERROR "wick_add_graph(${target}): two graphs of the name ${name}; give each its "
      "own with NAME")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY WICK_NAMES "${name}")

  cmake_path(GET graph FILENAME file)
  set(comment "wick compile ${file}")
  get_target_property(has_checker wick::wick WICK_HAS_CHECKER)
  if(NOT has_checker AND NOT "--no-check" IN_LIST ARGN)
    list(APPEND ARGN --no-check)
    string(APPEND comment " (not checked: this wick is built without the checker)")
  endif()
  set(stem "${folder}/${name}")
  set(sources "${stem}.cpp" "${stem}.weights.cpp")
  set(headers "${stem}.h")
  if("--c-api" IN_LIST ARGN)
    list(APPEND headers "${stem}_c.h")
    list(APPEND sources "${stem}_c.cpp")
  endif()
  set(emitted ${headers} ${sources} "${stem}.weights")
  set(command "$<TARGET_FILE:wick::wick>" compile "${graph}" -o "${folder}" --name "${name}"
    --every-file --depfile "${stem}.d" ${ARGN})
  if(CMAKE_GENERATOR MATCHES "Make")
    _wick_add_stamped_command()
  else()
    add_custom_command(OUTPUT ${emitted} COMMAND ${command} DEPENDS "${graph}" wick::wick
      DEPFILE "${stem}.d" COMMENT "${comment}" VERBATIM)
  endif()

  target_sources(${target} PRIVATE ${sources})
  set_property(TARGET ${target} APPEND PROPERTY PUBLIC_HEADER ${headers})
  # Link-time optimisation drops what only assembly defines.
  set_source_files_properties("${stem}.weights.cpp" PROPERTIES
    COMPILE_OPTIONS "-fno-lto;-I${folder}")
  # Compilers do not report what .incbin reads.
  if(NOT ARGN MATCHES "--weights=(pointer|file)")
    set_source_files_properties("${stem}.weights.cpp" PROPERTIES OBJECT_DEPENDS "${stem}.weights")
  endif()
  set_source_files_properties(${emitted} PROPERTIES SKIP_AUTOGEN ON)
endfunction()

# For Make; in the scope of _wick_compile_graph. The second rule runs in every build, for the stamp
# is newer than the files; Make sees that they did not change, and goes on only if they did. It
# compiles the graph if somebody deleted one of them.
function(_wick_add_stamped_command)
  list(APPEND command --stamp "${stem}.stamp")
  add_custom_command(OUTPUT "${stem}.stamp" COMMAND ${command} DEPENDS "${graph}" wick::wick
    DEPFILE "${stem}.d" COMMENT "${comment}" VERBATIM)
  set(unless_all_exist [[while [ "$1" != -- ]; do test -e "$1" || gone=yes; shift; done;
    shift; test -z "$gone" || exec "$@"]])
  string(REPLACE "\n" " " unless_all_exist "${unless_all_exist}")
  add_custom_command(OUTPUT ${emitted}
    COMMAND sh -c "${unless_all_exist}" sh ${emitted} -- ${command}
    DEPENDS "${stem}.stamp" COMMENT "" VERBATIM)
endfunction()

cmake_policy(POP)
