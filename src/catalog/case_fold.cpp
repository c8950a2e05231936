#include "catalog/case_fold.hpp"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>

namespace interline::catalog {

std::string fold_case(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* fold = icu::Normalizer2::getNFKCCasefoldInstance(status);
  std::string folded;
  if (U_FAILURE(status)) return folded;
  icu::StringByteSink<std::string> sink(&folded);
  fold->normalizeUTF8(0, icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())),
                      sink, nullptr, status);
  if (U_FAILURE(status)) folded.clear();
  return folded;
}

}  // namespace interline::catalog
