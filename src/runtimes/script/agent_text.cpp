#include "runtimes/script/agent_text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <toml++/toml.h>

#include "json/parse.hpp"
#include "json/writer.hpp"

namespace interline::runtimes::script {
namespace {

// Escapes make JSON longer than the TOML it comes from.
constexpr std::size_t kDocumentBytes = 8 * kAgentBytes;

json::Limits document_limits() {
  json::Limits limits;
  limits.bytes = kDocumentBytes;
  limits.string_bytes = kDocumentBytes;
  limits.depth = kAgentDepth;
  return limits;
}

/// The line of a dotted key that makes tables in tables deeper than is read; 0: there is none. The
/// TOML parser has no limit there, and its tables are taken apart by recursion.
class DottedKeys {
 public:
  explicit DottedKeys(std::string_view text) : text_(text) {}

  std::uint32_t too_deep() {
    std::size_t dots = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string(c);
        continue;
      }
      if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      if (at_ == text_.size()) break;
      if (std::string_view("\n=,{}[]").find(text_[at_]) != std::string_view::npos) dots = 0;
      if (text_[at_] == '.' && ++dots > kAgentDepth) return line();
      ++at_;
    }
    return 0;
  }

 private:
  std::uint32_t line() const {
    return static_cast<std::uint32_t>(std::ranges::count(text_.substr(0, at_), '\n') + 1);
  }

  /// To behind its end: of a line, or of three quotes.
  void skip_string(char quote) {
    const std::string triple(3, quote);
    const bool long_one = text_.substr(at_).starts_with(triple);
    at_ += long_one ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      if (quote == '"' && text_[at_] == '\\') {
        ++at_;
      } else if (long_one ? text_.substr(at_).starts_with(triple)
                          : text_[at_] == quote || text_[at_] == '\n') {
        at_ += long_one ? 3 : 1;
        return;
      }
    }
    at_ = text_.size();
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

Mistake too_large() {
  return {0, "is larger than " + std::to_string(kAgentBytes) + " bytes; put contents into files"};
}

}  // namespace

/// Writes a TOML tree as JSON and notes where each value stands in both.
class TomlToJson {
 public:
  TomlToJson() : writer_(text_) {}

  std::optional<Mistake> write(const toml::node& node, std::size_t depth) {
    if (depth > kAgentDepth) {
      return mistake(node,
                     "tables and arrays are nested deeper than " + std::to_string(kAgentDepth));
    }
    if (const toml::table* table = node.as_table()) return write_table(*table, depth);
    if (const toml::array* array = node.as_array()) return write_array(*array, depth);
    if (const auto text = node.value_exact<std::string>()) {
      writer_.value(std::string_view(*text));
    } else if (const auto flag = node.value_exact<bool>()) {
      writer_.value(*flag);
    } else if (const auto whole = node.value_exact<std::int64_t>()) {
      writer_.value(*whole);
    } else if (const auto real = node.value_exact<double>(); real && std::isfinite(*real)) {
      writer_.value(*real);
    } else {
      return mistake(node, "JSON has no such value: write it as a text, in quotes");
    }
    return std::nullopt;
  }

  std::string take_text() { return std::move(text_); }
  std::vector<AgentText::Start> take_starts() { return std::move(starts_); }

 private:
  static Mistake mistake(const toml::node& node, std::string what) {
    return {node.source().begin.line, std::move(what)};
  }

  /// A comma may still come before the value: look-up takes the last start that is not behind it.
  void note_start(const toml::node& node) {
    starts_.push_back({text_.size(), node.source().begin.line});
  }

  std::optional<Mistake> write_table(const toml::table& table, std::size_t depth) {
    struct Entry {
      const toml::key* key;
      const toml::node* node;
    };
    std::vector<Entry> entries;  // toml++ keeps them by name; they are wanted as written
    for (const auto& [key, node] : table) entries.push_back({&key, &node});
    std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
      const auto& x = a.key->source().begin;
      const auto& y = b.key->source().begin;
      return x.line != y.line ? x.line < y.line : x.column < y.column;
    });
    writer_.begin_object();
    for (const Entry& entry : entries) {
      writer_.name(entry.key->str());
      note_start(*entry.node);
      if (auto wrong = write(*entry.node, depth + 1)) return wrong;
    }
    writer_.end_object();
    return std::nullopt;
  }

  std::optional<Mistake> write_array(const toml::array& array, std::size_t depth) {
    writer_.begin_array();
    for (const toml::node& item : array) {
      note_start(item);
      if (auto wrong = write(item, depth + 1)) return wrong;
    }
    writer_.end_array();
    return std::nullopt;
  }

  std::string text_;
  json::Writer writer_;
  std::vector<AgentText::Start> starts_;
};

std::expected<AgentText, Mistake> AgentText::read(std::string_view text, Format format) {
  if (text.size() > kAgentBytes) return std::unexpected(too_large());
  return format == Format::toml ? read_toml(text) : read_json(text);
}

std::expected<AgentText, Mistake> AgentText::read_toml(std::string_view text) {
  if (const std::uint32_t line = DottedKeys(text).too_deep(); line > 0) {
    return std::unexpected(
        Mistake(line, "a key has more than " + std::to_string(kAgentDepth) + " dots"));
  }
  TomlToJson converter;
  try {
    const toml::table root = toml::parse(text);
    if (auto wrong = converter.write(root, 1)) return std::unexpected(*std::move(wrong));
  } catch (const toml::parse_error& error) {  // how toml++ reports what is no TOML
    return std::unexpected(Mistake(error.source().begin.line, std::string(error.description())));
  }
  auto document = json::parse(converter.take_text(), document_limits(), json::Numbers::faithful);
  if (!document) {
    return std::unexpected(Mistake(0, std::string(json::describe(document.error().code))));
  }
  return AgentText(*std::move(document), converter.take_starts());
}

std::expected<AgentText, Mistake> AgentText::read_json(std::string_view text) {
  auto document = json::parse(text, document_limits(), json::Numbers::faithful);
  if (!document) {
    const json::ParseError& error = document.error();
    return std::unexpected(
        Mistake(static_cast<std::uint32_t>(error.line), std::string(json::describe(error.code))));
  }
  if (!document->root().is_object()) return std::unexpected(Mistake(1, "expected a JSON object"));
  return AgentText(*std::move(document), {});
}

std::uint32_t AgentText::line(const json::Value& value) const {
  const std::string_view text = document_->text();
  const std::string_view source = value.source();
  if (source.empty() || source.data() < text.data() || source.data() >= text.data() + text.size()) {
    return 0;
  }
  const auto offset = static_cast<std::size_t>(source.data() - text.data());
  if (starts_.empty()) {
    const std::string_view before = text.substr(0, offset);
    return static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1);
  }
  const auto after = std::ranges::upper_bound(starts_, offset, {}, &Start::offset);
  return after == starts_.begin() ? 1 : std::prev(after)->line;
}

}  // namespace interline::runtimes::script
