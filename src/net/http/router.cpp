#include "net/http/router.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>

namespace interline::net::http {
namespace {

constexpr std::size_t kMethods = static_cast<std::size_t>(Method::options) + 1;

// One segment of a pattern.
struct Part {
  enum class Kind { text, name, rest };
  Kind kind = Kind::text;
  std::string text;    // the text, or the parameter's name
  std::string ending;  // Kind::name: what must follow it within the segment
};

[[noreturn]] void reject(std::string_view pattern, const char* why) {
  throw std::invalid_argument("route " + std::string(pattern) + ": " + why);
}

Part parse_part(std::string_view pattern, std::string_view segment, bool last) {
  Part part;
  if (!segment.starts_with('{')) {
    if (segment.find_first_of("{}") != std::string_view::npos) reject(pattern, "a stray brace");
    part.text = segment;
    return part;
  }
  const std::size_t close = segment.find('}');
  if (close == std::string_view::npos) reject(pattern, "a stray brace");
  part.kind = Part::Kind::name;
  part.text = segment.substr(1, close - 1);
  part.ending = segment.substr(close + 1);
  if (part.ending.find_first_of("{}") != std::string::npos) reject(pattern, "a stray brace");
  if (part.text.ends_with("...")) {
    if (!last || !part.ending.empty()) reject(pattern, "the rest can only come last");
    part.kind = Part::Kind::rest;
    part.text.resize(part.text.size() - 3);
  }
  if (part.text.empty()) reject(pattern, "a parameter without a name");
  return part;
}

std::vector<Part> parse_pattern(std::string_view pattern) {
  if (!pattern.starts_with('/')) reject(pattern, "it must begin with a slash");
  std::vector<Part> parts;
  std::string_view left = pattern.substr(1);
  for (bool more = true; more;) {
    const std::size_t slash = left.find('/');
    more = slash != std::string_view::npos;
    parts.push_back(parse_part(pattern, left.substr(0, slash), !more));
    if (more) left.remove_prefix(slash + 1);
  }
  return parts;
}

std::string join(std::span<const std::string> segments) {
  std::string path;
  for (const std::string& segment : segments) {
    if (&segment != segments.data()) path += '/';
    path += segment;
  }
  return path;
}

}  // namespace

// A trie over segments.
struct Router::Node {
  struct Child {
    std::string ending;  // empty for {name} and {rest...}
    std::string name;
    std::unique_ptr<Node> node;
  };

  std::map<std::string, std::unique_ptr<Node>, std::less<>> texts;
  std::vector<Child> names;  // longest ending first
  std::optional<Child> rest;
  std::array<std::unique_ptr<Route>, kMethods> routes;

  [[nodiscard]] bool serves() const {
    return std::ranges::any_of(routes, [](const auto& route) { return route != nullptr; });
  }
  Node& child(std::string_view pattern, Part part);
  [[nodiscard]] const Node* find(std::span<const std::string> segments, Request& request) const;
  [[nodiscard]] std::string allow() const;
};

Router::Node& Router::Node::child(std::string_view pattern, Part part) {
  if (part.kind == Part::Kind::text) {
    auto& node = texts[part.text];
    if (!node) node = std::make_unique<Node>();
    return *node;
  }
  if (part.kind == Part::Kind::rest) {
    if (!rest) rest = Child{"", part.text, std::make_unique<Node>()};
    if (rest->name != part.text) reject(pattern, "another name for the same place");
    return *rest->node;
  }
  for (const Child& known : names) {
    if (known.ending != part.ending) continue;
    if (known.name != part.text) reject(pattern, "another name for the same place");
    return *known.node;
  }
  const auto shorter = std::ranges::find_if(
      names, [&](const Child& known) { return known.ending.size() < part.ending.size(); });
  return *names.insert(shorter, Child{part.ending, part.text, std::make_unique<Node>()})->node;
}

const Router::Node* Router::Node::find(std::span<const std::string> segments,
                                       Request& request) const {
  if (segments.empty()) return serves() ? this : nullptr;
  const std::string& segment = segments.front();
  if (const auto text = texts.find(segment); text != texts.end()) {
    if (const Node* found = text->second->find(segments.subspan(1), request)) return found;
  }
  for (const Child& named : names) {
    if (segment.size() <= named.ending.size() || !segment.ends_with(named.ending)) continue;
    request.parameters.emplace_back(named.name,
                                    segment.substr(0, segment.size() - named.ending.size()));
    if (const Node* found = named.node->find(segments.subspan(1), request)) return found;
    request.parameters.pop_back();
  }
  if (!rest) return nullptr;
  request.parameters.emplace_back(rest->name, join(segments));
  return rest->node.get();
}

std::string Router::Node::allow() const {
  std::string list;
  for (std::size_t i = 0; i < kMethods; ++i) {
    const bool head = i == static_cast<std::size_t>(Method::head) &&
                      routes[static_cast<std::size_t>(Method::get)] != nullptr;
    if (routes.at(i) == nullptr && !head) continue;
    if (!list.empty()) list += ", ";
    list += to_string(static_cast<Method>(i));
  }
  return list;
}

Router::Router() : root_(std::make_unique<Node>()) {}
Router::~Router() = default;

void Router::add(Method method, std::string_view pattern, Handler handler, RouteOptions options) {
  Node* node = root_.get();
  for (Part& part : parse_pattern(pattern)) node = &node->child(pattern, std::move(part));
  auto& slot = node->routes.at(static_cast<std::size_t>(method));
  if (slot) reject(pattern, "is there already");
  slot = std::make_unique<Route>();
  slot->pattern = pattern;
  slot->options = std::move(options);
  slot->handler = std::move(handler);
}

Router::Match Router::find(Request& request) const {
  Match match;
  const Node* node = root_->find(request.segments, request);
  if (node == nullptr || node == root_.get()) return match;
  match.route = node->routes.at(static_cast<std::size_t>(request.method)).get();
  if (match.route == nullptr && request.method == Method::head) {
    match.route = node->routes.at(static_cast<std::size_t>(Method::get)).get();
  }
  if (match.route == nullptr) {
    match.status = 405;
    match.allow = node->allow();
  }
  return match;
}

}  // namespace interline::net::http
