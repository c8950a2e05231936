#include "app/tool_import.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/utf8.hpp"
#include "catalog/losses.hpp"
#include "catalog/manifest_rules.hpp"
#include "json/canonical.hpp"
#include "json/parse.hpp"
#include "schema/registration.hpp"
#include "schema/upgrade.hpp"

namespace interline::app {
namespace {

using catalog::kManifestExtension;
using catalog::Loss;
using catalog::loss_text;

constexpr std::size_t kMostLosses = 1'000;
constexpr std::size_t kNameInReport = 128;
constexpr std::size_t kMcpName = 128;  // MCP, "Tool Names": SHOULD be 1 to 128 characters

/// Members of an MCP Tool that a manifest's tool carries as they are (ProtoXEP, "MCP Mapping").
struct CarriedRow {
  std::string_view name;
  bool is_text;
  std::size_t most;  ///< code points of a text
};
constexpr std::array<CarriedRow, 5> kCarried = {{{"title", true, catalog::kToolTitle},
                                                 {"description", true, catalog::kToolDescription},
                                                 {"annotations", false, 0},
                                                 {"execution", false, 0},
                                                 {"_meta", false, 0}}};

/// The first so many code points.
std::string_view cut_to(std::string_view text, std::size_t code_points) {
  std::size_t at = 0;
  for (; code_points > 0 && at < text.size(); --code_points) {
    at += decode_valid_utf8(text.data() + at).size;
  }
  return text.substr(0, at);
}

/// Names are recommended to be of A-Z a-z 0-9 _ - . (MCP, "Tool Names").
bool is_recommended_name(std::string_view name) {
  const auto legal = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  };
  return name.size() <= kMcpName && std::ranges::all_of(name, legal);
}

/// U+FFFE and U+FFFF, which canonical JSON writes as they are and XML cannot carry.
bool has_noncharacters(std::string_view canonical) {
  return canonical.find("\xEF\xBF\xBE") != std::string_view::npos ||
         canonical.find("\xEF\xBF\xBF") != std::string_view::npos;
}

class ToolCarrier {
 public:
  ToolCarrier(std::string_view tool, const engine::RuntimeFeatures& features,
              const catalog::ManifestLimits& limits, LossReport& report)
      : tool_(tool), features_(features), limits_(limits), report_(report), writer_(text_) {}

  /// One tool object of the manifest, or "" where the tool cannot be expressed.
  std::string carry(const json::Value& definition) {
    writer_.begin_object();
    writer_.member("name", tool_);
    for (const json::Member& member : definition.members()) {
      if (!carry_member(member)) return {};
    }
    if (!has_extension_) write_extension();
    writer_.end_object();
    if (definition.find("inputSchema") == nullptr) {
      return left_out("/inputSchema", Loss::tool_schema_absent);
    }
    return checked();
  }

 private:
  std::string left_out(std::string_view location, Loss why, std::string_view detail = {}) {
    report_.add(tool_, location, loss_text(why, detail));
    return {};
  }
  void lost(std::string_view member, Loss loss, std::string_view detail = {}) {
    report_.add(tool_, std::string("/").append(member), loss_text(loss, detail));
  }

  /// False where the tool cannot be without this member.
  bool carry_member(const json::Member& member) {
    const std::string_view name = member.name();
    if (name == "name") return true;
    if (name == "inputSchema" || name == "outputSchema") return carry_schema_member(member);
    const auto row = std::ranges::find(kCarried, name, &CarriedRow::name);
    if (row != kCarried.end()) {
      carry_known(*row, member.value);
    } else if (name == kManifestExtension) {
      carry_extension(member.value);
    } else if (catalog::is_uri_name(name)) {
      writer_.member(name, member.value);
    } else {
      lost(name, Loss::member_unknown);
    }
    return true;
  }

  void carry_known(const CarriedRow& row, const json::Value& value) {
    if (row.is_text ? !value.is_string() : !value.is_object()) {
      lost(row.name, row.is_text ? Loss::member_no_text : Loss::member_no_object);
    } else if (row.is_text && count_code_points(value.as_string()) > row.most) {
      writer_.member(row.name, cut_to(value.as_string(), row.most));
      lost(row.name, Loss::text_cut, std::to_string(row.most));
    } else {
      writer_.member(row.name, value);
    }
  }

  void carry_extension(const json::Value& value) {
    if (const auto fits = catalog::check_extension_schema(value, ""); fits) {
      writer_.member(kManifestExtension, value);
      has_extension_ = true;
    } else {
      lost(kManifestExtension, Loss::extension_replaced, fits.error().message);
    }
  }

  void write_extension() {
    writer_.name(kManifestExtension);
    writer_.begin_object();
    writer_.member("supportsCancellation", features_.cancel);
    writer_.member("supportsInput", features_.input);
    writer_.member("supportsProgress", features_.progress);
    writer_.end_object();
  }

  bool carry_schema_member(const json::Member& member) {
    const bool input = member.name() == "inputSchema";
    const auto schema =
        carry_schema(member.value, input ? schema::Direction::input : schema::Direction::output,
                     std::string("/").append(member.name()));
    if (schema) {
      writer_.raw_member(member.name(), *schema);
    } else if (input) {
      (void)left_out("", Loss::tool_schema_unusable);
    }
    return schema || !input;
  }

