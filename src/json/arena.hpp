// Memory of one Document: blocks that grow geometrically and are freed together. Internal to json/.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

namespace interline::json::detail {

/// Hands out 8-byte aligned memory. The first block belongs to someone else (the Document's own
/// allocation), so that a small text costs one allocation in all.
class Arena {
 public:
  Arena(char* first, std::size_t size) : at_(first), left_(size), held_(size) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() {
    while (blocks_ != nullptr) {
      Block* const next = blocks_->next;
      std::free(blocks_);
      blocks_ = next;
    }
  }

  [[nodiscard]] void* allocate(std::size_t bytes) {
    bytes = (bytes + 7U) & ~std::size_t{7};
    if (bytes > left_) [[unlikely]]
      return allocate_block(bytes);
    char* const result = at_;
    at_ += bytes;
    left_ -= bytes;
    return result;
  }

  /// Bytes in all blocks, used or not.
  [[nodiscard]] std::size_t held() const { return held_; }

 private:
  struct Block {
    Block* next;
  };
  static constexpr std::size_t kLargestStep = std::size_t{1} << 20U;

  [[gnu::noinline]] void* allocate_block(std::size_t bytes) {
    // What does not fit goes to a new block as large as all so far, within bounds: a few
    // allocations for any text, and never much more memory than it needs.
    const std::size_t step = held_ < kLargestStep ? held_ : kLargestStep;
    const bool own_block = bytes > step / 2;  // the rest of the present block stays in use
    const std::size_t size = own_block ? bytes : step;
    auto* const block = static_cast<Block*>(std::malloc(sizeof(Block) + size));
    if (block == nullptr) throw std::bad_alloc();
    block->next = blocks_;
    blocks_ = block;
    held_ += size;
    char* const data = reinterpret_cast<char*>(block + 1);
    if (own_block) return data;
    at_ = data + bytes;
    left_ = size - bytes;
    return data;
  }

  char* at_;
  std::size_t left_;
  std::size_t held_;
  Block* blocks_ = nullptr;
};

}  // namespace interline::json::detail
