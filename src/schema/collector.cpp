#include "schema/collector.hpp"

#include <algorithm>
#include <utility>

#include "schema/messages.hpp"

namespace interline::schema {
namespace {

/// JSON text of all annotations together: what an instance can make grow, by its names.
constexpr std::size_t kAnnotationBytes = 256U << 10U;

}  // namespace

Collector::Collector(const Model& model, const ValidateLimits& limits, Gather gather)
    : model_(model),
      gather_(gather),
      steps_(limits.steps),
      depth_(limits.depth),
      gathered_left_(gather == Gather::errors ? limits.errors : limits.annotations) {
  dynamic_scope_ = std::ranges::any_of(model.references, [](const Reference& reference) {
    return !reference.dynamic_anchor.empty();
  });
}

Verdict Collector::evaluate(const json::Value& instance) {
  const bool holds = apply(model_.root, instance, {}, {}, nullptr);
  if (exceeded_) return Verdict::budget_exceeded;
  return holds ? Verdict::valid : Verdict::invalid;
}

bool Collector::apply(NodeId node, const json::Value& value, Token schema_token,
                      Token instance_token, Evaluated* evaluated) {
  if (depth_ == 0 || !spend(1)) {
    exceeded_ = true;
    return false;
  }
  const Mark before = mark();
  const std::uint32_t outer = current_;
  current_ = open(node, {}, schema_token, instance_token);
  const std::uint32_t resource = model_.nodes[node].resource;
  const bool enters = dynamic_scope_ && !model_.resources[resource].dynamic_anchors.empty() &&
                      std::ranges::find(scope_, resource) == scope_.end();
  if (enters) scope_.push_back(resource);
  --depth_;
  Frame frame{.node = node,
              .value = value,
              .unit = current_,
              .tracks = evaluated != nullptr,
              .evaluated = {}};
  const bool holds = apply_keywords(frame) && !exceeded_;
  ++depth_;
  if (enters) scope_.pop_back();
  if (holds && evaluated != nullptr) {
    spend(1 + frame.evaluated.marks.size() / 64);
    evaluated->merge(frame.evaluated);
  }
  // Errors of a schema that holds and annotations of one that does not are nobody's.
  const bool empty = units_.size() == before.units + 1 && units_.back().error.empty() &&
                     units_.back().annotation.empty();
  if (!exceeded_ && holds != wants_annotations()) {
    undo(before);
  } else if (empty) {
    units_.pop_back();
  }
  current_ = outer;
  return holds;
}

bool Collector::apply_keywords(Frame& frame) {
  const json::Value& schema = *model_.nodes[frame.node].schema;
  if (schema.is_boolean()) {
    return schema.as_bool() || fail(std::string(kNothingAllowed));
  }
  const auto keywords = model_.keywords_of(frame.node);
  frame.tracks = frame.tracks || std::ranges::any_of(keywords, [](const Keyword& keyword) {
                   return keyword.id == KeywordId::unevaluated_items ||
                          keyword.id == KeywordId::unevaluated_properties;
                 });
  bool holds = true;
  for (const Keyword& each : keywords) {
    if (!keyword(frame, each)) holds = false;
    // All errors are wanted; of a schema that failed, no annotations are.
    if (exceeded_ || (!holds && wants_annotations())) break;
  }
  return holds;
}

bool Collector::keyword(Frame& frame, const Keyword& keyword) {
  if (!spend(1)) return false;
  const Mark before = mark();
  current_ = open(frame.node, keyword.name, Token::of_name(keyword.name), {});
  const bool holds = evaluate_keyword(frame, keyword);
  const Unit& unit = units_[current_];
  const bool empty =
      units_.size() == before.units + 1 && unit.error.empty() && unit.annotation.empty();
  if (!exceeded_ && holds != wants_annotations()) {
    undo(before);
  } else if (empty) {
    units_.pop_back();
  }
  current_ = frame.unit;
  return holds;
}

bool Collector::evaluate_keyword(Frame& frame, const Keyword& keyword) {
  const auto id = keyword.id;
  if (id <= KeywordId::unique_items) return value_keyword(frame, keyword);
  if (id >= KeywordId::ref && id <= KeywordId::else_schema) return logic_keyword(frame, keyword);
  if (id >= KeywordId::prefix_items && id <= KeywordId::min_contains) {
    return !frame.value.is_array() || array_keyword(frame, keyword);
  }
  if (id == KeywordId::unevaluated_items) {
    return !frame.value.is_array() || array_keyword(frame, keyword);
  }
  if (id <= KeywordId::unevaluated_properties) {
    return !frame.value.is_object() || object_keyword(frame, keyword);
  }
  const bool text_only = keyword.name.starts_with("content");
  // Validation 8.5: contentSchema says something of the media type that stands beside it only.
  const bool applies = id == KeywordId::annotation ||
                       (id == KeywordId::content_schema &&
                        model_.nodes[frame.node].schema->find("contentMediaType") != nullptr);
  if (applies && (!text_only || frame.value.is_string())) {
    annotate(wants_annotations() ? std::string(keyword.value->source()) : std::string());
  }
  return true;
}

std::uint32_t Collector::open(NodeId node, std::string_view keyword, Token schema, Token instance) {
  Unit unit;
  unit.parent = current_;
  unit.node = node;
  unit.keyword = keyword;
  unit.schema_token = schema;
  unit.instance_token = instance;
  units_.push_back(std::move(unit));
  return static_cast<std::uint32_t>(units_.size() - 1);
}

void Collector::undo(const Mark& mark) {
  units_.erase(units_.begin() + static_cast<std::ptrdiff_t>(mark.units), units_.end());
  gathered_ = mark.gathered;
  more_ = mark.more;
}

bool Collector::fail(std::string message) {
  if (wants_annotations() || exceeded_) return false;
  if (gathered_ >= gathered_left_) {
    more_ = true;
    return false;
  }
  ++gathered_;
  units_[current_].error = std::move(message);
  return false;
}

void Collector::annotate(std::string json_text) {
  if (!wants_annotations()) return;
  if (gathered_ >= gathered_left_ || json_text.size() > kAnnotationBytes - annotation_bytes_) {
    more_ = true;
    return;
  }
  ++gathered_;
  annotation_bytes_ += json_text.size();
  units_[current_].annotation = std::move(json_text);
}

bool Collector::spend(std::size_t steps) {
  if (steps <= steps_) {
    steps_ -= steps;
    return true;
  }
  steps_ = 0;
  exceeded_ = true;
  return false;
}

void Collector::Evaluated::mark(std::size_t index, std::size_t size) {
  if (marks.size() < size) marks.resize(size);
  marks[index] = true;
}

void Collector::Evaluated::merge(const Evaluated& other) {
  all = all || other.all;
  if (all) return;
  if (marks.size() < other.marks.size()) marks.resize(other.marks.size());
  for (std::size_t i = 0; i < other.marks.size(); ++i) {
    if (other.marks[i]) marks[i] = true;
  }
}

}  // namespace interline::schema