  /// The schema as it can be registered: itself, or upgraded from draft-07. Nothing: it cannot be.
  std::optional<std::string> carry_schema(const json::Value& schema, schema::Direction direction,
                                          const std::string& location) {
    std::string text(schema.source());
    if (schema::is_draft_07(schema)) {
      auto upgraded = schema::upgrade_draft_07(schema);
      if (!upgraded) {
        report_.add(tool_, location,
                    loss_text(Loss::schema_not_upgraded, schema::to_string(upgraded.error())));
        return std::nullopt;
      }
      report_.add(tool_, location, loss_text(Loss::schema_upgraded));
      for (const schema::UpgradeChange& change : upgraded->changes) {
        report_.add(tool_, location + change.location,
                    loss_text(Loss::schema_changed, change.change));
      }
      text = std::move(upgraded->text);
    }
    const auto parsed = json::parse_borrowed(text);
    if (!parsed) {
      report_.add(tool_, location,
                  loss_text(Loss::schema_unreadable, json::to_string(parsed.error())));
      return std::nullopt;
    }
    if (json::canonical(parsed->root()).size() > limits_.schema_bytes) {
      report_.add(tool_, location,
                  loss_text(Loss::schema_too_large, std::to_string(limits_.schema_bytes)));
      return std::nullopt;
    }
    const auto compiled = schema::compile_for_registration(parsed->root(), direction);
    if (compiled) return text;
    report_.add(tool_, location,
                loss_text(Loss::schema_not_registered, schema::to_string(compiled.error())));
    return std::nullopt;
  }

  std::string checked() {
    const auto parsed = json::parse_borrowed(text_);
    if (!parsed) return left_out("", Loss::tool_refused, json::to_string(parsed.error()));
    const auto fits = catalog::check_tool_schema(parsed->root(), "");
    if (!fits) return left_out("", Loss::tool_refused, fits.error().message);
    if (has_noncharacters(json::canonical(parsed->root()))) {
      return left_out("", Loss::tool_character);
    }
    const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
    if (std::ranges::any_of(tool_, [](char c) { return c == '\t' || c == '\n' || c == '\r'; })) {
      lost("name", Loss::name_white_space);
    } else if (std::ranges::any_of(tool_, control)) {
      return left_out("/name", Loss::tool_character);
    } else if (!is_recommended_name(tool_)) {
      lost("name", Loss::name_not_recommended);
    }
    return std::move(text_);
  }

  const std::string_view tool_;
  const engine::RuntimeFeatures& features_;
  const catalog::ManifestLimits& limits_;
  LossReport& report_;
  std::string text_;
  json::Writer writer_;
  bool has_extension_ = false;
};

}  // namespace

LossReport::LossReport(std::string_view earlier) : LossReport() {
  const auto parsed = json::parse_borrowed(earlier);
  if (!parsed) return;
  for (const json::Value& item : parsed->root().items()) {
    writer_.value(item);
    ++count_;
  }
}

void LossReport::add(std::string_view tool, std::string_view location, std::string_view loss) {
  if (count_ > kMostLosses) return;
  const bool full = ++count_ > kMostLosses;
  writer_.begin_object();
  writer_.member("tool", full ? std::string_view() : cut_utf8(tool, kNameInReport));
  writer_.member("location", full ? std::string_view() : location);
  writer_.member("loss", full ? loss_text(Loss::report_full) : std::string(loss));
  writer_.end_object();
}

std::string LossReport::finish() {
  writer_.end_array();
  return std::move(text_);
}

std::string carry_tools(const engine::ImportedTools& tools, const engine::RuntimeFeatures& features,
                        const catalog::ManifestLimits& limits, LossReport& report) {
  for (const engine::ImportLoss& lost : tools.losses) {
    report.add(lost.tool, lost.location, lost.loss);
  }
  std::map<std::string, std::string, std::less<>> carried;  // by name: listings may change order
  for (const std::string& definition : tools.definitions) {
    const auto parsed = json::parse_borrowed(definition);
    if (!parsed || !parsed->root().is_object()) {
      report.add("", "", loss_text(Loss::tool_unreadable));
      continue;
    }
    const json::Value* name = parsed->root().find("name");
    if (name == nullptr || !name->is_string() || name->as_string().empty()) {
      report.add("", "/name", loss_text(Loss::tool_unnamed));
      continue;
    }
    const std::string_view tool = name->as_string();
    if (carried.contains(tool)) {
      report.add(tool, "/name", loss_text(Loss::tool_named_twice));
      continue;
    }
    if (carried.size() == catalog::kManifestTools) {
      report.add(tool, "", loss_text(Loss::tools_too_many));
      continue;
    }
    std::string text = ToolCarrier(tool, features, limits, report).carry(parsed->root());
    if (!text.empty()) carried.emplace(tool, std::move(text));
  }
  std::string array = "[";
  for (const auto& [name, text] : carried) array.append(array.size() > 1 ? "," : "").append(text);
  return array.append("]");
}

}  // namespace interline::app
