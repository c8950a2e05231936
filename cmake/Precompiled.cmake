# Headers precompiled once and used by every library and every test program: a third less to compile
# from nothing. ccache shares results between folders only without them, so where ccache is, they are off
# (docs/decisions/0001-compile-time.md has the numbers). Files still include what they use: builds
# without precompiled headers show what is missing.

set(precompile ON)
if(CCACHE OR INTERLINE_FUZZ)
  set(precompile OFF)
endif()
option(INTERLINE_PCH "Precompile the headers that nearly every file includes" ${precompile})

if(INTERLINE_PCH)
  find_package(GTest REQUIRED)

  add_library(library_headers OBJECT ${CMAKE_CURRENT_LIST_DIR}/precompiled.cpp)
  target_link_libraries(library_headers PRIVATE interline_flags)
  target_precompile_headers(library_headers PRIVATE
    <algorithm> <array> <expected> <functional> <map> <memory> <optional> <span> <string> <string_view>
    <utility> <vector>)

  add_library(test_headers OBJECT ${CMAKE_CURRENT_LIST_DIR}/precompiled.cpp)
  target_link_libraries(test_headers PRIVATE interline_flags GTest::gtest GTest::gmock Threads::Threads)
  target_precompile_headers(test_headers PRIVATE
    <gtest/gtest.h> <gmock/gmock.h> <expected> <functional> <map> <memory> <optional> <string> <vector>)
endif()

# Lets a target use the headers of library_headers or test_headers.
function(interline_precompiled target headers)
  if(INTERLINE_PCH)
    target_precompile_headers(${target} REUSE_FROM ${headers})
    # g++ 12 forgets that precompiled code came from system headers, and warns of what its optimiser
    # imagines in std::string (GCC bugs 105329, 105651). Builds without precompiled headers warn of ours.
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
                                             -Wno-stringop-overread -Wno-maybe-uninitialized)
  endif()
endfunction()
