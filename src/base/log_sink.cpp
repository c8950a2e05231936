#include "base/log_sink.hpp"

#include <cerrno>
#include <string>
#include <string_view>
#include <unistd.h>

#include "base/log_format.hpp"

namespace interline {
namespace {

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

void StreamLogSink::write(const LogRecord& record) {
  std::string line = format_ == LogFormat::json ? format_json(record) : format_text(record);
  line += '\n';
  const std::lock_guard lock(mutex_);
  if (!write_all(descriptor_, line)) lost_.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace interline
