#include "net/http/upgraded_stream.hpp"

#include <algorithm>

namespace interline::net::http {

awaitable<Result<std::size_t>> UpgradedStream::read_some(std::span<char> buffer) {
  const std::string_view ahead = read_ahead_.data().substr(0, buffer.size());
  if (ahead.empty()) co_return co_await below_.read_some(buffer);
  std::ranges::copy(ahead, buffer.begin());
  const std::size_t size = ahead.size();
  read_ahead_.consume(size);
  co_return size;
}

awaitable<Result<void>> UpgradedStream::write_all(std::span<const std::string_view> pieces) {
  co_return co_await below_.write_all(pieces);
}

awaitable<Result<void>> UpgradedStream::shutdown_write() {
  co_return co_await below_.shutdown_write();
}

}  // namespace interline::net::http
