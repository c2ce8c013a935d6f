# How every target of this project is made, so that a folder's CMakeLists.txt states only what is
# its own: the sources and the layers below it.
#
#   wick_add_library(NAME [SOURCES file…] [DEPENDS target…] [PRIVATE_DEPENDS target…])
#   wick_add_program(NAME SOURCES file… [DEPENDS target…])
#   wick_add_test(NAME SOURCES file… [DEPENDS target…] [LABELS label…] [TIMEOUT seconds])

include_guard(GLOBAL)

# Compiles through ccache when the machine has it and nobody chose a launcher. A macro, for the
# variable must reach the scope of the caller.
macro(wick_use_ccache)
  if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(WICK_CCACHE ccache)
    mark_as_advanced(WICK_CCACHE)
    if(WICK_CCACHE)
      set(CMAKE_CXX_COMPILER_LAUNCHER "${WICK_CCACHE}")
    endif()
  endif()
endmacro()

# Makes wick::wick, in a build of wick itself: the program given by WICK_EXECUTABLE, else the one
# that is built here, else one in the PATH.
function(wick_provide_program)
  if(TARGET wick_cli AND NOT WICK_EXECUTABLE)
    add_executable(wick::wick ALIAS wick_cli)
    if(TARGET wick_clang)
      set_target_properties(wick_cli PROPERTIES WICK_HAS_CHECKER TRUE)
    endif()
  else()
    wick_find_program("")
  endif()
endfunction()

# What every translation unit of ours is compiled with. -ffp-contract=off because a fused
# multiply-add must be written in the source or not happen at all: bits may not depend on the
# compiler.
function(wick_compile_as_ours target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -ffp-contract=off
    # GCC 12 warns of overlap inside std::string's own operator+ (GCC bug 105651).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
endfunction()

# A library of one folder. Without SOURCES it is header-only. DEPENDS are the layers whose headers
# its own headers include; PRIVATE_DEPENDS are seen by its .cpp files alone, which is where every
# third-party package belongs.
function(wick_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "wick_add_library(${name}): unexpected ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(arg_SOURCES)
    add_library(${name} STATIC ${arg_SOURCES})
    wick_compile_as_ours(${name})
    target_include_directories(${name} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>")
    target_link_libraries(${name} PUBLIC ${arg_DEPENDS} PRIVATE ${arg_PRIVATE_DEPENDS})
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>")
    target_link_libraries(${name} INTERFACE ${arg_DEPENDS})
  endif()
endfunction()

function(wick_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS")
  add_executable(${name} ${arg_SOURCES})
  wick_compile_as_ours(${name})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS})
endfunction()

# A GoogleTest program. Each of its TESTs becomes a test of ctest, found when ctest starts, so
# that cross builds and sanitizers need nothing special. The name of a test is NAME.Suite.Case.
# Any test may run beside any other.
function(wick_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;DEPENDS;LABELS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${name} ${arg_SOURCES})
  wick_compile_as_ours(${name})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(${name} PRIVATE WICK_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} GTest::gmock GTest::gtest_main)
  gtest_discover_tests(${name}
    TEST_PREFIX "${name}."
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
endfunction()
