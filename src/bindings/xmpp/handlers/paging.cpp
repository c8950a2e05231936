#include "bindings/xmpp/handlers/paging.hpp"

#include <algorithm>

#include "bindings/xmpp/xml_writer.hpp"

namespace interline::xmpp {
namespace {

using Anchor = PageRequest::Anchor;
using catalog::DirectoryEntry;

catalog::PageRequest::Anchor directory_anchor(Anchor anchor) {
  using To = catalog::PageRequest::Anchor;
  constexpr To kAnchors[] = {To::start, To::after, To::before, To::last, To::index};
  return kAnchors[static_cast<std::size_t>(anchor)];
}

// `<item jid='' name=''/>` with its angle brackets and quotes as a server may write them.
constexpr std::size_t kItemBytes = 64;

std::size_t wire_size(const Services& services, const DirectoryEntry& entry) {
  return kItemBytes + text_wire_size(jid_of(services, entry.name)) + text_wire_size(entry.title) +
         text_wire_size(entry.name);
}

}  // namespace

Result<catalog::PageRequest> to_directory(const Services& services,
                                          const std::optional<PageRequest>& asked) {
  catalog::PageRequest page;
  const PageLimits& limits = services.config.page;
  page.maximum = limits.most;
  if (!asked) return page;
  page.anchor = directory_anchor(asked->anchor);
  page.index = asked->index;
  page.maximum = std::min(asked->max.value_or(limits.usual), limits.most);
  const bool named = asked->anchor == Anchor::after || asked->anchor == Anchor::before;
  if (!named) return page;
  const auto jid = Jid::parse(asked->id);
  if (!jid || !jid->is_bare() || !jid->has_localpart()) {
    return absent();
  }
  const bool ours = jid->domain() == services.domain.jid().text();
  page.id = std::string(ours ? jid->localpart() : std::string_view(jid->text()));
  return page;
}

Page fit_page(const Services& services, const std::optional<PageRequest>& asked,
              catalog::DirectoryPage& found) {
  const bool backwards = asked && (asked->anchor == Anchor::before || asked->anchor == Anchor::end);
  auto& entries = found.entries;
  std::size_t bytes = 0;
  std::size_t kept = 0;
  for (; kept < entries.size(); ++kept) {
    bytes += wire_size(services, backwards ? entries[entries.size() - 1 - kept] : entries[kept]);
    if (kept > 0 && bytes > services.config.page.bytes) break;
  }
  if (backwards) {
    found.first_index += entries.size() - kept;
    entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(kept));
  } else {
    entries.resize(kept);
  }
  Page page;
  page.begin = found.first_index;
  page.end = found.first_index + kept;
  page.total = found.count;
  return page;
}

}  // namespace interline::xmpp
