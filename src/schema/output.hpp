// The output formats of JSON Schema 2020-12 Core, section 12.4, from gathered units.
#pragma once

#include <string>

#include "schema/model.hpp"
#include "schema/schema.hpp"
#include "schema/units.hpp"

namespace interline::schema {

inline constexpr std::size_t kLocationBytes = 256;
inline constexpr std::size_t kUriBytes = 1'024;

/// {"valid": ...}, and an "error" beside it where there is one: no verdict was reached.
[[nodiscard]] std::string flag_output(bool valid, std::string_view error = {});

/// Core 12.4.2 and 12.4.3. A `"truncated": true` beside them says that units were left out.
[[nodiscard]] std::string basic_output(const Model& model, const Units& units, bool valid,
                                       bool truncated);
[[nodiscard]] std::string detailed_output(const Model& model, const Units& units, bool valid,
                                          bool truncated);

/// Where no unit says anything: the budget was spent before the first.
[[nodiscard]] std::string bare_output(bool valid, std::string_view error);

/// The errors of the units, in the order of evaluation.
[[nodiscard]] std::vector<ValidationError> errors_of(const Model& model, const Units& units);

}  // namespace interline::schema
