// event.schema.json of the specification, as a validator for each type of event.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "schema/schema.hpp"

namespace interline::testing {

class EventSchemas {
 public:
  EventSchemas();
  /// Whether the JSON text is a body of that type.
  [[nodiscard]] bool holds(const std::string& type, std::string_view body) const;

 private:
  std::map<std::string, schema::Schema> schemas_;
};

}  // namespace interline::testing
