// What the system says of this process, as Prometheus names it for every program:
// https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace interline::app {

struct ProcessFigures {
  double cpu_seconds = 0;    ///< user and system
  double start_seconds = 0;  ///< since 1970
  std::uint64_t resident_bytes = 0;
  std::uint64_t virtual_bytes = 0;
  std::uint64_t open_files = 0;
  std::uint64_t most_files = 0;  ///< that may be open
  std::uint64_t threads = 0;
};

/// None where /proc cannot be read.
[[nodiscard]] std::optional<ProcessFigures> read_process_figures();

/// The same from the text of /proc/self/stat and the system's units; what is not there stays 0.
[[nodiscard]] std::optional<ProcessFigures> parse_process_stat(std::string_view text,
                                                               double ticks_per_second,
                                                               std::uint64_t page_bytes);

}  // namespace interline::app
