// The parser itself. Internal to json/; parse.hpp is the way in.
//
// One pass, no recursion. Open arrays and objects are frames on one stack; their finished children
// lie on another and move into the arena, side by side, when the array or object closes. Duplicate
// names are looked for when an object closes; when anything is wrong, also in the objects that are
// still open, so that the error reported is the first one in the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "json/arena.hpp"
#include "json/document.hpp"
#include "json/hash.hpp"
#include "json/parse.hpp"
#include "json/scratch.hpp"
#include "json/value.hpp"

namespace interline::json {

/// The error at that byte of the text, with its line and column.
[[nodiscard]] ParseError locate(std::string_view text, std::size_t offset, ParseErrorCode code);

class Parser {
 public:
  using Storage = Document::Storage;

  /// Parses storage.text, within limits that a Value can represent.
  Parser(Storage& storage, const Limits& limits, Numbers numbers);

  /// Fills storage.root; false with error() set.
  [[nodiscard]] bool run();
  [[nodiscard]] const ParseError& error() const { return error_; }

  [[nodiscard]] static Document finish(std::unique_ptr<Storage> storage) {
    return Document(std::move(storage));
  }

 private:
  /// An array or object that is open.
  struct Frame {
    const char* source;    ///< its opening bracket
    std::size_t slot;      ///< where in scratch_ its own Value stands
    std::size_t children;  ///< where in scratch_ its children begin
    std::uint32_t count;   ///< elements or members begun
    Kind kind;
  };

  /// A string or name that was read: unescaped, and the byte after it; nullptr if it is bad.
  struct Text {
    const char* end = nullptr;
    const char* data = nullptr;
    std::uint32_t size = 0;
  };

  // These return the byte after what they read, or nullptr with error_ set.
  [[nodiscard]] const char* read_value(const char* at);
  [[nodiscard]] const char* read_literal(const char* at, Value& slot);
  [[nodiscard]] const char* read_number(const char* at, Value& slot);
  [[nodiscard]] const char* read_string(const char* at, Value& slot);
  [[nodiscard]] const char* read_name(const char* at);
  [[nodiscard]] Text read_text(const char* at);
  [[nodiscard]] Text read_any_text(const char* begin);
  [[nodiscard]] const char* open(const char* at, Kind kind);
  [[nodiscard]] const char* close(const char* at);

  [[nodiscard]] Value* begin_value(const char* at);
  [[nodiscard]] bool store_members(const Frame& frame, Value& value);
  void store_items(const Frame& frame, Value& value);

  [[nodiscard]] bool nested() const { return frames_.size() != 0; }
  [[nodiscard]] Frame& top() {
    return *reinterpret_cast<Frame*>(frames_.data() + frames_.size() - sizeof(Frame));
  }
  [[nodiscard]] Value& slot_at(std::size_t offset) {
    return *reinterpret_cast<Value*>(scratch_.data() + offset);
  }

  const char* fail(ParseErrorCode code, const char* at);
  bool stop(ParseErrorCode code, const char* at);
  const char* bad_byte(const char* at);
  [[nodiscard]] const char* earliest_duplicate(const char* before);

  const char* const begin_;
  const char* const end_;
  const Limits limits_;
  const Numbers numbers_;
  Storage& storage_;
  const SipKey key_ = name_key();
  std::size_t nodes_left_;
  std::size_t depth_left_;
  ParseError error_{};
  detail::Scratch<4096> scratch_;
  detail::Scratch<1024> frames_;
};

}  // namespace interline::json
