#include "catalog/directory.hpp"

#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "base/utf8.hpp"
#include "catalog/case_fold.hpp"
#include "catalog/ordered_index.hpp"

namespace interline::catalog {
namespace {

constexpr std::size_t kSearchCodePoints = 256;
// Indexes kept, most recently used first: so many classes, of so many entries together.
constexpr std::size_t kClassesKept = 256;
constexpr std::size_t kEntriesKept = 32U << 20U;

/// The first position of the page and how many entries it may have, of `count`.
struct Window {
  std::size_t first;
  std::size_t size;
};

/// `at`: where the anchor stands among the `count` entries.
Window window_of(const PageRequest& page, std::size_t count, const OrderedIndex::Position& at) {
  using Anchor = PageRequest::Anchor;
  const auto forward = [&page, count](std::size_t first) {
    return Window{first, std::min(page.maximum, count - std::min(first, count))};
  };
  const auto backward = [&page](std::size_t end) {
    const std::size_t size = std::min(page.maximum, end);
    return Window{end - size, size};
  };
  switch (page.anchor) {
    case Anchor::start:
      return forward(0);
    case Anchor::after:
      return forward(at.below + (at.present ? 1 : 0));
    case Anchor::before:
      return backward(at.below);
    case Anchor::last:
      return backward(count);
    case Anchor::index:
      return forward(page.index);
  }
  return forward(0);
}

std::vector<std::string> words_of(std::string_view text) {
  const std::string folded = fold_case(text);
  std::vector<std::string> words;
  std::string word;
  for (const char c : folded + ' ') {
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
      word.push_back(c);
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  return words;
}

}  // namespace

struct Directory::State {
  struct Class {
    policy::VisibilityClass visibility;
    OrderedIndex index;
  };

  explicit State(std::string home) : suffix('@' + std::move(home)) {}

  [[nodiscard]] std::string address_of(std::string_view name) const {
    std::string address(name);
    return name.find('@') == std::string_view::npos ? address.append(suffix) : address;
  }

  /// The class's index, built the first time it is asked for and kept up to date from then on.
  [[nodiscard]] const OrderedIndex& index_of(const policy::VisibilityClass& visibility) {
    const auto found = std::ranges::find(classes, visibility, &Class::visibility);
    if (found != classes.end()) {
      classes.splice(classes.begin(), classes, found);
      return classes.front().index;
    }
    OrderedIndex index;
    for (const auto& [address, entry] : active) {
      if (visibility.sees(entry.name())) index.append(&entry);
    }
    index.seal();
    looked_at += active.size();
    classes.push_front(Class{visibility, std::move(index)});
    std::size_t kept = 0;
    std::size_t entries = 0;
    for (auto at = classes.begin(); at != classes.end(); ++at, ++kept) {
      entries += at->index.size();
      if (kept == 0 || (kept < kClassesKept && entries <= kEntriesKept)) continue;
      classes.erase(at, classes.end());
      break;
    }
    return classes.front().index;
  }

  /// Where the page's anchor stands in the class; not_found where the class cannot know it. The
  /// same look-ups are made for a hidden one as for an absent one.
  [[nodiscard]] Result<OrderedIndex::Position> locate(const policy::VisibilityClass& visibility,
                                                      const PageRequest& page,
                                                      const OrderedIndex& index) const {
    OrderedIndex::Position position;
    const bool named =
        page.anchor == PageRequest::Anchor::after || page.anchor == PageRequest::Anchor::before;
    if (!named) return position;
    const std::string address = address_of(page.id);
    position = index.find(address);
    if (position.present) return position;
    const bool gone = inactive.contains(address);
    if (visibility.sees(page.id) && gone) return position;
    return fail(ErrorKind::not_found, "No such entry to page from.");
  }

