# The project's build rules: one place that says how a library, a test program, a bench and a fuzz
# target are made, so that every folder's CMakeLists.txt is a list of its files and its arrows.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

set(INTERLINE_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize= takes them")
option(INTERLINE_FUZZ "Build the libFuzzer targets (needs clang)" OFF)
option(INTERLINE_BENCH "Build the benches" OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

find_program(LLD ld.lld)
if(LLD)
  add_link_options(-fuse-ld=lld)
endif()

add_library(interline_flags INTERFACE)
target_compile_options(interline_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Werror
  $<$<CONFIG:Debug>:-O0 -g1>
  $<$<CONFIG:Release>:-O2 -g1>)
target_include_directories(interline_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)
# False alarms of g++ 12 where it inlines into a coroutine: Asio's frames come from aligned_alloc and go
# to free, which it takes for a mismatch of operators as soon as it sees only one of them; and an
# object that lives in the frame it takes for the frame. AddressSanitizer watches both.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(interline_flags INTERFACE -Wno-mismatched-new-delete -Wno-free-nonheap-object)
endif()

# Everything, external libraries' objects apart, is built with the same sanitizers.
if(INTERLINE_SANITIZE)
  add_compile_options(-fsanitize=${INTERLINE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${INTERLINE_SANITIZE})
  # Asio's fences are redundant beside its mutexes; g++ warns that ThreadSanitizer does not see them.
  if(INTERLINE_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-tsan)
  endif()
endif()
if(INTERLINE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -O1 -g1)
  add_link_options(-fsanitize=address,undefined)
endif()

find_package(Threads REQUIRED)

include(Precompiled)

add_custom_target(threaded_tests)  # what the tsan preset builds for ./test: tests of what threads share
add_custom_target(fuzz_targets)    # every fuzz target, and nothing that is not in one

# interline_library(NAME SOURCES a.cpp ... [USES base json ...] [LINKS external ...])
# USES are the folders this one may include from; they are the arrows of the architecture.
function(interline_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LINKS" ${ARGN})
  set(target interline_${name})
  add_library(${target} STATIC ${ARG_SOURCES})
  target_link_libraries(${target} PUBLIC interline_flags)
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(${target} PUBLIC interline_${used})
  endforeach()
  target_link_libraries(${target} PRIVATE ${ARG_LINKS})
  interline_precompiled(${target} library_headers)
endfunction()

# interline_test(NAME SOURCES a_test.cpp ... [USES ...] [LINKS ...] [THREADED])
# One GoogleTest program a folder: build/PRESET/tests/NAME_test, run by ./test and by ctest.
# THREADED: it runs threads over shared data, so ./test runs it under ThreadSanitizer too.
function(interline_test name)
  cmake_parse_arguments(ARG "THREADED" "" "SOURCES;USES;LINKS" ${ARGN})
  if(INTERLINE_FUZZ)
    return()
  endif()
  find_package(GTest REQUIRED)
  set(target ${name}_test)
  add_executable(${target} ${ARG_SOURCES})
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(${target} PRIVATE interline_${used})
  endforeach()
  target_link_libraries(${target} PRIVATE interline_flags GTest::gtest GTest::gmock GTest::gtest_main
                                          Threads::Threads ${ARG_LINKS})
  target_compile_definitions(${target} PRIVATE
    INTERLINE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" INTERLINE_BINARY_DIR="${PROJECT_BINARY_DIR}")
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  interline_precompiled(${target} test_headers)
  add_test(NAME ${target} COMMAND ${target} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  if(ARG_THREADED)
    set_tests_properties(${target} PROPERTIES LABELS threaded)
    add_dependencies(threaded_tests ${target})
  endif()
endfunction()

# interline_bench(NAME SOURCES x_bench.cpp [USES ...] [LINKS ...]): build/PRESET/bench/NAME_bench
function(interline_bench name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LINKS" ${ARGN})
  set(target ${name}_bench)
  add_executable(${target} ${ARG_SOURCES})
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(${target} PRIVATE interline_${used})
  endforeach()
  target_link_libraries(${target} PRIVATE interline_flags Threads::Threads ${ARG_LINKS})
  target_compile_definitions(${target} PRIVATE INTERLINE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
endfunction()

# interline_fuzz(NAME [USES ...]): fuzz/fuzz_NAME.cpp, corpus fuzz/corpus/NAME.
# With libFuzzer in the fuzz preset (build/fuzz/fuzz/fuzz_NAME); everywhere else the corpus is
# replayed by an ordinary test that calls the same LLVMFuzzerTestOneInput.
function(interline_fuzz name)
  cmake_parse_arguments(ARG "" "" "USES;LINKS" ${ARGN})
  set(target fuzz_${name})
  set(source ${PROJECT_SOURCE_DIR}/fuzz/fuzz_${name}.cpp)
  if(INTERLINE_FUZZ)
    add_executable(${target} ${source})
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  else()
    add_executable(${target} ${source} ${PROJECT_SOURCE_DIR}/fuzz/replay.cpp)
    find_package(GTest REQUIRED)
    target_link_libraries(${target} PRIVATE GTest::gtest GTest::gtest_main)
    target_compile_definitions(${target} PRIVATE
      FUZZ_CORPUS="${PROJECT_SOURCE_DIR}/fuzz/corpus/${name}" FUZZ_NAME="${name}")
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  endif()
  add_test(NAME ${target} COMMAND ${target} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  add_dependencies(fuzz_targets ${target})
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(${target} PRIVATE interline_${used})
  endforeach()
  target_link_libraries(${target} PRIVATE interline_flags Threads::Threads ${ARG_LINKS})
endfunction()
