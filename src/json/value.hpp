// A parsed JSON text: Document owns it, Value looks at it.
//
// Values are immutable and small, and live as long as the Document they came from. Each remembers
// the exact bytes it was parsed from, so that JSON which only passes through keeps its own text,
// integers beyond 2^53 included. Nothing here builds or changes JSON: what is new is written with
// json::Writer (writer.hpp), and a Value enters it by its source bytes or canonically.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace interline::json {

enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

/// The word of JSON Schema's `type`: "null", "boolean", "number", "string", "array", "object".
[[nodiscard]] std::string_view to_string(Kind kind);

struct Member;

/// Stands before a name that had escapes and was stored unescaped, where others have their quote.
inline constexpr char kStoredMark = '\\';

/// One value inside a Document. Copying copies the view, not the data. Accessors named `as_` and
/// `items`/`members` require the matching kind (checked by assert); the `get_` forms do not.
class Value {
 public:
  Value() = default;  ///< null, with an empty source
  /// A string that was not parsed: a view of `text`, valid UTF-8, with an empty source. For testing
  /// a text, such as a member's name, with what tests values.
  [[nodiscard]] static Value of_text(std::string_view text) {
    assert(text.size() <= kLargestSize);
    Value value;
    value.text_ = text.data();
    value.size_ = static_cast<std::uint32_t>(text.size()) & kLargestSize;
    value.kind_ = Kind::string;
    return value;
  }

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is_null() const { return kind_ == Kind::null; }
  [[nodiscard]] bool is_boolean() const { return kind_ == Kind::boolean; }
  [[nodiscard]] bool is_number() const { return kind_ == Kind::number; }
  [[nodiscard]] bool is_string() const { return kind_ == Kind::string; }
  [[nodiscard]] bool is_array() const { return kind_ == Kind::array; }
  [[nodiscard]] bool is_object() const { return kind_ == Kind::object; }

  [[nodiscard]] bool as_bool() const {
    assert(is_boolean());
    return boolean_;
  }
  /// Nearest double. With Numbers::faithful an overflowing number reads as an infinity.
  [[nodiscard]] double as_double() const {
    assert(is_number());
    return number_;
  }
  /// The number as written; equal to source().
  [[nodiscard]] std::string_view as_number_text() const {
    assert(is_number());
    return source();
  }
  /// Unescaped UTF-8.
  [[nodiscard]] std::string_view as_string() const {
    assert(is_string());
    return {text_, size_};
  }
  [[nodiscard]] std::span<const Value> items() const {
    assert(is_array());
    return {items_, size_};
  }
  /// In the order of the text. Names are unique.
  [[nodiscard]] std::span<const Member> members() const;

  /// Element or member count; 0 for everything that is neither array nor object.
  [[nodiscard]] std::size_t size() const { return is_array() || is_object() ? size_ : 0; }

  /// The member of that name; nullptr if there is none or this is no object. Small objects are
  /// scanned, large ones have an index: constant time on average, whatever the names.
  [[nodiscard]] const Value* find(std::string_view name) const;
  /// The same for a name whose name_hash (hash.hpp) was computed before.
  [[nodiscard]] const Value* find(std::string_view name, std::uint32_t hash) const;

  [[nodiscard]] std::optional<bool> get_bool() const {
    return is_boolean() ? std::optional(boolean_) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> get_double() const {
    return is_number() ? std::optional(number_) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::string_view> get_string() const {
    return is_string() ? std::optional(as_string()) : std::nullopt;
  }
  /// The number as an exact integer: 12, 12.0 and 1.2e1 are integers, 0.5 and 2^63 are nothing.
  [[nodiscard]] std::optional<std::int64_t> get_int64() const;

  /// The bytes this value was parsed from, without surrounding white space.
  [[nodiscard]] std::string_view source() const { return {source_, source_size_}; }

 private:
  friend class Parser;
  friend class CanonicalWriter;

  static constexpr std::uint32_t kLargestSize = (1U << 28U) - 1;
  // Bits in size_ of a number.
  static constexpr std::uint32_t kSmallInteger = 1;   ///< an integer literal up to 2^53: exact
  static constexpr std::uint32_t kCanonicalText = 2;  ///< its text is its canonical form
  static constexpr std::uint32_t kPaddedText = 4;     ///< but for zeros that end its fraction

  union {
    bool boolean_;
    double number_ = 0;
    const char* text_;       // string: unescaped bytes, size_ of them
    const Value* items_;     // array: size_ of them
    const Member* members_;  // object: size_ of them; large ones have an index before them
  };
  const char* source_ = nullptr;
  std::uint32_t source_size_ = 0;
  std::uint32_t size_ : 28 = 0;  // of a number: bits, see above
  Kind kind_ : 4 = Kind::null;
};

/// One name and value of an object.
struct Member {
  /// Unescaped UTF-8.
  [[nodiscard]] std::string_view name() const { return {name_text, name_size}; }

  Value value;
  const char* name_text = nullptr;  ///< after the opening quote in the text, or after kStoredMark
  std::uint32_t name_size = 0;
  std::uint32_t name_hash = 0;  ///< keyed; see hash.hpp
};

inline std::span<const Member> Value::members() const {
  assert(is_object());
  return {members_, size_};
}

/// JSON Schema's equality: objects without order, strings by code point, numbers by value. The
/// value of a number is its nearest double, as in I-JSON; only where that is 2^53 or more in
/// magnitude, or an infinity, are the numbers compared as exact decimals, so that two large
/// integers that merely share a double stay different. (Exponents beyond 18 digits are equal only
/// as the same text.) No recursion.
[[nodiscard]] bool equal(const Value& a, const Value& b);

/// Owns a parsed text and everything its Values point to. Movable; Values stay valid when moved.
class Document {
 public:
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

  [[nodiscard]] const Value& root() const { return *root_; }
  /// The text, as parsed.
  [[nodiscard]] std::string_view text() const;
  /// Heap bytes held.
  [[nodiscard]] std::size_t memory() const;

 private:
  friend class Parser;
  struct Storage;
  explicit Document(std::unique_ptr<Storage> storage);
  std::unique_ptr<Storage> storage_;
  const Value* root_ = nullptr;
};

}  // namespace interline::json
