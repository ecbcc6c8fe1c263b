# How a room states itself to CMake. A room's CMakeLists.txt calls one of these
# functions and nothing else; paths are relative to the room.

# Adds each named directory that has a CMakeLists.txt.
function(trireme_add_rooms)
  foreach(room ${ARGN})
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${room}/CMakeLists.txt)
      add_subdirectory(${room})
    endif()
  endforeach()
endfunction()

# trireme_runtime_library(NAME SOURCES a.cpp ... [LINK x y]): no LLVM, no RTTI needed,
# builds with any C++17 compiler, also for boards.
function(trireme_runtime_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Werror=return-type)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
endfunction()

# trireme_gtest(NAME SOURCES a.cpp ... LINK x): one test program run by `./dev test`.
function(trireme_gtest name)
  if(NOT TRIREME_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/gtest)
  add_test(NAME ${name} COMMAND ${name})
endfunction()
