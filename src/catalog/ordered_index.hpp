// The endpoints that one visibility class sees, in the order of their addresses, with positions: an
// address's position and the entry at a position in O(log n), at 8 bytes an entry. Blocks of
// pointers, and a Fenwick tree over the blocks' sizes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace interline::catalog {

/// An active endpoint, as the directory keeps it.
struct Listed {
  std::string_view address;  ///< name@domain
  std::size_t name_bytes;    ///< of the address: what the endpoint is called here
  std::string title;
  std::string folded;  ///< localpart, a line feed, and title, folded: what words are looked for in

  [[nodiscard]] std::string_view name() const { return address.substr(0, name_bytes); }
};

/// Entries are not owned; their addresses are distinct and stay as they are.
class OrderedIndex {
 public:
  /// Behind all others: to build an index in order, in O(n). seal() ends that.
  void append(const Listed* entry);
  void seal();

  void insert(const Listed* entry);
  /// By its address; an absent one is nothing to do.
  void erase(const Listed* entry);

  [[nodiscard]] std::size_t size() const { return size_; }
  struct Position {
    std::size_t below = 0;  ///< how many entries are less than the address
    bool present = false;   ///< whether the next one is it
  };
  [[nodiscard]] Position find(std::string_view address) const;

  /// Calls `visit(const Listed&)` for `count` entries from a position on; all of them exist.
  template <class Visit>
  void visit(std::size_t position, std::size_t count, Visit&& visit) const {
    Place place = place_of(position);
    for (; count > 0; --count) {
      visit(*blocks_[place.block][place.offset]);
      if (++place.offset == blocks_[place.block].size()) place = Place{place.block + 1, 0};
    }
  }

 private:
  using Block = std::vector<const Listed*>;
  struct Place {
    std::size_t block;
    std::size_t offset;
  };

  /// The place of the first entry that is not less; the end is {number of blocks, 0}.
  [[nodiscard]] Place lower_bound(std::string_view address) const;
  [[nodiscard]] Place place_of(std::size_t position) const;
  [[nodiscard]] std::size_t before_block(std::size_t block) const;
  void count(std::size_t block, std::ptrdiff_t change);
  void recount();

  std::vector<Block> blocks_;            // none is empty
  std::vector<std::string_view> lasts_;  // the last address of each, side by side for the search
  std::vector<std::size_t> tree_;        // Fenwick, from 1, over the blocks' sizes
  std::size_t size_ = 0;
};

}  // namespace interline::catalog
