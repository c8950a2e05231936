#include "json/parser.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "json/name_index.hpp"
#include "json/scan.hpp"
#include "json/text_scanner.hpp"

namespace interline::json {

using detail::skip_space;

Parser::Parser(Storage& storage, const Limits& limits, Numbers numbers)
    : begin_(storage.text.data()),
      end_(begin_ + storage.text.size()),
      limits_(limits),
      numbers_(numbers),
      storage_(storage),
      nodes_left_(limits.nodes),
      depth_left_(limits.depth) {}

bool Parser::run() {
  const char* at = begin_;
  for (;;) {
    // A value is due.
    at = skip_space(at, end_);
    if (at == end_) return stop(ParseErrorCode::unexpected_end, at);
    const std::size_t depth = frames_.size();
    at = read_value(at);
    if (at == nullptr) return false;
    if (frames_.size() > depth) continue;  // into a non-empty array or object

    // A value has ended: what closes with it, and is there another?
    for (;;) {
      at = skip_space(at, end_);
      if (!nested()) {
        if (at != end_) return stop(ParseErrorCode::trailing_data, at);
        storage_.root = slot_at(0);
        return true;
      }
      if (at == end_) return stop(ParseErrorCode::unexpected_end, at);
      const bool object = top().kind == Kind::object;
      if (*at == ',') {
        ++at;
        if (object && (at = read_name(skip_space(at, end_))) == nullptr) return false;
        break;
      }
      if (*at != (object ? '}' : ']')) return stop(ParseErrorCode::syntax, at);
      if ((at = close(at)) == nullptr) return false;
    }
  }
}

/// The place of a value that begins at `at`, null so far; nullptr where there may be no more.
inline Value* Parser::begin_value(const char* at) {
  Frame* const frame = nested() ? &top() : nullptr;
  const bool element = frame != nullptr && frame->kind == Kind::array;
  if (element && frame->count == limits_.elements) {
    fail(ParseErrorCode::too_many_elements, at);
    return nullptr;
  }
  if (nodes_left_ == 0) {
    fail(ParseErrorCode::too_many_nodes, at);
    return nullptr;
  }
  --nodes_left_;
  if (frame != nullptr && !element) return &slot_at(scratch_.size() - sizeof(Member));
  if (element) ++frame->count;
  return new (scratch_.push<Value>()) Value;
}

/// A whole scalar or empty container, or the opening of any other, up to where a value is due.
const char* Parser::read_value(const char* at) {
  switch (*at) {
    case '"': {
      Value* const slot = begin_value(at);
      return slot == nullptr ? nullptr : read_string(at, *slot);
    }
    case '{':
      return open(at, Kind::object);
    case '[':
      return open(at, Kind::array);
    case 't':
    case 'f':
    case 'n': {
      Value* const slot = begin_value(at);
      return slot == nullptr ? nullptr : read_literal(at, *slot);
    }
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9': {
      Value* const slot = begin_value(at);
      return slot == nullptr ? nullptr : read_number(at, *slot);
    }
    default:
      return bad_byte(at);
  }
}

const char* Parser::read_literal(const char* at, Value& slot) {
  const std::string_view word = *at == 't' ? "true" : *at == 'f' ? "false" : "null";
  for (std::size_t i = 1; i < word.size(); ++i) {
    if (at + i == end_) return fail(ParseErrorCode::unexpected_end, end_);
    if (at[i] != word[i]) return bad_byte(at + i);
  }
  slot.source_ = at;
  slot.source_size_ = static_cast<std::uint32_t>(word.size());
  if (*at != 'n') {
    slot.kind_ = Kind::boolean;
    slot.boolean_ = *at == 't';
  }
  return at + word.size();
}

