#include "store/testing/simulated_file.hpp"

#include <algorithm>

namespace interline::store::testing {

void SimulatedFile::apply(std::string& content, const Change& change, std::size_t bytes) {
  if (change.truncation) {
    content.resize(change.offset);
    return;
  }
  if (bytes == 0) return;
  if (content.size() < change.offset + bytes) content.resize(change.offset + bytes);
  content.replace(change.offset, bytes, change.bytes, 0, bytes);
}

void SimulatedFile::write(std::size_t offset, std::string_view bytes) {
  changes_.push_back(Change{offset, std::string(bytes), false, Fate::pending});
  apply(seen_, changes_.back(), bytes.size());
}

void SimulatedFile::truncate(std::size_t size) {
  changes_.push_back(Change{size, {}, true, Fate::pending});
  apply(seen_, changes_.back(), 0);
}

void SimulatedFile::sync() {
  on_disk_ = true;
  for (Change& change : changes_) {
    if (change.fate == Fate::pending) change.fate = Fate::synced;
  }
  const bool certain = std::ranges::none_of(
      changes_, [](const Change& change) { return change.fate == Fate::doubtful; });
  if (!certain) return;
  for (const Change& change : changes_) apply(base_, change, change.bytes.size());
  changes_.clear();
}

void SimulatedFile::fail_sync() {
  for (Change& change : changes_) {
    if (change.fate == Fate::pending) change.fate = Fate::doubtful;
  }
}

std::string SimulatedFile::after_power_cut(Survivors survivors, std::mt19937_64& random) const {
  std::string content = base_;
  for (const Change& change : changes_) {
    std::size_t bytes = change.bytes.size();
    if (change.fate != Fate::synced && survivors != Survivors::everything) {
      if (survivors == Survivors::synced) continue;
      switch (random() % 3) {
        case 0:
          continue;
        case 1:
          bytes = random() % (bytes + 1);
          break;
        default:
          break;
      }
    }
    apply(content, change, bytes);
  }
  return content;
}

}  // namespace interline::store::testing
