// Puts a Stanza together from what the XML parser reports, within bounds.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/xmpp/stanza.hpp"

namespace interline::xmpp {

/// Between namespace and local name in the parser's names; no XML document can contain it.
inline constexpr char kNameSeparator = '\x01';

/// Bounds of a stanza's shape. Beyond one of them the stanza is misshapen and cut down.
struct StanzaBounds {
  std::size_t depth = 32;                ///< elements within each other, the stanza's own counted
  std::size_t nodes = 10'000;            ///< elements and runs of character data
  std::size_t attributes = 32;           ///< of one element
  std::size_t name = 512;                ///< bytes of a local name, and of a namespace name
  std::size_t attribute_value = 65'536;  ///< bytes
  std::size_t namespaces = 64;           ///< different ones in a stanza
};

/// One stanza after the other: start, text and end as they come, then take().
class StanzaBuilder {
 public:
  explicit StanzaBuilder(const StanzaBounds& bounds);
  ~StanzaBuilder();
  StanzaBuilder(const StanzaBuilder&) = delete;
  StanzaBuilder& operator=(const StanzaBuilder&) = delete;

  /// `attributes` as expat has them: name, value, name, value, nullptr.
  void start(std::string_view expanded_name, const char* const* attributes);
  void text(std::string_view piece);
  void end();

  /// From now on only the start of the stanza is kept.
  void mark_oversized();
  [[nodiscard]] bool oversized() const { return oversized_; }
  /// The same, for what is wrong with the names of the element that was started last.
  void mark_misshapen() { misshapen(); }
  [[nodiscard]] bool is_misshapen() const { return misshapen_; }
  /// Elements open now; 0 when the stanza is complete, and before it begins.
  [[nodiscard]] std::size_t depth() const { return depth_; }

  /// The finished stanza; the builder is ready for the next one. Requires depth() == 0 after an
  /// end().
  [[nodiscard]] Stanza take(std::size_t wire_size);

 private:
  struct Frame {
    XmlNode* element;
    XmlNode* last_child;
  };

  void misshapen();
  void cut_down();
  void count_node();
  void flush_text();
  void check_shape(std::string_view expanded_name, const char* const* attributes);
  void append(XmlNode* child);
  XmlNode* make_element(std::string_view expanded_name, const char* const* attributes);
  void copy_attributes(XmlNode& node, const char* const* attributes);
  XmlNode* copy_start(const XmlNode& from);
  /// The kept copy of a namespace name; nothing once there are too many.
  std::optional<std::string_view> intern(std::string_view ns);
  std::string_view keep(std::string_view text);

  StanzaBounds bounds_;
  std::unique_ptr<Stanza::Storage> storage_;
  XmlNode* root_ = nullptr;
  std::vector<Frame> open_;  ///< the chain of open elements, while the tree is whole
  std::vector<std::string_view> namespaces_;
  std::string pending_text_;
  std::size_t depth_ = 0;
  std::size_t nodes_ = 0;
  bool in_text_ = false;
  bool cut_ = false;
  bool oversized_ = false;
  bool misshapen_ = false;
};

}  // namespace interline::xmpp
