#include "catalog/directory.hpp"

#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>

#include <ext/pb_ds/assoc_container.hpp>
#include <ext/pb_ds/tree_policy.hpp>

#include "base/utf8.hpp"
#include "catalog/case_fold.hpp"

namespace interline::catalog {
namespace {

constexpr std::size_t kSearchCodePoints = 256;
constexpr std::size_t kClassesKept = 64;

struct Entry {
  std::string name;
  std::string title;
  std::string folded;  // name, a line feed, and title, folded: what words are looked for in
};

/// The order of the endpoints' addresses, name@domain, by octets (ProtoXEP, "Listing Agent
/// Endpoints"): that of the names, but for "@", which is greater than "-" and ".".
struct ByName {
  static bool less(std::string_view a, std::string_view b) {
    const std::size_t common = std::min(a.size(), b.size());
    if (const int order = a.substr(0, common).compare(b.substr(0, common)); order != 0) {
      return order < 0;
    }
    const char next_a = a.size() > common ? a[common] : '@';
    const char next_b = b.size() > common ? b[common] : '@';
    if (next_a != next_b) {
      return static_cast<unsigned char>(next_a) < static_cast<unsigned char>(next_b);
    }
    return a.size() < b.size();
  }
  bool operator()(const Entry* a, const Entry* b) const { return less(a->name, b->name); }
};

/// A red-black tree that also knows each node's position: position of a name and name at a position
/// in O(log n).
using Index = __gnu_pbds::tree<const Entry*, __gnu_pbds::null_type, ByName, __gnu_pbds::rb_tree_tag,
                               __gnu_pbds::tree_order_statistics_node_update>;

/// The first position of the page and how many entries it may have, of `count`.
struct Window {
  std::size_t first;
  std::size_t size;
};

/// `below`: entries whose name is less than the anchor's; `present`: the anchor is one of them.
Window window_of(const PageRequest& page, std::size_t count, std::size_t below, bool present) {
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
      return forward(below + (present ? 1 : 0));
    case Anchor::before:
      return backward(below);
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
  using Classes = std::list<std::pair<policy::VisibilityClass, Index>>;

  /// The class's index, built the first time it is asked for and kept up to date from then on.
  [[nodiscard]] const Index& index_of(policy::VisibilityClass visibility) {
    const auto found = std::ranges::find(classes, visibility, &Classes::value_type::first);
    if (found != classes.end()) {
      classes.splice(classes.begin(), classes, found);
      return classes.front().second;
    }
    if (classes.size() == kClassesKept) classes.pop_back();
    classes.emplace_front(visibility, Index());
    Index& index = classes.front().second;
    for (const auto& [name, entry] : active) {
      if (rules->class_sees(visibility, name)) index.insert(&entry);
    }
    return index;
  }

  /// Position of an anchor's name; not_found where the class cannot know the name.
  [[nodiscard]] Result<void> locate(policy::VisibilityClass visibility, const PageRequest& page,
                                    const Index& index, std::size_t& below, bool& present) const {
    const bool named =
        page.anchor == PageRequest::Anchor::after || page.anchor == PageRequest::Anchor::before;
    if (!named) return {};
    const Entry anchor{page.id, {}, {}};
    below = index.order_of_key(&anchor);
    present = index.find(&anchor) != index.end();
    const bool known =
        present || (inactive.contains(page.id) && rules->class_sees(visibility, page.id));
    if (!known) return fail(ErrorKind::not_found, "No such entry to page from.");
    return {};
  }

  mutable std::mutex mutex;
  std::shared_ptr<const policy::Policy> rules;
  std::map<std::string, Entry, std::less<>> active;
  std::set<std::string, std::less<>> inactive;
  Classes classes;  // most recently used first
};

Directory::Directory() : state_(std::make_unique<State>()) {}
Directory::~Directory() = default;

void Directory::use(std::shared_ptr<const policy::Policy> policy) {
  const std::lock_guard lock(state_->mutex);
  state_->rules = std::move(policy);
  state_->classes.clear();
}

void Directory::activate(std::string name, std::string title) {
  const std::lock_guard lock(state_->mutex);
  State& state = *state_;
  if (const auto gone = state.inactive.find(name); gone != state.inactive.end()) {
    state.inactive.erase(gone);
  }
  Entry entry{name, std::move(title), {}};
  entry.folded = fold_case(entry.name + '\n' + entry.title);
  const auto [found, fresh] = state.active.insert_or_assign(std::move(name), std::move(entry));
  if (!fresh) return;  // the indexes hold the entry itself
  for (auto& [visibility, index] : state.classes) {
    if (state.rules->class_sees(visibility, found->first)) index.insert(&found->second);
  }
}

void Directory::deactivate(std::string_view name) {
  const std::lock_guard lock(state_->mutex);
  State& state = *state_;
  state.inactive.emplace(name);
  const auto found = state.active.find(name);
  if (found == state.active.end()) return;
  for (auto& [visibility, index] : state.classes) index.erase(&found->second);
  state.active.erase(found);
}

Result<DirectoryPage> Directory::list(policy::VisibilityClass visibility,
                                      const PageRequest& page) const {
  const std::lock_guard lock(state_->mutex);
  const Index& index = state_->index_of(visibility);
  std::size_t below = 0;
  bool present = false;
  if (auto located = state_->locate(visibility, page, index, below, present); !located) {
    return std::unexpected(std::move(located.error()));
  }
  DirectoryPage answer;
  answer.count = index.size();
  const Window window = window_of(page, answer.count, below, present);
  answer.first_index = window.first;
  auto at = index.find_by_order(window.first);
  for (std::size_t i = 0; i < window.size; ++i, ++at) {
    answer.entries.push_back(DirectoryEntry{(*at)->name, (*at)->title});
  }
  return answer;
}

Result<DirectoryPage> Directory::search(policy::VisibilityClass visibility, std::string_view words,
                                        const PageRequest& page) const {
  if (count_code_points(words) > kSearchCodePoints) {
    return fail(ErrorKind::malformed, "The search text is longer than 256 characters.");
  }
  const std::vector<std::string> wanted = words_of(words);
  if (wanted.empty()) return list(visibility, page);
  const std::lock_guard lock(state_->mutex);
  const Index& index = state_->index_of(visibility);
  std::vector<const Entry*> found;
  for (const Entry* entry : index) {
    const bool all = std::ranges::all_of(wanted, [entry](const std::string& word) {
      return entry->folded.find(word) != std::string::npos;
    });
    if (all) found.push_back(entry);
  }
  std::size_t below = 0;
  bool present = false;
  if (auto located = state_->locate(visibility, page, index, below, present); !located) {
    return std::unexpected(std::move(located.error()));
  }
  const Entry anchor{page.id, {}, {}};
  const auto position = std::ranges::lower_bound(found, &anchor, ByName());
  below = static_cast<std::size_t>(position - found.begin());
  present = position != found.end() && (*position)->name == page.id;
  DirectoryPage answer;
  answer.count = found.size();
  const Window window = window_of(page, answer.count, below, present);
  answer.first_index = window.first;
  for (std::size_t i = window.first; i < window.first + window.size; ++i) {
    answer.entries.push_back(DirectoryEntry{found[i]->name, found[i]->title});
  }
  return answer;
}

}  // namespace interline::catalog
