// Evaluates a Model keyword by keyword, as the specification words it, and gathers what failed or
// what was annotated. Slower than a Machine and independent of it: the two are tested against each
// other.
//
// Recursion: apply() -> one keyword -> apply(), at most ValidateLimits::depth deep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.hpp"
#include "schema/model.hpp"
#include "schema/schema.hpp"
#include "schema/units.hpp"

namespace interline::schema {

class Collector {
 public:
  enum class Gather : std::uint8_t { errors, annotations };

  Collector(const Model& model, const ValidateLimits& limits, Gather gather);

  [[nodiscard]] Verdict evaluate(const json::Value& instance);

  [[nodiscard]] const Units& units() const { return units_; }
  /// Something was left out: a limit on what is gathered, or the budget.
  [[nodiscard]] bool more() const { return more_ || exceeded_; }

 private:
  /// Which members or items of one value were evaluated.
  struct Evaluated {
    std::vector<bool> marks;
    bool all = false;

    void mark(std::size_t index, std::size_t size);
    void merge(const Evaluated& other);
    [[nodiscard]] bool has(std::size_t index) const {
      return all || (index < marks.size() && marks[index]);
    }
  };
  /// A schema being applied to a value.
  struct Frame {
    NodeId node;
    const json::Value& value;
    std::uint32_t unit;
    bool tracks;  ///< whether somebody asks what was evaluated
    Evaluated evaluated;
    bool condition = false;  ///< what `if` said
  };
  /// What is undone when a branch does not count.
  struct Mark {
    std::size_t units;
    std::size_t gathered;
    bool more;
  };

  // collector.cpp
  bool apply(NodeId node, const json::Value& value, Token schema_token, Token instance_token,
             Evaluated* evaluated);
  bool apply_keywords(Frame& frame);
  bool keyword(Frame& frame, const Keyword& keyword);
  bool evaluate_keyword(Frame& frame, const Keyword& keyword);
  bool fail(std::string message);
  void annotate(std::string json_text);
  bool spend(std::size_t steps);
  [[nodiscard]] bool wants_annotations() const { return gather_ == Gather::annotations; }
  [[nodiscard]] Mark mark() const { return {units_.size(), gathered_, more_}; }
  void undo(const Mark& mark);
  std::uint32_t open(NodeId node, std::string_view keyword, Token schema, Token instance);

  // collector_values.cpp
  bool value_keyword(const Frame& frame, const Keyword& keyword);
  bool number_keyword(double number, const json::Value& value, const Keyword& keyword);
  bool string_keyword(NodeId node, std::string_view text, const Keyword& keyword);
  bool unique_items(std::span<const json::Value> items);
  bool is_one_of(const json::Value& value, std::span<const json::Value> allowed);

  // collector_logic.cpp
  bool logic_keyword(Frame& frame, const Keyword& keyword);
  bool in_place(Frame& frame, NodeId node, Token token);
  bool any_of(Frame& frame, const Keyword& keyword);
  bool one_of(Frame& frame, const Keyword& keyword);
  bool negated(Frame& frame, const Keyword& keyword);
  [[nodiscard]] NodeId target_of(const Keyword& keyword) const;

  // collector_children.cpp
  bool array_keyword(Frame& frame, const Keyword& keyword);
  bool contains(Frame& frame, const Keyword& keyword);
  bool item(Frame& frame, NodeId schema, std::size_t index, Token token);
  bool items_from(Frame& frame, NodeId schema, std::size_t first, bool only_unevaluated);
  bool object_keyword(Frame& frame, const Keyword& keyword);
  bool member(Frame& frame, NodeId schema, std::size_t index, Token token,
              std::vector<std::string_view>& names);
  bool properties(Frame& frame, const Keyword& keyword);
  bool pattern_properties(Frame& frame, const Keyword& keyword);
  bool other_properties(Frame& frame, const Keyword& keyword);
  bool property_names(Frame& frame, const Keyword& keyword);
  bool required(const Frame& frame, std::span<const json::Value> names, std::string_view because);
  bool dependent(Frame& frame, const Keyword& keyword);
  bool is_known_property(const Keyword* properties, const Keyword* patterns, std::string_view name);
  void annotate_names(std::span<const std::string_view> names);

  const Model& model_;
  const Gather gather_;
  std::size_t steps_;
  std::size_t depth_;
  std::size_t gathered_left_ = 0;
  std::size_t gathered_ = 0;
  std::size_t annotation_bytes_ = 0;
  bool exceeded_ = false;
  bool more_ = false;
  bool dynamic_scope_ = false;
  std::uint32_t current_ = kNone;  ///< the unit being evaluated
  std::vector<std::uint32_t> scope_;
  Units units_;
};

}  // namespace interline::schema
