#include "net/http/chunked.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "net/http/text.hpp"

namespace interline::net::http {
namespace {

constexpr unsigned kMaxDigits = 15;  // a chunk below 2^60 bytes
constexpr std::size_t kMaxOverhead = std::size_t{8} * 1024;

}  // namespace

bool ChunkDecoder::take_size(char c) {
  if (const int digit = hex_value(c); digit >= 0) {
    left_ = left_ * 16 + static_cast<unsigned>(digit);
    return ++digits_ <= kMaxDigits;
  }
  if (digits_ == 0) return false;
  if (c == ';' || c == ' ' || c == '\t') {
    state_ = State::extension;
    return true;
  }
  state_ = State::size_end;
  return c == '\r';
}

bool ChunkDecoder::take(char c) {
  switch (state_) {
    case State::size:
      return take_size(c);
    case State::extension:
      if (c == '\r') {
        state_ = State::size_end;
        return true;
      }
      return is_field_value(std::string_view(&c, 1)) && ++overhead_ <= kMaxOverhead;
    case State::size_end:
      state_ = left_ == 0 ? State::trailer_begin : State::data;
      return c == '\n';
    case State::data_cr:
      state_ = State::data_lf;
      return c == '\r';
    case State::data_lf:
      state_ = State::size;
      digits_ = 0;
      return c == '\n';
    case State::trailer_begin:
      state_ = c == '\r' ? State::last_lf : State::trailer;
      return c == '\r' || (is_token(std::string_view(&c, 1)) && ++overhead_ <= kMaxOverhead);
    case State::trailer:
      if (c == '\r') {
        state_ = State::trailer_lf;
        return true;
      }
      return is_field_value(std::string_view(&c, 1)) && ++overhead_ <= kMaxOverhead;
    case State::trailer_lf:
      state_ = State::trailer_begin;
      return c == '\n';
    case State::last_lf:
      state_ = State::done;
      return c == '\n';
    case State::data:
    case State::done:
      break;
  }
  return false;
}

Parsed<ChunkDecoder::Step> ChunkDecoder::step(std::string_view input) {
  Step step;
  while (state_ != State::done && step.consumed < input.size()) {
    if (state_ == State::data) {
      const std::string_view rest = input.substr(step.consumed);
      step.data =
          rest.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left_, rest.size())));
      step.consumed += step.data.size();
      left_ -= step.data.size();
      if (left_ == 0) state_ = State::data_cr;
      break;
    }
    if (!take(input[step.consumed++])) {
      return std::unexpected(Refusal(400, "a malformed chunked body"));
    }
  }
  step.done = state_ == State::done;
  return step;
}

std::string chunk_head(std::size_t size) {
  std::array<char, 20> text;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), size, 16);
  std::string line(text.data(), end);
  line += "\r\n";
  return line;
}

}  // namespace interline::net::http
