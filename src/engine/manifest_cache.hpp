// Compiled manifests, the recently used ones: versions are immutable, so an entry never goes stale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "catalog/manifest.hpp"

namespace interline::engine {

/// Thread-safe.
class ManifestCache {
 public:
  explicit ManifestCache(std::size_t capacity) : capacity_(capacity) {}

  [[nodiscard]] std::shared_ptr<const catalog::Manifest> find(std::string_view endpoint,
                                                              std::string_view version);
  /// To be read before the manifest is, and given to put(): what was forgotten meanwhile is not put
  /// back.
  [[nodiscard]] std::uint64_t generation();
  void put(std::string_view endpoint, std::shared_ptr<const catalog::Manifest> manifest,
           std::uint64_t generation);
  /// One version, or with "" all of the endpoint's.
  void forget(std::string_view endpoint, std::string_view version);

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const catalog::Manifest> manifest;
  };
  [[nodiscard]] static std::string key_of(std::string_view endpoint, std::string_view version) {
    return std::string(endpoint).append(1, '\0').append(version);
  }

  const std::size_t capacity_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> index_;
  std::uint64_t generation_ = 0;
};

}  // namespace interline::engine
