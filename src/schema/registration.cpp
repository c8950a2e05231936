#include "schema/registration.hpp"

#include "schema/registration_keywords.hpp"

namespace interline::schema {
namespace {

std::unexpected<CompileError> error(CompileErrorCode code, std::string location,
                                    std::string message) {
  return std::unexpected(CompileError{code, "", std::move(location), std::move(message)});
}

}  // namespace

std::expected<Schema, CompileError> compile_for_registration(const json::Value& root,
                                                             Direction direction,
                                                             const CompileOptions& options) {
  if (!root.is_object()) {
    return error(CompileErrorCode::not_a_schema, "", "a tool's schema must be a JSON object");
  }
  CompileOptions strict = options;
  strict.default_dialect = Dialect::draft_2020_12;
  strict.refuse_keyword = refuse_for_registration;
  std::expected<Schema, CompileError> schema = Schema::compile(root, strict);
  if (!schema || direction == Direction::output) return schema;

  const json::Value* const type = root.find("type");
  if (type == nullptr || type->get_string() != "object") {
    return error(CompileErrorCode::invalid_keyword, type == nullptr ? "" : "/type",
                 "an input schema must have \"type\":\"object\" at its root");
  }
  return schema;
}

}  // namespace interline::schema
