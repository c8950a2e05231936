#include "engine/manifest_cache.hpp"

namespace interline::engine {

std::shared_ptr<const catalog::Manifest> ManifestCache::find(std::string_view endpoint,
                                                             std::string_view version) {
  const std::lock_guard lock(mutex_);
  const auto found = index_.find(key_of(endpoint, version));
  if (found == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return entries_.front().manifest;
}

std::uint64_t ManifestCache::generation() {
  const std::lock_guard lock(mutex_);
  return generation_;
}

void ManifestCache::put(std::string_view endpoint,
                        std::shared_ptr<const catalog::Manifest> manifest,
                        std::uint64_t generation) {
  const std::lock_guard lock(mutex_);
  std::string key = key_of(endpoint, manifest->version);
  if (generation != generation_ || index_.contains(key)) return;
  entries_.push_front(Entry{key, std::move(manifest)});
  index_.emplace(std::move(key), entries_.begin());
  if (entries_.size() > capacity_) {
    index_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

void ManifestCache::forget(std::string_view endpoint, std::string_view version) {
  const std::lock_guard lock(mutex_);
  ++generation_;
  const std::string key = key_of(endpoint, version);
  std::erase_if(entries_, [this, &key, whole = version.empty()](const Entry& entry) {
    const bool gone = whole ? entry.key.starts_with(key) : entry.key == key;
    if (gone) index_.erase(entry.key);
    return gone;
  });
}

}  // namespace interline::engine
