// The parser's stacks. Internal to json/.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>

namespace interline::json::detail {

/// A stack of plain bytes, taken and given back in multiples of 8, that starts in a buffer of its
/// own and moves to the heap when it outgrows it.
template <std::size_t inline_bytes>
class Scratch {
 public:
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::free(heap_); }

  /// Room for one more T on top, with indeterminate content.
  template <class T>
  [[nodiscard]] void* push() {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 8 == 0 && alignof(T) <= 8);
    if (capacity_ - size_ < sizeof(T)) [[unlikely]]
      grow();
    void* const result = data_ + size_;
    size_ += sizeof(T);
    return result;
  }

  [[nodiscard]] char* data() { return data_; }
  [[nodiscard]] const char* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  void shrink_to(std::size_t size) { size_ = size; }

 private:
  [[gnu::noinline]] void grow() {
    const std::size_t capacity = 2 * capacity_;
    void* const grown = std::realloc(heap_, capacity);
    if (grown == nullptr) throw std::bad_alloc();
    if (heap_ == nullptr) std::memcpy(grown, inline_, size_);
    heap_ = grown;
    data_ = static_cast<char*>(grown);
    capacity_ = capacity;
  }

  char* data_ = inline_;
  std::size_t size_ = 0;
  std::size_t capacity_ = inline_bytes;
  void* heap_ = nullptr;
  alignas(8) char inline_[inline_bytes];
};

}  // namespace interline::json::detail
