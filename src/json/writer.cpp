#include "json/writer.hpp"

#include <cassert>
#include <charconv>

#include "json/canonical.hpp"

namespace interline::json {
namespace {

template <class Integer>
void append_integer(std::string& out, Integer number) {
  char digits[24];
  const auto result = std::to_chars(std::begin(digits), std::end(digits), number);
  out.append(digits, result.ptr);
}

}  // namespace

/// The comma before a value that is not the first, nothing after a name.
void Writer::before_value() {
  if (levels_.empty()) {
    assert(first_ && "one text holds one value");
  } else if (levels_.back() == Level::object) {
    assert(named_ && "a member needs its name before its value");
  } else if (!first_) {
    out_ += ',';
  }
  first_ = false;
  named_ = false;
}

void Writer::begin_object() {
  before_value();
  out_ += '{';
  levels_.push_back(Level::object);
  first_ = true;
}

void Writer::end_object() {
  assert(!levels_.empty() && levels_.back() == Level::object && !named_);
  out_ += '}';
  levels_.pop_back();
  first_ = false;
}

void Writer::begin_array() {
  before_value();
  out_ += '[';
  levels_.push_back(Level::array);
  first_ = true;
}

void Writer::end_array() {
  assert(!levels_.empty() && levels_.back() == Level::array);
  out_ += ']';
  levels_.pop_back();
  first_ = false;
}

void Writer::name(std::string_view name) {
  assert(!levels_.empty() && levels_.back() == Level::object && !named_);
  if (!first_) out_ += ',';
  append_string(out_, name);
  out_ += ':';
  named_ = true;
}

void Writer::null() {
  raw("null");
}

void Writer::value(bool boolean) {
  raw(boolean ? "true" : "false");
}

void Writer::value(std::int64_t number) {
  before_value();
  append_integer(out_, number);
}

void Writer::value(std::uint64_t number) {
  before_value();
  append_integer(out_, number);
}

void Writer::value(double number) {
  before_value();
  append_number(out_, number);
}

void Writer::value(std::string_view text) {
  before_value();
  append_string(out_, text);
}

void Writer::raw(std::string_view json) {
  before_value();
  out_ += json;
}

}  // namespace interline::json
