#include "schema/metaschemas.hpp"

#include <array>

namespace interline::schema {
namespace {

struct BuiltinRow {
  std::string_view uri;
  const std::string_view& text;
};

constexpr BuiltinRow kBuiltins[] = {
    {"https://json-schema.org/draft/2020-12/schema", texts::kSchema},
    {"https://json-schema.org/draft/2020-12/meta/core", texts::kCore},
    {"https://json-schema.org/draft/2020-12/meta/applicator", texts::kApplicator},
    {"https://json-schema.org/draft/2020-12/meta/unevaluated", texts::kUnevaluated},
    {"https://json-schema.org/draft/2020-12/meta/validation", texts::kValidation},
    {"https://json-schema.org/draft/2020-12/meta/meta-data", texts::kMetaData},
    {"https://json-schema.org/draft/2020-12/meta/format-annotation", texts::kFormatAnnotation},
    {"https://json-schema.org/draft/2020-12/meta/format-assertion", texts::kFormatAssertion},
    {"https://json-schema.org/draft/2020-12/meta/content", texts::kContent},
    {"http://json-schema.org/draft-07/schema", texts::kDraft07},
};

}  // namespace

std::string_view builtin_document(std::string_view uri) {
  for (const BuiltinRow& row : kBuiltins) {
    if (row.uri == uri) return row.text;
  }
  return {};
}

}  // namespace interline::schema
