// The built-in documents: the meta-schemas of 2020-12 (one a vocabulary) and of draft-07.
#pragma once

#include <string_view>

namespace interline::schema {

/// The text of the built-in document with that absolute URI, without fragment; empty if there is
/// none.
[[nodiscard]] std::string_view builtin_document(std::string_view uri);

namespace texts {
extern const std::string_view kSchema;
extern const std::string_view kCore;
extern const std::string_view kApplicator;
extern const std::string_view kUnevaluated;
extern const std::string_view kValidation;
extern const std::string_view kMetaData;
extern const std::string_view kFormatAnnotation;
extern const std::string_view kFormatAssertion;
extern const std::string_view kContent;
extern const std::string_view kDraft07;
}  // namespace texts

}  // namespace interline::schema
