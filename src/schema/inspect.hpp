// What is inside a compiled Schema, for tests and benches alone.
#pragma once

#include "schema/model.hpp"
#include "schema/program.hpp"
#include "schema/schema.hpp"

namespace interline::schema {

struct Inspect {
  [[nodiscard]] static const Model& model(const Schema& schema);
  [[nodiscard]] static const Program& program(const Schema& schema);
};

}  // namespace interline::schema
