# MLIR/LLVM 22 from the distribution's packages, linked as the two shared libraries
# only, and the functions a compiler room uses.
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
add_definitions(${LLVM_DEFINITIONS})
# libMLIR.so lies outside the loader's default path.
set(CMAKE_BUILD_RPATH ${LLVM_LIBRARY_DIR})
set(CMAKE_INSTALL_RPATH ${LLVM_LIBRARY_DIR})

# Header parsing dominates the compile time of a room (8 s against 2 s), so every
# room shares one precompiled header.
file(WRITE ${PROJECT_BINARY_DIR}/cmake/pch.cpp "")
add_library(trireme_pch OBJECT ${PROJECT_BINARY_DIR}/cmake/pch.cpp)
target_precompile_headers(trireme_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/pch.h)
set(TRIREME_COMPILE_OPTIONS -Wall -Wno-unused-parameter -fno-semantic-interposition)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # ccache can only cache what uses a PCH when the PCH holds no time stamp.
  list(APPEND TRIREME_COMPILE_OPTIONS -Xclang -fno-pch-timestamp)
endif()
target_compile_options(trireme_pch PRIVATE ${TRIREME_COMPILE_OPTIONS})

# trireme_compiler_library(NAME [OBJECT] SOURCES a.cpp ... [DEPENDS tablegen targets]
#                          [LINK x y])
function(trireme_compiler_library name)
  cmake_parse_arguments(ARG "OBJECT" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  set(kind STATIC)
  if(ARG_OBJECT)
    set(kind OBJECT)
  endif()
  add_library(${name} ${kind} ${ARG_SOURCES})
  target_compile_options(${name} PRIVATE ${TRIREME_COMPILE_OPTIONS})
  target_precompile_headers(${name} REUSE_FROM trireme_pch)
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# trireme_tool(NAME SOURCES main.cpp LINK rooms...): a thin main. Its objects are built as
# library code (-fPIC, not -fPIE), as the precompiled header is.
function(trireme_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  trireme_compiler_library(${name}_main OBJECT SOURCES ${ARG_SOURCES} LINK ${ARG_LINK})
  add_executable(${name})
  target_link_libraries(${name} PRIVATE ${name}_main)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endfunction()

# trireme_dialect(PREFIX TD NAMESPACE DIALECT): ODS of a dialect room. Generates
# <PREFIX>Dialect/Types/Attrs/Enums/Ops.{h,cpp}.inc beside the room in the build tree,
# as target trireme_<PREFIX>_inc, from <PREFIX>Ops.td (which includes the others).
function(trireme_dialect prefix dialect)
  set(LLVM_TARGET_DEFINITIONS ${prefix}Ops.td)
  set(MLIR_TABLEGEN_EXTRA -I${PROJECT_SOURCE_DIR})
  mlir_tablegen(${prefix}Ops.h.inc -gen-op-decls -I${PROJECT_SOURCE_DIR})
  mlir_tablegen(${prefix}Ops.cpp.inc -gen-op-defs -I${PROJECT_SOURCE_DIR})
  mlir_tablegen(${prefix}Dialect.h.inc -gen-dialect-decls -dialect=${dialect} -I${PROJECT_SOURCE_DIR})
  mlir_tablegen(${prefix}Dialect.cpp.inc -gen-dialect-defs -dialect=${dialect} -I${PROJECT_SOURCE_DIR})
  mlir_tablegen(${prefix}Types.h.inc -gen-typedef-decls -typedefs-dialect=${dialect} -I${PROJECT_SOURCE_DIR})
  mlir_tablegen(${prefix}Types.cpp.inc -gen-typedef-defs -typedefs-dialect=${dialect} -I${PROJECT_SOURCE_DIR})
  mlir_tablegen(${prefix}Attrs.h.inc -gen-attrdef-decls -attrdefs-dialect=${dialect} -I${PROJECT_SOURCE_DIR})
  mlir_tablegen(${prefix}Attrs.cpp.inc -gen-attrdef-defs -attrdefs-dialect=${dialect} -I${PROJECT_SOURCE_DIR})
  mlir_tablegen(${prefix}Enums.h.inc -gen-enum-decls -I${PROJECT_SOURCE_DIR})
  mlir_tablegen(${prefix}Enums.cpp.inc -gen-enum-defs -I${PROJECT_SOURCE_DIR})
  add_public_tablegen_target(trireme_${prefix}_inc)
endfunction()

# trireme_passes(ROOM): Passes.h.inc from Passes.td, as target trireme_<ROOM>_passes_inc.
function(trireme_passes room)
  set(LLVM_TARGET_DEFINITIONS Passes.td)
  mlir_tablegen(Passes.h.inc -gen-pass-decls -name ${room} -I${PROJECT_SOURCE_DIR})
  add_public_tablegen_target(trireme_${room}_passes_inc)
endfunction()
