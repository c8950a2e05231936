#include "bindings/xmpp/outgoing.hpp"

#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/stanza_error.hpp"

namespace interline::xmpp {

OutgoingStanza::OutgoingStanza(std::string_view name, std::string_view type,
                               std::optional<std::string_view> id, const Sender& from,
                               std::string_view to)
    : bytes_(std::make_unique<std::string>()),
      xml_(std::make_unique<XmlWriter>(*bytes_, ns::kComponent)) {
  xml_->begin(name);
  if (!type.empty()) xml_->attribute(attribute::kType, type);
  if (id) xml_->attribute(attribute::kId, *id);
  xml_->attribute(attribute::kFrom, from.text());
  xml_->attribute(attribute::kTo, to);
}

OutgoingStanza OutgoingStanza::result(const ReplyRoute& route) {
  return {element::kIq, "result", route.id, route.from, route.to};
}

OutgoingStanza OutgoingStanza::error(const ReplyRoute& route, const Error& error) {
  OutgoingStanza stanza(element::kIq, "error", route.id, route.from, route.to);
  write_error(stanza.xml(), error);
  stanza.finish();
  return stanza;
}

OutgoingStanza OutgoingStanza::request(std::string_view type, const Sender& from,
                                       std::string_view to, std::string_view id) {
  return {element::kIq, type, id, from, to};
}

OutgoingStanza OutgoingStanza::message(std::string_view type, const Sender& from,
                                       std::string_view to, std::optional<std::string_view> id) {
  return {element::kMessage, type, id, from, to};
}

OutgoingStanza OutgoingStanza::presence(std::string_view type, const Sender& from,
                                        std::string_view to) {
  return {element::kPresence, type, std::nullopt, from, to};
}

const std::string& OutgoingStanza::finish() {
  while (xml_->depth() > 0) xml_->end();
  return *bytes_;
}

}  // namespace interline::xmpp
