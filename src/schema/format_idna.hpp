// IDNA2008: which Unicode labels may stand in a host name. RFC 5891 section 4.2, with the code
// point classes of RFC 5892 computed from the Unicode properties of the ICU that is installed.
#pragma once

#include <string_view>

namespace interline::schema {

/// RFC 5891 sections 4.2.1 to 4.2.3.3: in NFC, no misplaced hyphens, no leading combining mark, no
/// DISALLOWED or unassigned code point, and every CONTEXTJ and CONTEXTO rule kept. At most 63 code
/// points, which any label that fits into the DNS has. The Bidi rule is apart: it concerns names.
[[nodiscard]] bool is_unicode_label(std::u32string_view label);

/// RFC 5893 section 1.4: a label with a character of class R, AL or AN makes its name a Bidi name.
[[nodiscard]] bool is_right_to_left(std::u32string_view label);
/// RFC 5893 section 2: what every label of a Bidi name has to satisfy.
[[nodiscard]] bool satisfies_bidi_rule(std::u32string_view label);

}  // namespace interline::schema
