#include "net/stream.hpp"

#include <array>

namespace interline::net {

awaitable<Result<void>> Stream::write_all(std::string_view bytes) {
  const std::array<std::string_view, 1> pieces{bytes};
  co_return co_await write_all(std::span<const std::string_view>(pieces));
}

}  // namespace interline::net
