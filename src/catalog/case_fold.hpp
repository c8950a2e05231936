// Caseless matching of names for people: NFKC and full case folding, without a locale.
#pragma once

#include <string>
#include <string_view>

namespace interline::catalog {

/// The form in which texts are compared (Unicode, "toNFKC_Casefold"). Invalid UTF-8 gives "".
[[nodiscard]] std::string fold_case(std::string_view text);

}  // namespace interline::catalog