const char* Parser::read_number(const char* at, Value& slot) {
  const detail::ScannedNumber number = detail::scan_number(at, end_, limits_.number_bytes);
  if (number.end == nullptr) return fail(number.code, number.error_at);
  if (std::isinf(number.value) && numbers_ == Numbers::ieee754) {
    return fail(ParseErrorCode::number_overflow, at);
  }
  slot.kind_ = Kind::number;
  slot.number_ = number.value;
  slot.size_ = (number.small_integer ? Value::kSmallInteger : 0U) |
               (number.canonical ? Value::kCanonicalText : 0U) |
               (number.padded ? Value::kPaddedText : 0U);
  slot.source_ = at;
  slot.source_size_ = static_cast<std::uint32_t>(number.end - at);
  return number.end;
}

const char* Parser::read_string(const char* at, Value& slot) {
  const Text text = read_text(at);
  if (text.end == nullptr) return nullptr;
  slot.kind_ = Kind::string;
  slot.text_ = text.data;
  slot.size_ = text.size & Value::kLargestSize;
  slot.source_ = at;
  slot.source_size_ = static_cast<std::uint32_t>(text.end - at);
  return text.end;
}

/// A name and its colon; its Member has an empty place for the value.
const char* Parser::read_name(const char* at) {
  if (at == end_) return fail(ParseErrorCode::unexpected_end, at);
  if (*at != '"') return bad_byte(at);
  Frame& frame = top();
  if (frame.count == limits_.members) return fail(ParseErrorCode::too_many_members, at);
  const Text text = read_text(at);
  if (text.end == nullptr) return nullptr;
  ++frame.count;
  auto* const member = new (scratch_.push<Member>()) Member;
  member->name_text = text.data;
  member->name_size = text.size;
  member->name_hash = name_hash(key_, member->name());
  at = skip_space(text.end, end_);
  if (at == end_) return fail(ParseErrorCode::unexpected_end, at);
  if (*at != ':') return bad_byte(at);
  return at + 1;
}

/// The text of a string or name whose opening quote is at `at`; most hold nothing but plain ASCII.
inline Parser::Text Parser::read_text(const char* at) {
  const char* const begin = at + 1;
  const char* const stop = detail::skip_plain(begin, end_);
  const auto size = static_cast<std::size_t>(stop - begin);
  if (stop != end_ && *stop == '"' && size <= limits_.string_bytes) [[likely]] {
    return {stop + 1, begin, static_cast<std::uint32_t>(size)};
  }
  return read_any_text(begin);
}

Parser::Text Parser::read_any_text(const char* begin) {
  const detail::ScannedString string = detail::scan_string(begin, end_, limits_.string_bytes);
  if (string.end == nullptr) {
    fail(string.code, string.error_at);
    return {};
  }
  const auto size = static_cast<std::uint32_t>(string.size);
  if (!string.escaped) return {string.end, begin, size};
  // The byte before an unescaped text is no quote, as it is before one that was left in its place:
  // so the canonical writer knows which names it may copy as they stand.
  auto* const stored = static_cast<char*>(storage_.arena.allocate(string.size + 1));
  *stored = kStoredMark;
  detail::unescape(begin, string.end - 1, stored + 1);
  return {string.end, stored + 1, size};
}

/// An array or object; closes it at once if it is empty, reads the first name of an object.
const char* Parser::open(const char* at, Kind kind) {
  Value* const slot = begin_value(at);
  if (slot == nullptr) return nullptr;
  if (depth_left_ == 0) return fail(ParseErrorCode::too_deep, at);
  const auto offset = static_cast<std::size_t>(reinterpret_cast<char*>(slot) - scratch_.data());
  const char* const next = skip_space(at + 1, end_);
  if (next == end_) return fail(ParseErrorCode::unexpected_end, next);
  if (*next == (kind == Kind::object ? '}' : ']')) {
    slot->kind_ = kind;
    if (kind == Kind::object) {
      slot->members_ = nullptr;
    } else {
      slot->items_ = nullptr;
    }
    slot->source_ = at;
    slot->source_size_ = static_cast<std::uint32_t>(next + 1 - at);
    return next + 1;
  }
  --depth_left_;
  new (frames_.push<Frame>()) Frame{at, offset, scratch_.size(), 0, kind};
  return kind == Kind::object ? read_name(next) : next;
}

