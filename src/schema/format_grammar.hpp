// The grammars behind format.hpp, one function each; format_*.cpp holds them by family. All read
// their text once, left to right, and are linear in it.
#pragma once

#include <cstddef>
#include <string_view>

namespace interline::schema::grammar {

// format_time.cpp: RFC 3339, section 5.6 and appendix A.
[[nodiscard]] bool date_time(std::string_view text);
[[nodiscard]] bool date(std::string_view text);
[[nodiscard]] bool time(std::string_view text);
[[nodiscard]] bool duration(std::string_view text);

// format_email.cpp: RFC 5321 section 4.1.2 Mailbox, and RFC 6531 section 3.3.
[[nodiscard]] bool email(std::string_view text);
[[nodiscard]] bool idn_email(std::string_view text);

// format_hostname.cpp: RFC 1123 section 2.1, RFC 5890 section 2.3.2.3.
[[nodiscard]] bool hostname(std::string_view text);
[[nodiscard]] bool idn_hostname(std::string_view text);
/// Letters, digits and hyphens alone: what RFC 1123 asks for, whatever "xn--" labels hold.
[[nodiscard]] bool ldh_name(std::string_view text);

// format_address.cpp: RFC 2673 section 3.2, RFC 4291 section 2.2.
[[nodiscard]] bool ipv4(std::string_view text);
[[nodiscard]] bool ipv6(std::string_view text);

// format_uri.cpp: RFC 3986 appendix A, RFC 3987 section 2.2.
[[nodiscard]] bool uri(std::string_view text);
[[nodiscard]] bool uri_reference(std::string_view text);
[[nodiscard]] bool iri(std::string_view text);
[[nodiscard]] bool iri_reference(std::string_view text);

// format_uri_template.cpp: RFC 6570 section 2.
[[nodiscard]] bool uri_template(std::string_view text);

// format_pointer.cpp: RFC 4122 section 3, RFC 6901 section 3, relative-json-pointer-00 section 3.
[[nodiscard]] bool uuid(std::string_view text);
[[nodiscard]] bool json_pointer(std::string_view text);
[[nodiscard]] bool relative_json_pointer(std::string_view text);

}  // namespace interline::schema::grammar
