#include "net/errors.hpp"

#include <string>

namespace interline::net {

Error to_error(std::string_view what, const boost::system::error_code& code) {
  std::string message(what);
  message += ": ";
  message += code.message();
  return {ErrorKind::unavailable, std::move(message)};
}

Error to_error(std::string_view what, int system_errno) {
  return to_error(what, boost::system::error_code(system_errno, boost::system::system_category()));
}

Error timed_out(std::string_view what) {
  std::string message(what);
  message += ": timed out";
  return {ErrorKind::unavailable, ErrorReason::expired, std::move(message)};
}

Error connection_closed() {
  return {ErrorKind::unavailable, "the connection is closed"};
}

}  // namespace interline::net
