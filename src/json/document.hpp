// What a Document owns. Internal to json/.
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <string_view>

#include "json/arena.hpp"
#include "json/value.hpp"

namespace interline::json {

/// Bytes of the arena's first block, which is allocated together with the Storage.
struct BlockBytes {
  std::size_t value;
};

/// Made by `new (BlockBytes{n}) Storage(BlockBytes{n})`: one allocation for a small text.
struct Document::Storage {
  explicit Storage(BlockBytes block)
      : arena(reinterpret_cast<char*>(this) + sizeof(Storage), block.value) {}

  static void* operator new(std::size_t size, BlockBytes block) {
    return ::operator new(size + block.value);
  }
  static void operator delete(void* memory) { ::operator delete(memory); }
  static void operator delete(void* memory, BlockBytes /*block*/) { ::operator delete(memory); }

  detail::Arena arena;
  std::string owned_text;  ///< where the caller gave the text away
  std::string_view text;   ///< what was parsed, wherever it lies
  Value root;
};

}  // namespace interline::json