  const std::string suffix;
  mutable std::mutex mutex;
  std::map<std::string, Listed, std::less<>> active;  // by address
  std::set<std::string, std::less<>> inactive;        // addresses
  std::list<Class> classes;                           // most recently used first
  std::uint64_t looked_at = 0;
};

Directory::Directory(std::string home) : state_(std::make_unique<State>(std::move(home))) {}
Directory::~Directory() = default;

void Directory::forget_classes() {
  const std::lock_guard lock(state_->mutex);
  state_->classes.clear();
}

void Directory::activate(std::string_view name, std::string title, std::string_view agent) {
  const std::lock_guard lock(state_->mutex);
  State& state = *state_;
  std::string searched(name.substr(0, name.find('@')));
  searched.append(1, '\n').append(title).append(1, '\n').append(agent);
  std::string folded = fold_case(searched);
  std::string address = state.address_of(name);
  state.inactive.erase(address);
  const auto [found, fresh] = state.active.try_emplace(std::move(address));
  Listed& entry = found->second;
  entry.title = std::move(title);
  entry.folded = std::move(folded);
  if (!fresh) return;  // the indexes hold the entry itself
  entry.address = found->first;
  entry.name_bytes = name.size();
  for (auto& [visibility, index] : state.classes) {
    if (visibility.sees(name)) index.insert(&entry);
  }
}

void Directory::deactivate(std::string_view name) {
  const std::lock_guard lock(state_->mutex);
  State& state = *state_;
  const std::string address = state.address_of(name);
  state.inactive.insert(address);
  const auto found = state.active.find(address);
  if (found == state.active.end()) return;
  for (auto& [visibility, index] : state.classes) index.erase(&found->second);
  state.active.erase(found);
}

Result<DirectoryPage> Directory::list(const policy::VisibilityClass& visibility,
                                      const PageRequest& page) const {
  const std::lock_guard lock(state_->mutex);
  const OrderedIndex& index = state_->index_of(visibility);
  const auto anchor = state_->locate(visibility, page, index);
  if (!anchor) return std::unexpected(anchor.error());
  DirectoryPage answer;
  answer.count = index.size();
  const Window window = window_of(page, answer.count, *anchor);
  answer.first_index = window.first;
  answer.entries.reserve(window.size);
  index.visit(window.first, window.size, [&answer](const Listed& entry) {
    answer.entries.push_back(DirectoryEntry{std::string(entry.name()), entry.title});
  });
  return answer;
}

Result<DirectoryPage> Directory::search(const policy::VisibilityClass& visibility,
                                        std::string_view words, const PageRequest& page) const {
  if (count_code_points(words) > kSearchCodePoints) {
    return fail(ErrorKind::malformed, "The search text is longer than 256 characters.");
  }
  const std::vector<std::string> wanted = words_of(words);
  if (wanted.empty()) return list(visibility, page);
  const std::lock_guard lock(state_->mutex);
  const OrderedIndex& index = state_->index_of(visibility);
  if (const auto known = state_->locate(visibility, page, index); !known) {
    return std::unexpected(known.error());
  }
  std::vector<const Listed*> found;
  index.visit(0, index.size(), [&wanted, &found](const Listed& entry) {
    const bool all = std::ranges::all_of(wanted, [&entry](const std::string& word) {
      return entry.folded.find(word) != std::string::npos;
    });
    if (all) found.push_back(&entry);
  });
  state_->looked_at += index.size();
  const std::string anchor = state_->address_of(page.id);
  const auto position = std::ranges::lower_bound(
      found, std::string_view(anchor), {}, [](const Listed* entry) { return entry->address; });
  OrderedIndex::Position among;
  among.below = static_cast<std::size_t>(position - found.begin());
  among.present = position != found.end() && (*position)->address == anchor;
  DirectoryPage answer;
  answer.count = found.size();
  const Window window = window_of(page, answer.count, among);
  answer.first_index = window.first;
  for (std::size_t i = window.first; i < window.first + window.size; ++i) {
    answer.entries.push_back(DirectoryEntry{std::string(found[i]->name()), found[i]->title});
  }
  return answer;
}

std::uint64_t Directory::entries_looked_at() const {
  const std::lock_guard lock(state_->mutex);
  return state_->looked_at;
}

}  // namespace interline::catalog
