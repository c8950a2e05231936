#include "catalog/ordered_index.hpp"

#include <algorithm>
#include <bit>

namespace interline::catalog {
namespace {

constexpr std::size_t kBlock = 512;  // entries at most; a full one is split in two

std::string_view address_of(const Listed* entry) {
  return entry->address;
}

}  // namespace

void OrderedIndex::append(const Listed* entry) {
  if (blocks_.empty() || blocks_.back().size() == kBlock / 2) blocks_.emplace_back();
  blocks_.back().push_back(entry);
  ++size_;
}

void OrderedIndex::seal() {
  recount();
}

OrderedIndex::Place OrderedIndex::lower_bound(std::string_view address) const {
  const auto last = std::ranges::lower_bound(lasts_, address);
  if (last == lasts_.end()) return {blocks_.size(), 0};
  const auto number = static_cast<std::size_t>(last - lasts_.begin());
  const Block& block = blocks_[number];
  const auto entry = std::ranges::lower_bound(block, address, {}, address_of);
  return {number, static_cast<std::size_t>(entry - block.begin())};
}

OrderedIndex::Position OrderedIndex::find(std::string_view address) const {
  const Place place = lower_bound(address);
  Position position;
  position.below = before_block(place.block) + place.offset;
  position.present =
      place.block < blocks_.size() && blocks_[place.block][place.offset]->address == address;
  return position;
}

void OrderedIndex::insert(const Listed* entry) {
  Place place = lower_bound(entry->address);
  ++size_;
  if (place.block == blocks_.size()) {  // behind all others
    if (blocks_.empty()) {
      blocks_.push_back({entry});
      recount();
      return;
    }
    place = {blocks_.size() - 1, blocks_.back().size()};
  }
  Block& block = blocks_[place.block];
  block.insert(block.begin() + static_cast<std::ptrdiff_t>(place.offset), entry);
  if (block.size() <= kBlock) {
    lasts_[place.block] = block.back()->address;
    count(place.block, 1);
    return;
  }
  const auto middle = block.begin() + static_cast<std::ptrdiff_t>(block.size() / 2);
  Block upper(middle, block.end());
  block.erase(middle, block.end());
  blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(place.block) + 1, std::move(upper));
  recount();
}

void OrderedIndex::erase(const Listed* entry) {
  const Place place = lower_bound(entry->address);
  if (place.block == blocks_.size()) return;
  Block& block = blocks_[place.block];
  if (block[place.offset]->address != entry->address) return;
  block.erase(block.begin() + static_cast<std::ptrdiff_t>(place.offset));
  --size_;
  if (!block.empty()) {
    lasts_[place.block] = block.back()->address;
    count(place.block, -1);
    return;
  }
  blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(place.block));
  recount();
}

OrderedIndex::Place OrderedIndex::place_of(std::size_t position) const {
  std::size_t block = 0;  // blocks that end at or before the position
  for (std::size_t step = std::bit_floor(blocks_.size()); step > 0; step /= 2) {
    if (block + step < tree_.size() && tree_[block + step] <= position) {
      block += step;
      position -= tree_[block];
    }
  }
  return {block, position};
}

std::size_t OrderedIndex::before_block(std::size_t block) const {
  std::size_t sum = 0;
  for (; block > 0; block -= block & (~block + 1)) sum += tree_[block];
  return sum;
}

void OrderedIndex::count(std::size_t block, std::ptrdiff_t change) {
  for (std::size_t i = block + 1; i < tree_.size(); i += i & (~i + 1)) {
    tree_[i] += static_cast<std::size_t>(change);
  }
}

void OrderedIndex::recount() {
  lasts_.resize(blocks_.size());
  std::ranges::transform(blocks_, lasts_.begin(),
                         [](const Block& block) { return block.back()->address; });
  tree_.assign(blocks_.size() + 1, 0);
  for (std::size_t i = 1; i < tree_.size(); ++i) {
    tree_[i] += blocks_[i - 1].size();
    const std::size_t parent = i + (i & (~i + 1));
    if (parent < tree_.size()) tree_[parent] += tree_[i];
  }
}

}  // namespace interline::catalog
