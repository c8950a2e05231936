// Finds the end of a tag that arrives in pieces.
//
// Expat starts an unfinished token from its beginning each time it gets bytes. Its own cure,
// reparse deferral, may leave the end of a stanza waiting for bytes that never come, so it is off;
// instead the pieces of a tag are held until the `>` that ends it is there, found by looking at
// each byte once.
#pragma once

#include <string_view>

namespace interline::xmpp {

class TagScanner {
 public:
  /// Whether an unfinished token is a tag: only these can be long and are scanned.
  [[nodiscard]] static bool is_tag(std::string_view token) {
    return token.size() >= 2 && token[0] == '<' && token[1] != '!' && token[1] != '?';
  }

  /// Begins with what is there of a tag.
  void begin(std::string_view token) {
    quote_ = '\0';
    in_reference_ = false;
    missing_ = 0;
    open_ = true;
    (void)ends_in(token.substr(1));
  }
  void stop() { open_ = false; }
  [[nodiscard]] bool open() const { return open_; }

  /// Whether the tag ends within these next bytes, as far as quotes tell. A `<` outside of quotes
  /// cannot be in a tag: that is the parser's to report, so it counts as an end.
  [[nodiscard]] bool ends_in(std::string_view bytes) {
    for (const char c : bytes) {
      if (quote_ != '\0') {
        take_value(c);
      } else if (c == '"' || c == '\'') {
        quote_ = c;
      } else if (c == '>' || c == '<') {
        return true;
      }
    }
    return false;
  }

  /// The quote that ends the value in which the bytes so far end, with no character and no
  /// reference cut in two: there the value could end as well. Else nothing.
  [[nodiscard]] char closing_quote() const { return in_reference_ || missing_ > 0 ? '\0' : quote_; }

 private:
  void take_value(char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote_) quote_ = '\0';
    if (c == '&') in_reference_ = true;
    if (c == ';' || quote_ == '\0') in_reference_ = false;
    if (byte >= 0xC0) {
      missing_ = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
    } else {
      missing_ = byte >= 0x80 && missing_ > 0 ? missing_ - 1 : 0;
    }
  }

  char quote_ = '\0';
  bool in_reference_ = false;
  int missing_ = 0;  // bytes of the character that has begun
  bool open_ = false;
};

}  // namespace interline::xmpp
