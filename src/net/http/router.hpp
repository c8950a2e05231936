// One table: method, path pattern, handler. Whatever it does not have is 404; a path that it has
// without the method is 405 with Allow.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/http/message.hpp"
#include "net/http/responder.hpp"

namespace interline::net::http {

using Handler = std::function<awaitable<void>(Request&, Responder&)>;

/// Runs when the head is there and the body is not: who may not pass costs no body. A response ends
/// the matter; none lets the request through.
using Guard = std::function<awaitable<std::optional<Response>>(Request&)>;

struct RouteOptions {
  std::size_t body_limit = std::size_t{1024} * 1024;  ///< 413 beyond; 0 for routes without a body.
  Guard guard;
};

struct Route {
  std::string pattern;
  RouteOptions options;
  Handler handler;
};

class Router {
 public:
  Router();
  ~Router();
  Router(const Router&) = delete;
  Router& operator=(const Router&) = delete;

  /// Patterns: "/healthz"; "/mcp/{name}", one segment, never empty; "/tasks/{id}:cancel", one with
  /// an ending; "/console/{rest...}", all further segments (at least one) joined with slashes. At
  /// each segment plain text is preferred, then endings, then names, then the rest. A GET route
  /// serves HEAD too. Throws std::invalid_argument for a pattern that makes no sense or is there
  /// already: a mistake in the program, not in its input.
  void add(Method method, std::string_view pattern, Handler handler, RouteOptions options = {});

  struct Match {
    const Route* route = nullptr;  ///< None: answer with `status`.
    unsigned status = 404;         ///< Or 405, with `allow`.
    std::string allow;
  };
  /// Fills request.parameters.
  [[nodiscard]] Match find(Request& request) const;

 private:
  struct Node;
  std::unique_ptr<Node> root_;
};

}  // namespace interline::net::http
