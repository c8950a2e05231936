// The Date field's format.
#pragma once

#include <ctime>
#include <string>

namespace interline::net::http {

/// RFC 9110 section 5.6.7: "Sun, 06 Nov 1994 08:49:37 GMT".
[[nodiscard]] std::string format_date(std::time_t seconds);

}  // namespace interline::net::http
