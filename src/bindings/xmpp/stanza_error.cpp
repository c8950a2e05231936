#include "bindings/xmpp/stanza_error.hpp"

#include "base/utf8.hpp"
#include "bindings/xmpp/names.hpp"

namespace interline::xmpp {

void write_error(XmlWriter& w, const Error& error) {
  const ErrorRow& row = error_row(error.kind);
  const bool refused_commit = error.kind == ErrorKind::internal && error.retry_after.has_value();
  w.begin(element::kError);
  w.attribute(attribute::kType, to_string(refused_commit ? ErrorType::wait : row.type));
  w.begin(row.condition, ns::kStanzaErrors);
  w.end();
  if (row.text && !error.message.empty()) {
    w.begin(element::kText, ns::kStanzaErrors);
    w.attribute(attribute::kXmlLang, "en");
    w.text(cut_utf8(error.message, kMaxErrorText));
    w.end();
  }
  w.end();
}

bool is_stanza_namespace(std::string_view ns) {
  return ns == ns::kComponent || ns == ns::kClient || ns == ns::kServer;
}

std::optional<ReceivedError> read_error(Element stanza) {
  for (const Element child : stanza.children()) {
    if (child.name() != element::kError || !is_stanza_namespace(child.ns())) continue;
    ReceivedError error{"undefined-condition", std::string(child.attribute("type").value_or(""))};
    for (const Element detail : child.children()) {
      if (detail.ns() != ns::kStanzaErrors || detail.name() == element::kText) continue;
      error.condition = detail.name();
      break;
    }
    return error;
  }
  return std::nullopt;
}

}  // namespace interline::xmpp
