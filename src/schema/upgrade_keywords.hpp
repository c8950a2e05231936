// What becomes of each keyword of a draft-07 schema in 2020-12, as one table; and where the schemas
// below a keyword are found in both.
#pragma once

#include <cstdint>
#include <string_view>

#include "json/value.hpp"

namespace interline::schema::upgrading {

enum class Treatment : std::uint8_t {
  data,              ///< copied, or unknown and copied
  schema,            ///< holds a schema
  schema_array,      ///< holds an array of schemas
  schema_map,        ///< holds schemas by name
  definitions,       ///< `definitions`, and `$defs`, which authors of draft-07 use alike
  items,             ///< an array becomes `prefixItems`
  additional_items,  ///< becomes `items` beside an array, decides nothing elsewhere
  dependencies,      ///< becomes `dependentRequired` and `dependentSchemas`
  reference,         ///< `$ref`: its siblings are ignored
  identifier,        ///< `$id`, whose fragment becomes `$anchor`
  dialect,           ///< `$schema`
  words,             ///< for people; kept even beside `$ref`
  boolean,           ///< 2020-12 wants a boolean, draft-07 does not know it
  removed,           ///< draft-07 does not know it, 2020-12 would act on it
};

[[nodiscard]] Treatment treatment_of(std::string_view keyword);

/// Whether `$ref` makes the schema a reference and nothing else (draft-07 Core 8.3).
[[nodiscard]] bool is_reference(const json::Value& schema);

/// What a member of a draft-07 schema object holds, and the 2020-12 keyword that holds it then.
struct Place {
  enum class Holds : std::uint8_t {
    data,
    schema,
    schema_array,
    schema_map,
    dependencies,  ///< a schema_map, but for the arrays in it
  };
  Holds holds = Holds::data;
  std::string_view keyword;
};
[[nodiscard]] Place place_of(const json::Value& schema, std::string_view keyword);

}  // namespace interline::schema::upgrading
