#include "bindings/xmpp/data_form.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "bindings/xmpp/names.hpp"

namespace interline::xmpp {
namespace {

constexpr std::array<std::string_view, 4> kTypes = {"form", "submit", "cancel", "result"};

const FormField* find(const Form& form, std::string_view var) {
  const auto found = std::ranges::find(form.fields, var, &FormField::var);
  return found == form.fields.end() ? nullptr : &*found;
}

}  // namespace

FormWriter::FormWriter(XmlWriter& w, std::string_view type, std::string_view form_type,
                       std::string_view title)
    : w_(w) {
  w_.begin("x", ns::kDataForms);
  w_.attribute("type", type);
  if (!title.empty()) w_.leaf("title", title);
  if (form_type.empty()) return;
  begin_field("FORM_TYPE", "hidden");
  w_.leaf("value", form_type);
  w_.end();
}

void FormWriter::begin_field(std::string_view var, std::string_view type) {
  w_.begin("field");
  w_.attribute("var", var);
  if (!type.empty()) w_.attribute("type", type);
}

void FormWriter::field(std::string_view var, std::string_view value) {
  begin_field(var, {});
  w_.leaf("value", value);
  w_.end();
}

void FormWriter::question(std::string_view var, std::string_view type, std::string_view label) {
  begin_field(var, type);
  w_.attribute("label", label);
  w_.end();
}

void FormWriter::lines(std::string_view var, std::string_view text) {
  begin_field(var, "text-multi");
  while (true) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    w_.leaf("value", text.substr(0, end));
    if (end == text.size()) break;
    text.remove_prefix(end + (text.substr(end).starts_with("\r\n") ? 2 : 1));
  }
  w_.end();
}

void FormWriter::reported(std::initializer_list<Column> columns) {
  w_.begin("reported");
  for (const Column& column : columns) question(column.var, column.type, column.label);
  w_.end();
}

void FormWriter::begin_item() {
  w_.begin("item");
}
void FormWriter::end_item() {
  w_.end();
}
void FormWriter::end() {
  w_.end();
}

std::string_view Form::value(std::string_view var) const {
  const FormField* field = find(*this, var);
  return field == nullptr || field->values.empty() ? std::string_view() : field->values.front();
}

bool Form::has(std::string_view var) const {
  return find(*this, var) != nullptr;
}

Result<Form> read_form(Element x, std::span<const std::string_view> understood) {
  const auto type = std::ranges::find(kTypes, x.attribute("type").value_or(""));
  if (!x.is(ns::kDataForms, "x") || type == kTypes.end()) {
    return fail(ErrorKind::malformed, "data form of an unknown type");
  }
  Form form{static_cast<Form::Type>(type - kTypes.begin()), {}};
  for (const Element field : x.children()) {
    const auto var = field.attribute("var");
    if (!field.is(ns::kDataForms, "field") || !var) continue;
    if (std::ranges::find(understood, *var) == understood.end()) continue;
    if (form.has(*var)) return fail(ErrorKind::malformed, "data form with a field twice");
    FormField& added = form.fields.emplace_back(FormField{std::string(*var), {}});
    for (const Element value : field.children()) {
      if (!value.is(ns::kDataForms, "value")) continue;
      if (!value.children().empty()) {
        return fail(ErrorKind::malformed, "data form with an element in a value");
      }
      added.values.push_back(value.text());
    }
  }
  return form;
}

}  // namespace interline::xmpp
