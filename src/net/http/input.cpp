#include "net/http/input.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace interline::net::http {
namespace {

constexpr std::size_t kFirst = std::size_t{4} * 1024;

}  // namespace

std::string_view InputBuffer::data() const {
  return {bytes_.data() + begin_, end_ - begin_};
}

void InputBuffer::consume(std::size_t size) {
  begin_ += size;
  if (begin_ == end_ && !filling_) begin_ = end_ = 0;
}

awaitable<Result<std::size_t>> InputBuffer::fill() {
  if (end_ == bytes_.size() && begin_ > 0) {
    std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == bytes_.size()) bytes_.resize(std::min(capacity_, std::max(kFirst, 2 * end_)));
  const std::span<char> room(bytes_.data() + end_, bytes_.size() - end_);
  filling_ = true;
  auto got = co_await stream_.read_some(room);
  filling_ = false;
  if (got) end_ += *got;
  co_return got;
}

}  // namespace interline::net::http
