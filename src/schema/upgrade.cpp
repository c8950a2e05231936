#include "schema/upgrade.hpp"

#include "schema/dialect.hpp"
#include "schema/upgrade_model.hpp"
#include "schema/upgrade_write.hpp"

namespace interline::schema {

bool is_draft_07(const json::Value& root) {
  const json::Value* const dialect = root.find("$schema");
  return dialect != nullptr && dialect->is_string() &&
         builtin_dialect(dialect->as_string()) == Dialect::draft_07;
}

std::expected<Upgraded, CompileError> upgrade_draft_07(const json::Value& root) {
  const std::expected<upgrading::Model, CompileError> model = upgrading::Model::of(root);
  if (!model) return std::unexpected(model.error());
  return upgrading::write(*model, root);
}

}  // namespace interline::schema
