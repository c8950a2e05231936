#include "app/process_figures.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

#include <sys/resource.h>

namespace interline::app {
namespace {

// Fields of /proc/PID/stat behind the name, counted from 0: proc(5).
constexpr std::size_t kUserTicks = 11;
constexpr std::size_t kSystemTicks = 12;
constexpr std::size_t kThreads = 17;
constexpr std::size_t kStartTicks = 19;
constexpr std::size_t kVirtualBytes = 20;
constexpr std::size_t kResidentPages = 21;
constexpr std::size_t kFieldsRead = 22;

std::string read_text(const char* file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::uint64_t number_of(std::string_view word) {
  std::uint64_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

/// When the system started, in seconds since 1970; 0 where it does not say.
double boot_time() {
  const std::string text = read_text("/proc/stat");
  const auto at = text.find("\nbtime ");
  if (at == std::string::npos) return 0;
  return static_cast<double>(number_of(std::string_view(text).substr(at + 7)));
}

std::uint64_t count_open_files() {
  std::error_code error;
  std::uint64_t count = 0;
  for (auto at = std::filesystem::directory_iterator("/proc/self/fd", error);
       !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    ++count;
  }
  return count > 0 ? count - 1 : 0;  // one of them was for looking
}

}  // namespace

std::optional<ProcessFigures> parse_process_stat(std::string_view text, double ticks_per_second,
                                                 std::uint64_t page_bytes) {
  const auto name_end = text.rfind(") ");  // the name may hold anything
  if (name_end == std::string_view::npos) return std::nullopt;
  text.remove_prefix(name_end + 2);
  std::uint64_t fields[kFieldsRead] = {};
  for (std::size_t i = 0; i < kFieldsRead; ++i) {
    if (text.empty()) return std::nullopt;
    const auto end = text.find(' ');
    fields[i] = number_of(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  ProcessFigures figures;
  figures.cpu_seconds =
      static_cast<double>(fields[kUserTicks] + fields[kSystemTicks]) / ticks_per_second;
  figures.start_seconds = static_cast<double>(fields[kStartTicks]) / ticks_per_second;
  figures.threads = fields[kThreads];
  figures.virtual_bytes = fields[kVirtualBytes];
  figures.resident_bytes = fields[kResidentPages] * page_bytes;
  return figures;
}

std::optional<ProcessFigures> read_process_figures() {
  const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  auto figures = parse_process_stat(read_text("/proc/self/stat"), ticks, page);
  if (!figures) return std::nullopt;
  figures->start_seconds += boot_time();
  figures->open_files = count_open_files();
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) figures->most_files = limit.rlim_cur;
  return figures;
}

}  // namespace interline::app
