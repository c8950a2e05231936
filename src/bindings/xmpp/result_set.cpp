#include "bindings/xmpp/result_set.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>
#include <utility>

#include "bindings/xmpp/names.hpp"

namespace interline::xmpp {
namespace {

using Anchor = PageRequest::Anchor;

[[nodiscard]] std::unexpected<Error> bad(const char* what) {
  return fail(ErrorKind::malformed, what);
}

/// Digits alone, at most 2^31 - 1: XEP-0059's schema has xs:int and no sign makes sense.
std::optional<std::size_t> read_count(std::string_view text) {
  std::int32_t value = 0;
  if (text.empty() || text.front() == '-') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return static_cast<std::size_t>(value);
}

/// The only child of that name; an error if there are two.
Result<std::optional<Element>> only_child(Element set, std::string_view name) {
  std::optional<Element> found;
  for (const Element child : set.children()) {
    if (!child.is(ns::kRsm, name)) continue;
    if (found) return bad("result set with an element twice");
    found = child;
  }
  return found;
}

Result<PageRequest> read_set(Element set) {
  PageRequest request;
  int anchors = 0;
  for (const std::string_view name : {"max", "index", "after", "before"}) {
    auto child = only_child(set, name);
    if (!child) return std::unexpected(std::move(child.error()));
    if (!*child) continue;
    const std::string text = (*child)->text();
    if (!(*child)->children().empty()) return bad("result set with elements where text belongs");
    if (name == "max" || name == "index") {
      const auto count = read_count(text);
      if (!count) return bad("result set with max or index that is no decimal number");
      if (name == "max") {
        request.max = *count;
        continue;
      }
      request.index = *count;
    }
    ++anchors;
    request.id = text;
    if (name == "index") request.anchor = Anchor::index;
    if (name == "after") request.anchor = text.empty() ? Anchor::start : Anchor::after;
    if (name == "before") request.anchor = text.empty() ? Anchor::end : Anchor::before;
  }
  if (anchors > 1) return bad("result set with two of after, before and index");
  return request;
}

/// The part of [begin, end) that fits into the bytes, from its front or from its back.
Page fit(Page page, bool from_back, const PageSource& source, std::size_t bytes) {
  std::size_t used = 0;
  std::size_t count = 0;
  for (; count < page.size(); ++count) {
    used += source.wire_size(from_back ? page.end - 1 - count : page.begin + count);
    if (used > bytes && count > 0) break;
  }
  if (from_back) return {page.end - count, page.end, page.total};
  return {page.begin, page.begin + count, page.total};
}

}  // namespace

Result<std::optional<PageRequest>> read_page_request(Element query) {
  auto set = only_child(query, "set");
  if (!set) return std::unexpected(std::move(set.error()));
  if (!*set) return std::nullopt;
  auto request = read_set(**set);
  if (!request) return std::unexpected(std::move(request.error()));
  return *std::move(request);
}

Result<Page> find_page(const std::optional<PageRequest>& request, const PageSource& source,
                       const PageLimits& limits) {
  const std::size_t total = source.size();
  const std::size_t max =
      std::min(request ? request->max.value_or(limits.usual) : limits.most, limits.most);
  const auto forward = [&](std::size_t begin) {
    begin = std::min(begin, total);
    return fit({begin, begin + std::min(max, total - begin), total}, false, source, limits.bytes);
  };
  const auto backward = [&](std::size_t end) {
    return fit({end - std::min(max, end), end, total}, true, source, limits.bytes);
  };
  switch (request ? request->anchor : Anchor::start) {
    case Anchor::start:
      return forward(0);
    case Anchor::index:
      return forward(request->index);
    case Anchor::end:
      return backward(total);
    case Anchor::after:
    case Anchor::before:
      break;
  }
  const auto place = source.find(request->id);
  if (!place) return fail(ErrorKind::not_found, "no such item");
  if (request->anchor == Anchor::before) return backward(place->position);
  return forward(place->position + (place->present ? 1 : 0));
}

void write_page(XmlWriter& w, const std::optional<PageRequest>& request, const Page& page,
                std::string_view first_id, std::string_view last_id) {
  const bool count_asked = request && request->max == 0;
  if (page.total == 0 && !count_asked) return;
  if (!request && page.size() == page.total) return;
  w.begin("set", ns::kRsm);
  if (!page.empty()) {
    w.begin("first");
    w.attribute("index", std::to_string(page.begin));
    w.text(first_id);
    w.end();
    w.leaf("last", last_id);
  }
  w.leaf("count", std::to_string(page.total));
  w.end();
}

}  // namespace interline::xmpp
