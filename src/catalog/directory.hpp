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
/// positions for paging.
class Directory {
 public:
  Directory();
  ~Directory();

  /// Adds or replaces an active endpoint.
  void activate(std::string name, std::string title);
  /// Takes it out of the lists; its position stays known for paging.
  void deactivate(std::string_view name);
  /// Drops what was kept for the classes of an older policy.
  void use(std::shared_ptr<const policy::Policy> policy);

  /// not_found: an anchor id that the class cannot know.
  [[nodiscard]] Result<DirectoryPage> list(policy::VisibilityClass visibility,
                                           const PageRequest& page) const;
  /// Every white-space separated word is a substring of name or title, after NFKC and full case
  /// folding. Costs one look at each entry of the class. malformed: more than 256 code points.
  [[nodiscard]] Result<DirectoryPage> search(policy::VisibilityClass visibility,
                                             std::string_view words, const PageRequest& page) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace interline::catalog
