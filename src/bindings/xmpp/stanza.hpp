// A received top-level element with all that is in it, read-only.
//
// Names are expanded names: a namespace and a local name, never a prefix. A Stanza owns its tree in
// one arena; Elements are views into it, cheap to copy, valid as long as the Stanza, moved or not.
// Nothing here recurses, neither building nor reading nor destroying.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace interline::xmpp {

struct Attribute {
  std::string_view ns;  ///< empty for the usual attribute without a prefix
  std::string_view name;
  std::string_view value;
};

/// Storage of an element or of a run of character data; see Element.
struct XmlNode {
  std::string_view ns;
  std::string_view name;  ///< empty for character data
  std::string_view text;  ///< character data only
  const Attribute* attributes = nullptr;
  std::size_t attribute_count = 0;
  XmlNode* first_child = nullptr;
  XmlNode* next = nullptr;

  [[nodiscard]] bool is_element() const { return !name.empty(); }
};

class Element {
 public:
  explicit Element(const XmlNode& node) : node_(&node) {}

  [[nodiscard]] std::string_view ns() const { return node_->ns; }
  [[nodiscard]] std::string_view name() const { return node_->name; }
  [[nodiscard]] bool is(std::string_view ns, std::string_view name) const {
    return node_->name == name && node_->ns == ns;
  }

  [[nodiscard]] std::span<const Attribute> attributes() const {
    return {node_->attributes, node_->attribute_count};
  }
  /// The attribute without a namespace.
  [[nodiscard]] std::optional<std::string_view> attribute(std::string_view name) const {
    return attribute({}, name);
  }
  [[nodiscard]] std::optional<std::string_view> attribute(std::string_view ns,
                                                          std::string_view name) const;

  /// Child elements in document order; character data is passed over.
  class Iterator {
   public:
    using value_type = Element;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(const XmlNode* node) : node_(node) { skip_text(); }
    Element operator*() const { return Element(*node_); }
    Iterator& operator++() {
      node_ = node_->next;
      skip_text();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    void skip_text() {
      while (node_ != nullptr && !node_->is_element()) node_ = node_->next;
    }
    const XmlNode* node_ = nullptr;
  };
  struct Children {
    const XmlNode* first;
    [[nodiscard]] Iterator begin() const { return Iterator(first); }
    [[nodiscard]] Iterator end() const { return {}; }
    [[nodiscard]] bool empty() const { return begin() == end(); }
    [[nodiscard]] std::size_t size() const {
      return static_cast<std::size_t>(std::distance(begin(), end()));
    }
    [[nodiscard]] Element front() const { return *begin(); }  ///< requires !empty()
  };
  [[nodiscard]] Children children() const { return {node_->first_child}; }

  /// The first child of that expanded name.
  [[nodiscard]] std::optional<Element> child(std::string_view ns, std::string_view name) const;

  /// The element's own character data, children's not included, pieces put together.
  [[nodiscard]] std::string text() const;
  /// Whether the character data has anything but XML white space.
  [[nodiscard]] bool has_text() const;

  /// For those who walk children and character data in order.
  [[nodiscard]] const XmlNode& node() const { return *node_; }

  friend bool operator==(const Element& a, const Element& b) { return a.node_ == b.node_; }

 private:
  const XmlNode* node_;
};
static_assert(std::forward_iterator<Element::Iterator>);

/// Beyond a bound, the tree is cut down to the stanza's own attributes and the name and attributes
/// of its first child: enough to answer it, or to drop it with a word in the log.
class Stanza {
 public:
  Stanza(Stanza&&) noexcept;
  Stanza& operator=(Stanza&&) noexcept;
  ~Stanza();

  [[nodiscard]] Element root() const { return Element(*root_); }
  /// Bytes on the wire, from `<` to `>`.
  [[nodiscard]] std::size_t wire_size() const { return wire_size_; }
  /// More bytes than accepted: resource-constraint for whom we would have answered.
  [[nodiscard]] bool oversized() const { return oversized_; }
  /// Too deep, too many nodes, attributes or namespaces, a name or value too long: bad-request.
  [[nodiscard]] bool misshapen() const { return misshapen_; }
  [[nodiscard]] bool complete() const { return !oversized_ && !misshapen_; }

 private:
  friend class StanzaBuilder;
  struct Storage;
  Stanza(std::unique_ptr<Storage> storage, const XmlNode& root);

  std::unique_ptr<Storage> storage_;
  const XmlNode* root_;
  std::size_t wire_size_ = 0;
  bool oversized_ = false;
  bool misshapen_ = false;
};

/// XML white space: space, tab, line feed, carriage return.
[[nodiscard]] bool is_xml_space(std::string_view text);
/// Without white space at both ends.
[[nodiscard]] std::string_view trim_xml_space(std::string_view text);

}  // namespace interline::xmpp
