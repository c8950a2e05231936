// What follows in a tag that is too long to be kept, from inside of an attribute's value to the `>`
// that ends it: counted, not kept, but for the few attributes that say whose stanza it is.
//
// Servers repeat a namespace's name at each attribute that has it: from 20 KB that a client wrote
// Prosody makes a tag of 20 MB. It costs its stanza, so it is read to its end, however long.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace interline::xmpp {

class TagRest {
 public:
  /// Begins inside of a value that ends with `quote`; that value is not kept.
  void begin(char quote);
  /// Takes bytes up to the tag's end; returns how many. What lies in them is not checked.
  std::size_t take(std::string_view bytes);

  [[nodiscard]] bool open() const { return open_; }
  /// Ended with a `<`, which no tag has outside of values.
  [[nodiscard]] bool broken() const { return broken_; }
  /// What is put in its place: the attributes that were kept, and the tag's end.
  [[nodiscard]] std::string replacement() const { return kept_ + (empty_ ? "/>" : ">"); }
  [[nodiscard]] std::size_t attributes() const { return attributes_; }  ///< that were kept
  [[nodiscard]] std::size_t size() const { return size_; }              ///< bytes taken

 private:
  void take_outside(char c);
  void add(std::string_view text);
  void end_attribute();

  std::string attribute_;  // as far as it has been read; empty if it is too long
  std::string kept_;
  std::size_t attributes_ = 0;
  std::size_t size_ = 0;
  char quote_ = '\0';
  bool too_long_ = false;  // attribute_
  bool empty_ = false;     // the last byte outside of values was a slash
  bool open_ = false;
  bool broken_ = false;
};

}  // namespace interline::xmpp
