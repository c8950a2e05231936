#include "runtimes/script/placeholders.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "json/parse.hpp"
#include "json/writer.hpp"

namespace interline::runtimes::script {
namespace {

constexpr std::string_view kOpen = "${";
constexpr std::string_view kEscapedOpen = "$${";
constexpr std::array<std::string_view, 4> kScopes = {"arguments", "answers", "variables", "uri"};

json::Limits inner_limits() {
  json::Limits limits;
  limits.bytes = std::size_t{64} << 20U;
  limits.string_bytes = limits.bytes;
  limits.depth = 128;
  return limits;
}

Error not_a_placeholder(std::string_view path) {
  constexpr std::size_t kShown = 40;
  return {ErrorKind::malformed,
          "${" + std::string(path.substr(0, kShown)) +
              "} names nothing: a placeholder begins with arguments, answers, variables or uri "
              "(and $${ stands for ${ itself)"};
}

bool begins_with_a_scope(std::string_view path) {
  const std::string_view first = path.substr(0, path.find('.'));
  return std::ranges::find(kScopes, first) != kScopes.end();
}

void append_text(std::string& out, const json::Value* value) {
  if (value == nullptr) return;
  if (value->is_string()) {
    out.append(value->as_string());
  } else {
    out.append(value->source());
  }
}

/// Writes a value with its texts filled in.
class Filler {
 public:
  Filler(const Known& known, Whole whole, json::Writer& writer)
      : known_(known), whole_(whole), writer_(writer) {}

  // Bounded: the document has at most the agent's depth.
  void write(const json::Value& value) {
    if (value.is_string()) return write_text(value.as_string());
    if (value.is_array()) {
      writer_.begin_array();
      for (const json::Value& item : value.items()) write(item);
      writer_.end_array();
    } else if (value.is_object()) {
      writer_.begin_object();
      for (const json::Member& member : value.members()) {
        writer_.name(member.name());
        write(member.value);
      }
      writer_.end_object();
    } else {
      writer_.value(value);
    }
  }

 private:
  void write_text(std::string_view text) {
    const auto read = TextTemplate::read(text);
    const std::string_view path = read && whole_ == Whole::value ? read->whole() : "";
    if (!path.empty()) {
      const json::Value* named = known_.find(path);
      if (named == nullptr) return writer_.null();
      return writer_.value(*named);
    }
    writer_.value(read ? read->fill(known_) : std::string(text));
  }

  const Known& known_;
  const Whole whole_;
  json::Writer& writer_;
};

/// Whether any text in there has to be filled in; an error where one cannot be.
Result<bool> needs_filling(const json::Value& value) {
  bool needs = false;
  if (value.is_string()) {
    const auto read = TextTemplate::read(value.as_string());
    if (!read) return std::unexpected(read.error());
    // An escape is to be undone too.
    return read->has_placeholders() || value.as_string().find(kOpen) != std::string_view::npos;
  }
  if (value.is_array()) {
    for (const json::Value& item : value.items()) {
      const auto inner = needs_filling(item);
      if (!inner) return inner;
      needs = needs || *inner;
    }
  } else if (value.is_object()) {
    for (const json::Member& member : value.members()) {
      const auto inner = needs_filling(member.value);
      if (!inner) return inner;
      needs = needs || *inner;
    }
  }
  return needs;
}

}  // namespace

Known::Known(const Parts& parts) {
  std::string text;
  json::Writer writer(text);
  const auto put = [&writer](std::string_view name, std::string_view json) {
    if (!json.empty()) writer.raw_member(name, json);
  };
  writer.begin_object();
  put("arguments", parts.arguments);
  put("answers", parts.answers);
  put("variables", parts.variables);
  if (!parts.uri.empty()) writer.member("uri", parts.uri);
  writer.end_object();
  auto document = json::parse(std::move(text), inner_limits(), json::Numbers::faithful);
  if (document) document_ = std::make_shared<const json::Document>(*std::move(document));
}

const json::Value* Known::find(std::string_view path) const {
  if (!document_) return nullptr;
  const json::Value* at = &document_->root();
  while (at != nullptr && !path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    if (!at->is_array()) {
      at = at->find(name);
      continue;
    }
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
    const bool number = error == std::errc() && end == name.data() + name.size();
    at = number && index < at->size() ? &at->items()[index] : nullptr;
  }
  return at;
}

Result<TextTemplate> TextTemplate::read(std::string_view text) {
  TextTemplate read;
  std::string plain;
  const auto keep_plain = [&read, &plain] {
    if (!plain.empty()) read.pieces_.push_back({false, std::move(plain)});
    plain.clear();
  };
  while (!text.empty()) {
    if (text.starts_with(kEscapedOpen)) {
      plain.append(kOpen);
      text.remove_prefix(kEscapedOpen.size());
    } else if (text.starts_with(kOpen)) {
      const std::size_t end = text.find('}');
      if (end == std::string_view::npos) return std::unexpected(not_a_placeholder(text.substr(2)));
      const std::string_view path = text.substr(kOpen.size(), end - kOpen.size());
      if (!begins_with_a_scope(path)) return std::unexpected(not_a_placeholder(path));
      keep_plain();
      read.pieces_.push_back({true, std::string(path)});
      text.remove_prefix(end + 1);
    } else {
      const std::size_t next = text.find('$', 1);
      plain.append(text.substr(0, next));
      text.remove_prefix(std::min(next, text.size()));
    }
  }
  keep_plain();
  return read;
}

std::string TextTemplate::fill(const Known& known) const {
  std::string out;
  for (const Piece& piece : pieces_) {
    if (piece.placeholder) {
      append_text(out, known.find(piece.text));
    } else {
      out.append(piece.text);
    }
  }
  return out;
}

std::string_view TextTemplate::whole() const {
  const bool one = pieces_.size() == 1 && pieces_.front().placeholder;
  return one ? std::string_view(pieces_.front().text) : std::string_view();
}

bool TextTemplate::has_placeholders() const {
  return std::ranges::any_of(pieces_, &Piece::placeholder);
}

Result<JsonTemplate> JsonTemplate::read(const json::Value& value, Whole whole) {
  const auto needs = needs_filling(value);
  if (!needs) return std::unexpected(needs.error());
  JsonTemplate read;
  read.text_ = std::string(value.source());
  read.whole_ = whole;
  if (!*needs) return read;
  auto document = json::parse(std::string(read.text_), inner_limits(), json::Numbers::faithful);
  if (!document) return std::unexpected(json::to_error(document.error()));
  read.document_ = std::make_shared<const json::Document>(*std::move(document));
  return read;
}

JsonTemplate JsonTemplate::verbatim(std::string json) {
  JsonTemplate made;
  made.text_ = std::move(json);
  return made;
}

std::string JsonTemplate::fill(const Known& known) const {
  if (!document_) return text_;
  std::string out;
  json::Writer writer(out);
  Filler(known, whole_, writer).write(document_->root());
  return out;
}

std::string without_placeholders(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t at = text.find(kOpen);
    out.append(text.substr(0, at));
    if (at == std::string_view::npos) break;
    out.append(kEscapedOpen);
    text.remove_prefix(at + kOpen.size());
  }
  return out;
}

}  // namespace interline::runtimes::script
