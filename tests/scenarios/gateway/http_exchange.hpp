// One HTTP request on a blocking socket, its answer read to the end of the connection: as little as
// a test needs, and nothing that the gateway's own code could hide a mistake in.
#pragma once

#include <functional>
#include <string>

namespace interline::testing {

/// Opens a socket to "127.0.0.1:8080" or "unix:/path"; -1 if nobody listens.
[[nodiscard]] int open_socket(const std::string& address);

/// Sends `request` and gives each piece of the answer to `more` until that returns false or the
/// peer closes. False: no connection.
bool exchange(const std::string& address, const std::string& request,
              const std::function<bool(const std::string& all)>& more);

}  // namespace interline::testing
