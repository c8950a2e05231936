#include "schema/output.hpp"

#include <utility>

#include "json/writer.hpp"
#include "schema/messages.hpp"

namespace interline::schema {
namespace {

bool says_something(const Unit& unit) {
  return !unit.error.empty() || !unit.annotation.empty();
}

/// The tree without the nodes that Core 12.4.3 takes out: those without children, and those that
/// only lead to one.
class Condensed {
 public:
  explicit Condensed(const Units& units) : children_(units.size()) {
    // A parent stands before its children: from the back, each is complete when it is reached.
    for (std::size_t i = units.size(); i-- > 1;) {
      auto& own = children_[i];
      std::vector<std::uint32_t>& above = children_[units[i].parent];
      if (says_something(units[i]) || own.size() > 1) {
        above.insert(above.begin(), static_cast<std::uint32_t>(i));
      } else if (own.size() == 1) {
        above.insert(above.begin(), own.front());
      }
    }
  }
  [[nodiscard]] const std::vector<std::uint32_t>& children(std::uint32_t unit) const {
    return children_[unit];
  }

 private:
  std::vector<std::vector<std::uint32_t>> children_;
};

class OutputWriter {
 public:
  OutputWriter(const Model& model, const Units& units, bool valid)
      : model_(model), units_(units), valid_(valid), condensed_(units), writer_(text_) {}

  std::string basic(bool truncated) {
    begin_root(truncated);
    if (!valid_) flat_unit(0);
    if (valid_ && says_something(units_[0])) flat_unit(0);
    flat_children(0);
    end_root();
    return std::move(text_);
  }

  std::string detailed(bool truncated) {
    begin_root(truncated);
    if (says_something(units_[0])) flat_unit(0);
    for (const std::uint32_t child : condensed_.children(0)) nested_unit(child);
    end_root();
    return std::move(text_);
  }

 private:
  void begin_root(bool truncated) {
    writer_.begin_object();
    writer_.member("valid", valid_);
    writer_.member("keywordLocation", "");
    writer_.member("instanceLocation", "");
    if (truncated) writer_.member("truncated", true);
    writer_.name(valid_ ? "annotations" : "errors");
    writer_.begin_array();
  }
  void end_root() {
    writer_.end_array();
    writer_.end_object();
  }

  void begin_unit(std::uint32_t index) {
    const Unit& unit = units_[index];
    writer_.begin_object();
    writer_.member("valid", valid_);
    writer_.member("keywordLocation", keyword_location(units_, index, kLocationBytes));
    const std::string absolute = absolute_location(model_, unit, kUriBytes);
    if (!absolute.empty()) writer_.member("absoluteKeywordLocation", absolute);
    writer_.member("instanceLocation", instance_location(units_, index, kLocationBytes));
    if (!unit.error.empty()) writer_.member("error", unit.error);
    if (!unit.annotation.empty()) writer_.raw_member("annotation", unit.annotation);
  }

  void flat_unit(std::uint32_t index) {
    begin_unit(index);
    if (!says_something(units_[index])) writer_.member("error", kSubschema);
    writer_.end_object();
  }
  // Both recursions follow the tree of evaluation, whose depth ValidateLimits bounds.
  void flat_children(std::uint32_t index) {
    for (const std::uint32_t child : condensed_.children(index)) {
      if (!valid_ || says_something(units_[child])) flat_unit(child);
      flat_children(child);
    }
  }
  void nested_unit(std::uint32_t index) {
    begin_unit(index);
    if (!condensed_.children(index).empty()) {
      writer_.name(valid_ ? "annotations" : "errors");
      writer_.begin_array();
      for (const std::uint32_t child : condensed_.children(index)) nested_unit(child);
      writer_.end_array();
    }
    writer_.end_object();
  }

  const Model& model_;
  const Units& units_;
  const bool valid_;
  Condensed condensed_;
  std::string text_;
  json::Writer writer_;
};

}  // namespace

std::string flag_output(bool valid, std::string_view error) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("valid", valid);
  if (!error.empty()) writer.member("error", error);
  writer.end_object();
  return text;
}

std::string basic_output(const Model& model, const Units& units, bool valid, bool truncated) {
  return OutputWriter(model, units, valid).basic(truncated);
}

std::string detailed_output(const Model& model, const Units& units, bool valid, bool truncated) {
  return OutputWriter(model, units, valid).detailed(truncated);
}

std::string bare_output(bool valid, std::string_view error) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("valid", valid);
  writer.member("keywordLocation", "");
  writer.member("instanceLocation", "");
  if (!error.empty()) writer.member("error", error);
  if (valid) writer.raw_member("annotations", "[]");
  writer.end_object();
  return text;
}

std::vector<ValidationError> errors_of(const Model& model, const Units& units) {
  std::vector<ValidationError> errors;
  for (std::uint32_t i = 0; i < units.size(); ++i) {
    if (units[i].error.empty()) continue;
    errors.push_back({instance_location(units, i, kLocationBytes),
                      keyword_location(units, i, kLocationBytes),
                      absolute_location(model, units[i], kUriBytes), units[i].error});
  }
  return errors;
}

}  // namespace interline::schema
