// Data forms (XEP-0004) with FORM_TYPE (XEP-0068): as much of them as discovery and search use.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "bindings/xmpp/stanza.hpp"
#include "bindings/xmpp/xml_writer.hpp"

namespace interline::xmpp {

/// Writes `<x xmlns='jabber:x:data'/>`; end() closes it.
class FormWriter {
 public:
  /// `type` is "form" or "result". With a form type, its hidden field comes first, after the title.
  FormWriter(XmlWriter& w, std::string_view type, std::string_view form_type = {},
             std::string_view title = {});

  void field(std::string_view var, std::string_view value);
  /// XEP-0004 section 3.3: a boolean as `1` or `0`.
  void field(std::string_view var, bool value) { field(var, std::string_view(value ? "1" : "0")); }
  void field(std::string_view var, const char* value) { field(var, std::string_view(value)); }
  /// A question, without a value.
  void question(std::string_view var, std::string_view type, std::string_view label);
  /// One `<value/>` a line.
  void lines(std::string_view var, std::string_view text);

  struct Column {
    std::string_view var;
    std::string_view type;
    std::string_view label;
  };
  /// Section 3.4: what each item has.
  void reported(std::initializer_list<Column> columns);
  void begin_item();
  void end_item();

  void end();

 private:
  void begin_field(std::string_view var, std::string_view type);

  XmlWriter& w_;
};

struct FormField {
  std::string var;
  std::vector<std::string> values;
};

/// A form that was sent to us.
struct Form {
  enum class Type : std::uint8_t { form, submit, cancel, result };
  Type type;
  std::vector<FormField> fields;  ///< those that the reader understands, in their order

  /// The first value of the field; empty if there is none.
  [[nodiscard]] std::string_view value(std::string_view var) const;
  [[nodiscard]] bool has(std::string_view var) const;
};

/// The form, of its fields those with a name among `understood`: all others are ignored, whatever
/// is in them (XEP-0004 section 3). Errors: malformed for an unknown type, and of a field that is
/// understood for its second occurrence and for elements where text belongs.
[[nodiscard]] Result<Form> read_form(Element x, std::span<const std::string_view> understood);

}  // namespace interline::xmpp
