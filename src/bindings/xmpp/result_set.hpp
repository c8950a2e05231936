// XEP-0059 Result Set Management: what is asked, which items that is, and what is said about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "bindings/xmpp/stanza.hpp"
#include "bindings/xmpp/xml_writer.hpp"

namespace interline::xmpp {

/// `<set xmlns='http://jabber.org/protocol/rsm'>` of a request.
struct PageRequest {
  enum class Anchor : std::uint8_t {
    start,   ///< the first items
    after,   ///< the items after `id`
    before,  ///< the last items before `id`
    end,     ///< the last items
    index,   ///< the items from position `index`
  };
  Anchor anchor = Anchor::start;
  std::string id;
  std::size_t index = 0;
  std::optional<std::size_t> max;
};

/// Nothing if the query has no `<set/>`. Errors: malformed.
[[nodiscard]] Result<std::optional<PageRequest>> read_page_request(Element query);

/// Items in their order, as one principal sees them. Positions count from 0.
class PageSource {
 public:
  virtual ~PageSource() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;

  struct Place {
    std::size_t position;  ///< how many items are less
    bool present;          ///< the item at that position is the one asked for
  };
  /// Where an item is, or would be if it is known but gone; nothing if its place cannot be told.
  [[nodiscard]] virtual std::optional<Place> find(std::string_view id) const = 0;
  /// Bytes of an item in an answer, as XmlWriter::wire_size counts them.
  [[nodiscard]] virtual std::size_t wire_size(std::size_t position) const = 0;
};

struct PageLimits {
  std::size_t usual = 50;       ///< items, when a request does not say how many
  std::size_t most = 100;       ///< items
  std::size_t bytes = 196'608;  ///< of the items of a page, on the wire; one item always fits
};

/// Positions [begin, end) of a set of `total`.
struct Page {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t total = 0;

  [[nodiscard]] std::size_t size() const { return end - begin; }
  [[nodiscard]] bool empty() const { return begin == end; }
  friend bool operator==(const Page&, const Page&) = default;
};

/// Always in the set's own order. Errors: not_found for an item whose place cannot be told.
[[nodiscard]] Result<Page> find_page(const std::optional<PageRequest>& request,
                                     const PageSource& source, const PageLimits& limits);

/// The `<set/>` of the answer, after its items; nothing where the specification wants none: an
/// unasked page that is the whole set, and an empty set.
void write_page(XmlWriter& w, const std::optional<PageRequest>& request, const Page& page,
                std::string_view first_id, std::string_view last_id);

}  // namespace interline::xmpp
