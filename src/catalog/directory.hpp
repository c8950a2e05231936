// The directory: endpoints in the order of their names, one index for each visibility class, so
// that a page costs O(log n + page) whatever the number of endpoints. Serves lists, searches and
// counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "policy/policy.hpp"

namespace interline::catalog {

/// A page as XEP-0059 asks for it; other networks use `after` alone.
struct PageRequest {
  enum class Anchor : std::uint8_t { start, after, before, last, index };
  Anchor anchor = Anchor::start;
  std::string id;         ///< of the entry before or behind the page
  std::size_t index = 0;  ///< Anchor::index: position of the first entry
  std::size_t maximum = 50;

  PageRequest() = default;
};

struct DirectoryEntry {
  std::string name;
  std::string title;  ///< "" if the manifest has none
};

struct DirectoryPage {
  std::vector<DirectoryEntry> entries;  ///< ascending, whatever the anchor
  std::size_t first_index = 0;
  std::size_t count = 0;  ///< of all that the class sees (of the search)
};

/// Owned by the engine; thread-safe. Knows active endpoints, and inactive or removed ones only as
/// positions for paging. An endpoint of the home domain is called by its localpart, any other by
/// its whole address; the order is that of the addresses, by octets.
class Directory {
 public:
  /// `home`: the domain of a name without `@`.
  explicit Directory(std::string home = {});
  ~Directory();

  /// Adds or replaces an active endpoint. `agent`: its manifest's stable name, for searches.
  void activate(std::string_view name, std::string title, std::string_view agent = {});
  /// Takes it out of the lists; its position stays known for paging.
  void deactivate(std::string_view name);
  /// Drops what was kept for visibility classes, as those of an older policy are not met again.
  void forget_classes();

  /// not_found: an anchor id that the class cannot know.
  [[nodiscard]] Result<DirectoryPage> list(const policy::VisibilityClass& visibility,
                                           const PageRequest& page) const;
  /// Every white-space separated word is a substring of localpart, title or the agent's own name,
  /// after NFKC and full case folding. Costs one look at each entry of the class. malformed: more
  /// than 256 code points.
  [[nodiscard]] Result<DirectoryPage> search(const policy::VisibilityClass& visibility,
                                             std::string_view words, const PageRequest& page) const;

  /// Work done so far, for tests: entries looked at to build the indexes of classes, and by
  /// searches. A page of a class that was met before adds nothing.
  [[nodiscard]] std::uint64_t entries_looked_at() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace interline::catalog
