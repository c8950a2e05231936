// Loader, third part: what single keywords bring with them: references, patterns, anchors, limits.
#include <algorithm>

#include "schema/bounded_text.hpp"
#include "schema/loader.hpp"
#include "schema/uri.hpp"

namespace interline::schema {
namespace {

/// draft-07 (Validation 6.4): an array of `items` is a prefix, and only then does `additionalItems`
/// count.
KeywordId item_keyword(const json::Value& schema, std::string_view name) {
  const json::Value* items = schema.find("items");
  const bool tuple = items != nullptr && items->is_array();
  if (name == "additionalItems") return tuple ? KeywordId::items : KeywordId::annotation;
  return tuple ? KeywordId::prefix_items : KeywordId::items;
}

}  // namespace

/// Once the shape is right and the subschemas are there.
bool Loader::settle_keyword(NodeId node, Keyword& keyword) {
  const ResourceDialect& dialect = model_.resources[model_.nodes[node].resource].dialect;
  const bool draft_07 = dialect.base == Dialect::draft_07;
  switch (keyword.id) {
    case KeywordId::items:
      if (draft_07) keyword.id = item_keyword(*model_.nodes[node].schema, keyword.name);
      return true;
    case KeywordId::ref:
    case KeywordId::dynamic_ref:
      return add_reference(node, keyword);
    case KeywordId::pattern:
      return add_pattern(node, keyword_step(keyword.name), keyword.value->as_string(),
                         keyword.index);
    case KeywordId::format:
      return settle_format(node, keyword, dialect.refuses_unknown_formats);
    case KeywordId::enum_values:
      model_.enum_values += keyword.value->size();
      if (model_.enum_values <= options_.limits.enum_values) return true;
      return fail(CompileErrorCode::too_large, node, keyword_step(keyword.name),
                  "at most " + std::to_string(options_.limits.enum_values) +
                      " values are allowed in all enums together");
    case KeywordId::unevaluated_items:
    case KeywordId::unevaluated_properties:
      model_.has_unevaluated = true;
      return true;
    case KeywordId::anchor:
    case KeywordId::dynamic_anchor:
      return add_anchor(node, keyword.value->as_string(), keyword.name,
                        keyword.id == KeywordId::dynamic_anchor);
    case KeywordId::id: {
      const std::string_view name = fragment_of(keyword.value->as_string());
      return !draft_07 || name.empty() || add_anchor(node, name, keyword.name, false);
    }
    default:
      return true;
  }
}

bool Loader::settle_format(NodeId node, Keyword& keyword, bool refuse_unknown) {
  if (const auto format = format_named(keyword.value->as_string())) {
    keyword.index = static_cast<std::uint32_t>(*format);
    return true;
  }
  if (!refuse_unknown) return true;
  return fail(CompileErrorCode::invalid_keyword, node, keyword_step(keyword.name),
              "format must be one that the specification defines, since the format-assertion "
              "vocabulary is required");
}

bool Loader::add_reference(NodeId node, Keyword& keyword) {
  if (model_.references.size() >= options_.limits.references) {
    return fail(
        CompileErrorCode::too_large, node, keyword_step(keyword.name),
        "at most " + std::to_string(options_.limits.references) + " references are allowed");
  }
  keyword.index = static_cast<std::uint32_t>(model_.references.size());
  model_.references.push_back({.from = node,
                               .target = kNoNode,
                               .text = keyword.value->as_string(),
                               .dynamic_anchor = {},
                               .dynamic = keyword.id == KeywordId::dynamic_ref});
  return true;
}

bool Loader::add_pattern(NodeId node, Step step, std::string_view text, std::uint32_t& index) {
  if (const auto known = pattern_at_.find(text); known != pattern_at_.end()) {
    index = known->second;
    return true;
  }
  const CompileLimits& limits = options_.limits;
  if (model_.patterns.size() >= limits.patterns) {
    return fail(CompileErrorCode::too_large, node, step,
                "at most " + std::to_string(limits.patterns) + " regular expressions are allowed");
  }
  PatternLimits pattern_limits{.pattern_bytes = limits.pattern_bytes};
  pattern_limits.program_bytes =
      std::min(pattern_limits.program_bytes, limits.program_bytes - pattern_memory_);
  pattern_limits.work = std::min(pattern_limits.work, limits.pattern_work - pattern_work_);
  auto pattern = Pattern::compile(text, pattern_limits);
  if (!pattern) {
    return fail(
        pattern.error().too_large ? CompileErrorCode::too_large : CompileErrorCode::invalid_pattern,
        node, step,
        "must be a regular expression (ECMA-262, u flag); at byte " +
            std::to_string(pattern.error().offset) + ": " + pattern.error().message);
  }
  pattern_memory_ += std::min(pattern->memory(), limits.program_bytes - pattern_memory_);
  pattern_work_ += std::min(pattern->work(), limits.pattern_work - pattern_work_);
  index = static_cast<std::uint32_t>(model_.patterns.size());
  model_.patterns.push_back(std::move(*pattern));
  pattern_at_.emplace(text, index);
  return true;
}

bool Loader::add_anchor(NodeId node, std::string_view name, std::string_view keyword,
                        bool dynamic) {
  Resource& resource = model_.resources[model_.nodes[node].resource];
  const bool fresh = resource.anchors.emplace(std::string(name), node).second;
  if (!fresh) {
    return fail(CompileErrorCode::duplicate_identifier, node, keyword_step(keyword),
                std::string(keyword) + " names another subschema, too: " + quoted(name));
  }
  if (dynamic) resource.dynamic_anchors.emplace(name, node);
  return true;
}

}  // namespace interline::schema
