#include "schema/schema.hpp"

#include <array>

#include "schema/bounded_text.hpp"
#include "schema/collector.hpp"
#include "schema/in_place.hpp"
#include "schema/inspect.hpp"
#include "schema/loader.hpp"
#include "schema/lower.hpp"
#include "schema/machine.hpp"
#include "schema/output.hpp"

namespace interline::schema {
namespace {

constexpr std::array<std::string_view, 10> kCodes = {
    "not a schema",         "invalid keyword",
    "unsupported dialect",  "unsupported vocabulary",
    "unsupported keyword",  "unresolved reference",
    "endless loop",         "invalid pattern",
    "duplicate identifier", "too large"};
static_assert(kCodes.size() == static_cast<std::size_t>(CompileErrorCode::too_large) + 1);

constexpr std::string_view kBudgetError = "undecided: the budget for validating was spent";
constexpr std::string_view kNoReason =
    "does not match the schema; the budget for finding the reasons was spent";

CompileError error_at(const Model& model, NodeId node, CompileErrorCode code,
                      std::string_view keyword, std::string message) {
  std::string location = pointer_in_document(model, node);
  if (!keyword.empty()) append_step(location, keyword_step(keyword));
  return {code, model.documents[model.nodes[node].document].uri, bounded(location, 1'024),
          std::move(message)};
}

}  // namespace

struct Schema::Program {
  Model model;
  schema::Program code;
};

std::expected<Schema, CompileError> Schema::compile(const json::Value& root,
                                                    const CompileOptions& options) {
  auto program = std::make_shared<Program>();
  Model& model = program->model;
  if (auto loaded = Loader(model, options).load(root); !loaded) {
    return std::unexpected(std::move(loaded.error()));
  }
  const auto order = in_place_order(model);
  if (!order) {
    return std::unexpected(error_at(
        model, order.error().node, CompileErrorCode::endless_loop, order.error().keyword->name,
        std::string(order.error().keyword->name) +
            " must not lead back to its own schema for the same value: that would never end"));
  }
  if (const auto lowered = Lowering(model, program->code, options.limits).run(*order); !lowered) {
    return std::unexpected(error_at(model, lowered.error().node, CompileErrorCode::too_large,
                                    lowered.error().keyword, std::string(lowered.error().message)));
  }
  return Schema(std::move(program));
}

Verdict Schema::validate(const json::Value& instance, const ValidateLimits& limits) const {
  return Machine(program_->model, program_->code, limits).validate(instance);
}

Report Schema::report(const json::Value& instance, const ValidateLimits& limits) const {
  Report report{.verdict = validate(instance, limits), .errors = {}};
  if (report.verdict != Verdict::invalid) return report;
  Collector collector(program_->model, limits, Collector::Gather::errors);
  static_cast<void>(collector.evaluate(instance));  // validate() has the verdict
  report.errors = errors_of(program_->model, collector.units());
  report.more = collector.more();
  if (report.errors.empty() && limits.errors > 0) {
    report.errors.push_back({"", "", "", std::string(kNoReason)});
  }
  return report;
}

std::string Schema::output(const json::Value& instance, OutputFormat format,
                           const ValidateLimits& limits) const {
  const Verdict verdict = validate(instance, limits);
  const bool valid = verdict == Verdict::valid;
  if (format == OutputFormat::flag) {
    return verdict == Verdict::budget_exceeded ? flag_output(false, kBudgetError)
                                               : flag_output(valid);
  }
  if (verdict == Verdict::budget_exceeded) return bare_output(false, kBudgetError);
  Collector collector(program_->model, limits,
                      valid ? Collector::Gather::annotations : Collector::Gather::errors);
  static_cast<void>(collector.evaluate(instance));
  const Units& units = collector.units();
  if (units.empty()) return bare_output(valid, valid ? "" : kNoReason);
  return format == OutputFormat::basic
             ? basic_output(program_->model, units, valid, collector.more())
             : detailed_output(program_->model, units, valid, collector.more());
}

Dialect Schema::dialect() const {
  const Model& model = program_->model;
  return model.resources[model.nodes[model.root].resource].dialect.base;
}

std::size_t Schema::memory() const {
  return sizeof(Program) + program_->model.memory() + program_->code.memory();
}

const Model& Inspect::model(const Schema& schema) {
  return schema.program_->model;
}

const Program& Inspect::program(const Schema& schema) {
  return schema.program_->code;
}

std::string to_string(const CompileError& error) {
  std::string out = error.document + "#" + error.location + ": " +
                    std::string(kCodes.at(static_cast<std::size_t>(error.code)));
  if (!error.message.empty()) out += ": " + error.message;
  return printable(out);
}

Error to_error(const CompileError& error) {
  if (error.code == CompileErrorCode::too_large) {
    return {ErrorKind::resource_constraint, ErrorReason::too_large, to_string(error)};
  }
  return {ErrorKind::not_acceptable, to_string(error)};
}

}  // namespace interline::schema
