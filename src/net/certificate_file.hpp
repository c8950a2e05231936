// When a certificate ends: OpenSSL serves one that has, and only its clients complain.
#pragma once

#include <chrono>
#include <string>

#include "base/error.hpp"

namespace interline::net {

/// RFC 5280 4.1.2.5, notAfter of a PEM file's first certificate. Errors: unavailable.
[[nodiscard]] Result<std::chrono::sys_seconds> certificate_end(const std::string& file);

}  // namespace interline::net