const char* Parser::close(const char* at) {
  const Frame frame = top();
  Value& value = slot_at(frame.slot);
  if (frame.kind == Kind::array) {
    store_items(frame, value);
  } else if (!store_members(frame, value)) {
    return fail(ParseErrorCode::duplicate_name, at);
  }
  value.kind_ = frame.kind;
  value.size_ = frame.count & Value::kLargestSize;
  value.source_ = frame.source;
  value.source_size_ = static_cast<std::uint32_t>(at + 1 - frame.source);
  scratch_.shrink_to(frame.children);
  frames_.shrink_to(frames_.size() - sizeof(Frame));
  ++depth_left_;
  return at + 1;
}

void Parser::store_items(const Frame& frame, Value& value) {
  const std::span<const Value> items(&slot_at(frame.children), frame.count);
  auto* const stored = static_cast<Value*>(storage_.arena.allocate(items.size_bytes()));
  std::uninitialized_copy(items.begin(), items.end(), stored);
  value.items_ = stored;
}

/// False if a name occurs twice.
bool Parser::store_members(const Frame& frame, Value& value) {
  const std::span<const Member> members(reinterpret_cast<Member*>(scratch_.data() + frame.children),
                                        frame.count);
  const std::size_t slots = detail::slot_count(members.size());
  if (slots == 0 && detail::first_duplicate_scanned(members) != members.size()) return false;
  auto* const memory = static_cast<char*>(
      storage_.arena.allocate(slots * sizeof(std::uint32_t) + members.size_bytes()));
  if (slots != 0) {
    const std::span<std::uint32_t> index(reinterpret_cast<std::uint32_t*>(memory), slots);
    std::ranges::fill(index, 0U);
    if (detail::first_duplicate_indexed(members, index) != members.size()) return false;
  }
  auto* const stored = reinterpret_cast<Member*>(memory + slots * sizeof(std::uint32_t));
  std::uninitialized_copy(members.begin(), members.end(), stored);
  value.members_ = stored;
  return true;
}

/// Always nullptr. What is reported is the first error of the text: duplicate names in objects
/// that are open (or closing) have not been looked for, and come before `at`.
[[gnu::cold]] const char* Parser::fail(ParseErrorCode code, const char* at) {
  if (const char* const duplicate = earliest_duplicate(at); duplicate != at) {
    code = ParseErrorCode::duplicate_name;
    at = duplicate;
  }
  error_ = locate(storage_.text, static_cast<std::size_t>(at - begin_), code);
  return nullptr;
}

[[gnu::cold]] bool Parser::stop(ParseErrorCode code, const char* at) {
  fail(code, at);
  return false;
}

[[gnu::cold]] const char* Parser::bad_byte(const char* at) {
  return fail(ParseErrorCode::syntax, at);
}

/// The opening quote of the first name that is a duplicate in its open object; else `before`.
const char* Parser::earliest_duplicate(const char* before) {
  std::vector<std::uint32_t> slots;
  for (std::size_t i = 0; i < frames_.size(); i += sizeof(Frame)) {
    const Frame& frame = *reinterpret_cast<const Frame*>(frames_.data() + i);
    if (frame.kind != Kind::object || frame.count < 2) continue;
    const std::span<const Member> members(
        reinterpret_cast<const Member*>(scratch_.data() + frame.children), frame.count);
    slots.assign(detail::slot_count(members.size()), 0);
    const std::size_t found = slots.empty() ? detail::first_duplicate_scanned(members)
                                            : detail::first_duplicate_indexed(members, slots);
    if (found == members.size()) continue;
    // A name stands after the value before it and a comma; its own place was not kept.
    const std::string_view previous = members[found - 1].value.source();
    const char* const comma = skip_space(previous.data() + previous.size(), end_);
    before = std::min(before, skip_space(comma + 1, end_));
  }
  return before;
}

}  // namespace interline::json
