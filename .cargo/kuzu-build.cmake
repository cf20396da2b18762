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

# Opening a file makes the hash index of each node table twice: an empty one in the constructor, of 256 parts with buffers
# of their own, and the stored one that takes its place at once. Eleven tables cost some 50 ms and 80 MB at every opening,
# most of what opening costs. The engine is compiled without the first, and with the second read when it is first asked for
# (kuzu_lazy_index.h). Where its sources are not the ones expected here, it is compiled as it stands.
function(portolan_replace file was is)
  string(FIND "${${file}}" "${was}" at)
  if(at EQUAL -1)
    message(WARNING "the engine's ${file}.cpp has no \"${was}\": it is built as it stands and opens files more slowly")
    set(expected OFF PARENT_SCOPE)
  endif()
  string(REPLACE "${was}" "${is}" ${file} "${${file}}")
  set(${file} "${${file}}" PARENT_SCOPE)
endfunction()

set(PORTOLAN_LAZY_INDEX "${CMAKE_CURRENT_LIST_DIR}/kuzu_lazy_index.h")

# Puts patched sources into the caller's `sources`.
function(portolan_patch)
  set(expected ON)
  file(READ "${PORTOLAN_LAZY_INDEX}" lazy)
  file(READ "${PROJECT_SOURCE_DIR}/src/storage/table/node_table.cpp" node_table)
  file(READ "${PROJECT_SOURCE_DIR}/src/storage/storage_manager.cpp" storage_manager)
  set(namespace "using namespace kuzu::catalog;")
  portolan_replace(storage_manager "${namespace}" "namespace kuzu::storage {
struct PortolanReadsTable {
    static thread_local bool now;
    PortolanReadsTable() { now = true; }
    ~PortolanReadsTable() { now = false; }
};
}
${namespace}")
  portolan_replace(storage_manager
    "tables[tableID] = std::make_unique<NodeTable>(this, tableEntry, &memoryManager);
        tables[tableID]->deserialize"
    "{ PortolanReadsTable reads; tables[tableID] = std::make_unique<NodeTable>(this, tableEntry, &memoryManager); }
        tables[tableID]->deserialize")
  portolan_replace(node_table "${namespace}" "${lazy}${namespace}")
  portolan_replace(node_table "indexes.push_back(IndexHolder{PrimaryKeyIndex::createNewIndex("
    "if (!PortolanReadsTable::now) indexes.push_back(IndexHolder{PrimaryKeyIndex::createNewIndex(")
  portolan_replace(node_table "        indexes.push_back(IndexHolder(indexInfos[i], std::move(storageInfoBuffers[i]),
            storageInfoBufferSizes[i]));
        if (indexInfos[i].isBuiltin) {
            indexes[i].load(context, storageManager);
        }"
    "        std::vector<uint8_t> buffer(storageInfoBuffers[i].get(), storageInfoBuffers[i].get() + storageInfoBufferSizes[i]);
        indexes.push_back(IndexHolder(indexInfos[i], std::move(storageInfoBuffers[i]),
            storageInfoBufferSizes[i]));
        if (indexInfos[i].isPrimary) {
            portolanReadLater(this, memoryManager, storageManager, indexInfos[i], std::move(buffer));
        } else if (indexInfos[i].isBuiltin) {
            indexes[i].load(context, storageManager);
        }")
  foreach(holder IN ITEMS "indexes[i]" "indexHolder" "index")
    portolan_replace(node_table " ${holder}.getIndex()" " portolanLoaded(this, ${holder}).getIndex()")
  endforeach()
  portolan_replace(node_table "!index.needCommitInsert()" "!portolanLoaded(this, index).needCommitInsert()")
  portolan_replace(node_table "if (index.isLoaded())" "if (portolanLoaded(this, index).isLoaded())")
  if(NOT expected)
    return()
  endif()
  set(patched "${CMAKE_BINARY_DIR}/portolan")
  file(WRITE "${patched}/node_table.cpp" "${node_table}")
  file(WRITE "${patched}/storage_manager.cpp" "${storage_manager}")
  list(TRANSFORM sources REPLACE "^(node_table|storage_manager)[.]cpp$" "${patched}/\\1.cpp")
  set(sources "${sources}" PARENT_SCOPE)
endfunction()

# Unity batches: ten sources a compiler run share one parse of the engine's heavy headers.
# Left out are third-party libraries, and targets whose sources repeat the names of helpers.
function(add_library name)
  set(sources "${ARGN}")
  if(name MATCHES "^kuzu_storage(_store)?$")
    portolan_patch()
  endif()
  _add_library(${name} ${sources})
  if(name MATCHES "^kuzu_" AND NOT name MATCHES "function|json|shared|csv_reader|order_by")
    get_target_property(kind ${name} TYPE)
    if(NOT kind STREQUAL "INTERFACE_LIBRARY")
      set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
    endif()
  endif()
endfunction()
