# How Kuzu's engine is compiled. cmake reads this as its toolchain file: that is the one door
# that the kuzu crate leaves open to whoever builds it.
if(DEFINED PORTOLAN_KUZU_BUILD)
  return()
endif()
set(PORTOLAN_KUZU_BUILD 1)

# The crate's cmake compiles algo, fts, json and vector whatever cargo features are chosen;
# as a "release of extensions" it links none of them, and compiles none.
set(BUILD_EXTENSION_RELEASE ON)

# -O2 instead of -O3, to compile less; neither the time saved nor the cost to queries was compared.
set(CMAKE_CXX_FLAGS_RELEASE_INIT "-O2")

# Unity batches: ten sources a compiler run share one parse of the engine's heavy headers.
# Left out are third-party libraries, and targets whose sources repeat the names of helpers.
function(add_library name)
  _add_library(${name} ${ARGN})
  if(name MATCHES "^kuzu_" AND NOT name MATCHES "function|json|shared|csv_reader|order_by")
    get_target_property(kind ${name} TYPE)
    if(NOT kind STREQUAL "INTERFACE_LIBRARY")
      set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
    endif()
  endif()
endfunction()
