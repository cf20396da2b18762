// Becomes part of the engine's node_table.cpp (see kuzu-build.cmake): the primary key index of a stored table is read
// when it is first asked for, not when the file is opened. Reading it costs some 2 ms and 5 MB a table, and most
// statements ask one or two of them.
//
// An index that nobody has asked for has not changed, so that what the engine does with one that is not loaded (as it does for
// those of extensions) is right: a checkpoint leaves its pages alone and writes its description as it was read.
#include <atomic>
#include <functional>
#include <mutex>
#include <unordered_map>

namespace kuzu {
namespace storage {

struct PortolanReadsTable {
    // Whether the table that is being made is one that is read from the file: its index is replaced at once.
    static thread_local bool now;
    PortolanReadsTable() { now = true; }
    ~PortolanReadsTable() { now = false; }
};
thread_local bool PortolanReadsTable::now = false;

namespace {

struct PortolanLazyIndexes {
    std::mutex mutex;
    std::atomic<size_t> count{0};
    // One that is left behind by a table that was never asked is replaced by the next table at the same address, or never
    // asked for again, since a table that was not read from the file has its index.
    std::unordered_map<const NodeTable*, std::function<std::unique_ptr<Index>()>> readers;

    static PortolanLazyIndexes& all() {
        // Never destroyed: an engine may be used while the process ends.
        static auto* all = new PortolanLazyIndexes();
        return *all;
    }
};

void portolanReadLater(const NodeTable* table, MemoryManager* mm, StorageManager* storage, const IndexInfo& info,
    std::vector<uint8_t> buffer) {
    auto& lazy = PortolanLazyIndexes::all();
    std::unique_lock lock{lazy.mutex};
    // As PrimaryKeyIndex::load does.
    lazy.readers[table] = [mm, storage, info, buffer = std::move(buffer)]() mutable -> std::unique_ptr<Index> {
        auto reader = std::make_unique<common::BufferReader>(buffer.data(), buffer.size());
        return std::make_unique<PrimaryKeyIndex>(info, PrimaryKeyIndexStorageInfo::deserialize(std::move(reader)),
            storage->isInMemory(), *mm, *storage->getDataFH()->getPageManager(), &storage->getShadowFile());
    };
    lazy.count = lazy.readers.size();
}

IndexHolder& portolanLoaded(const NodeTable* table, const IndexHolder& holder) {
    auto& there = const_cast<IndexHolder&>(holder);
    auto& lazy = PortolanLazyIndexes::all();
    if (lazy.count == 0) {
        return there;
    }
    std::unique_lock lock{lazy.mutex};
    if (!holder.isLoaded() && holder.getName() == PrimaryKeyIndex::DEFAULT_NAME) {
        auto reader = lazy.readers.find(table);
        if (reader != lazy.readers.end()) {
            there = IndexHolder{reader->second()};
            lazy.readers.erase(reader);
            lazy.count = lazy.readers.size();
        }
    }
    return there;
}

} // namespace
} // namespace storage
} // namespace kuzu

