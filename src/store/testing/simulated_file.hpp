// One file of a simulated disk: what its readers see, and what of it would survive a power cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace interline::store::testing {

/// What a power cut leaves of writes that were not synced.
enum class Survivors : std::uint8_t {
  synced,      ///< none of them
  some,        ///< any of them, each whole, in part or not at all
  everything,  ///< all: as when only the process ended
};

class SimulatedFile {
 public:
  SimulatedFile() = default;
  explicit SimulatedFile(std::string content) : seen_(content), base_(std::move(content)) {
    on_disk_ = true;
  }

  [[nodiscard]] const std::string& content() const { return seen_; }
  void write(std::size_t offset, std::string_view bytes);
  void truncate(std::size_t size);
  void sync();
  /// As Linux does it: what was not synced now never will be, though readers go on seeing it. Later
  /// syncs say nothing of it.
  void fail_sync();

  /// Whether the file itself would be there.
  [[nodiscard]] bool survives(Survivors survivors) const {
    return on_disk_ || survivors == Survivors::everything;
  }
  [[nodiscard]] std::string after_power_cut(Survivors survivors, std::mt19937_64& random) const;

 private:
  enum class Fate : std::uint8_t { pending, synced, doubtful };
  struct Change {
    std::size_t offset;  ///< of a write; the size of a truncation
    std::string bytes;
    bool truncation;
    Fate fate;
  };
  static void apply(std::string& content, const Change& change, std::size_t bytes);

  std::string seen_;
  std::string base_;             // certainly on the disk
  std::vector<Change> changes_;  // since then, in order
  bool on_disk_ = false;
};

}  // namespace interline::store::testing
