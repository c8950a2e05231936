// Writes XML for the stream, and knows how large it may become on its way.
//
// No prefixes: each element says its namespace where it differs from its parent's. Prosody and
// ejabberd parse every stanza and write it anew, quotes as entities, so what counts against their
// limits is wire_size(), not the bytes written here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace interline::xmpp {

/// Whether the text is UTF-8 of characters that XML 1.0 can carry: no controls but TAB, LF and CR,
/// no surrogates, no U+FFFE and U+FFFF. What is not can be sent as human text only, with losses.
[[nodiscard]] bool is_xml_text(std::string_view text);

/// Bytes of the text as character data or as an attribute's value once a server wrote it anew.
[[nodiscard]] std::size_t text_wire_size(std::string_view text);

/// Appends to a string. Misuse (an attribute after content, an end too many) is a programming
/// error, checked by assert. Names and namespaces are wire words that outlive the writer.
///
///   XmlWriter w(out, kComponentNamespace);
///   w.begin("iq"); w.attribute("type", "result"); w.attribute("id", id);
///   w.begin("query", kDiscoInfo); w.end();
///   w.end();
class XmlWriter {
 public:
  /// `default_ns` is that of the enclosing element: for a stanza the stream's.
  XmlWriter(std::string& out, std::string_view default_ns) : out_(out), outer_ns_(default_ns) {}

  /// An element in its parent's namespace.
  void begin(std::string_view name);
  void begin(std::string_view name, std::string_view ns);
  void end();

  /// Characters that XML cannot carry become U+FFFD. TAB, LF and CR are written as references;
  /// ejabberd keeps them, Prosody's reader will see spaces.
  void attribute(std::string_view name, std::string_view value);
  /// Characters that XML cannot carry become U+FFFD, CR and CRLF become LF (a raw CR is lost on the
  /// way). JSON comes here too, checked by is_xml_text before it was promised to anybody.
  void text(std::string_view value);

  /// `<name>value</name>` in the parent's namespace.
  void leaf(std::string_view name, std::string_view value);

  [[nodiscard]] std::size_t depth() const { return open_.size(); }
  /// Estimate of the largest form the bytes written so far take on their way.
  [[nodiscard]] std::size_t wire_size() const { return wire_size_; }

 private:
  struct Open {
    std::string_view name;
    std::string_view ns;
  };

  void put(std::string_view bytes);
  void close_start_tag();

  std::string& out_;
  std::string_view outer_ns_;
  std::vector<Open> open_;
  bool in_start_tag_ = false;
  std::size_t wire_size_ = 0;
};

}  // namespace interline::xmpp
