#include "app/origin_guard.hpp"

#include <algorithm>
#include <utility>

namespace interline::app {

net::http::Guard origin_guard(std::vector<std::string> allowed) {
  return [allowed = std::move(allowed)](
             net::http::Request& request) -> net::awaitable<std::optional<net::http::Response>> {
    const auto origin = request.fields.get("Origin");
    if (!origin || std::ranges::find(allowed, *origin) != allowed.end()) co_return std::nullopt;
    co_return net::http::plain_response(403);
  };
}

}  // namespace interline::app
