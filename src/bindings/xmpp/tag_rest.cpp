#include "bindings/xmpp/tag_rest.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace interline::xmpp {
namespace {

constexpr std::array<std::string_view, 5> kKept = {"from", "to", "id", "type", "xmlns"};
constexpr std::size_t kLongestAttribute = 4'096;  // an address is three parts of 1,023 bytes
constexpr std::string_view kSpace = " \t\r\n";

}  // namespace

void TagRest::begin(char quote) {
  *this = TagRest();
  quote_ = quote;
  too_long_ = true;
  open_ = true;
}

std::size_t TagRest::take(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size() && open_) {
    if (quote_ == '\0') {
      take_outside(bytes[at++]);
      continue;
    }
    const std::size_t found = bytes.find(quote_, at);
    const std::size_t end = found == std::string_view::npos ? bytes.size() : found + 1;
    add(bytes.substr(at, end - at));
    at = end;
    if (found != std::string_view::npos) end_attribute();
  }
  size_ += at;
  return at;
}

void TagRest::take_outside(char c) {
  if (c == '>' || c == '<') {
    open_ = false;
    broken_ = c == '<';
    return;
  }
  empty_ = c == '/';
  if (c == '"' || c == '\'') quote_ = c;
  add({&c, 1});
}

void TagRest::add(std::string_view text) {
  too_long_ = too_long_ || attribute_.size() + text.size() > kLongestAttribute;
  if (too_long_) {
    attribute_.clear();
  } else {
    attribute_ += text;
  }
}

void TagRest::end_attribute() {
  quote_ = '\0';
  too_long_ = false;
  const std::string attribute = std::exchange(attribute_, {});
  const std::size_t begin = attribute.find_first_not_of(kSpace);
  if (begin == std::string::npos) return;
  const std::size_t end = std::min(attribute.find_first_of(" \t\r\n=", begin), attribute.size());
  const auto name = std::string_view(attribute).substr(begin, end - begin);
  // A name that is there twice is the parser's to report; once more it need not be.
  if (std::ranges::find(kKept, name) == kKept.end() || attributes_ > kKept.size()) return;
  kept_.append(" ").append(attribute, begin);
  ++attributes_;
}

}  // namespace interline::xmpp
