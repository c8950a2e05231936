// Writes a scanned draft-07 schema as 2020-12.
#pragma once

#include "schema/upgrade.hpp"
#include "schema/upgrade_model.hpp"

namespace interline::schema::upgrading {

[[nodiscard]] std::expected<Upgraded, CompileError> write(const Model& model,
                                                          const json::Value& root);

}  // namespace interline::schema::upgrading
