// Why a connection could not be made, for advice: an Error's message is for people, this is for
// tables.
#pragma once

#include <cstdint>

namespace interline::net {

enum class ConnectFault : std::uint8_t {
  other,
  name,         ///< nothing resolves the host's name
  refused,      ///< the machine is there, and nothing listens at that port
  unreachable,  ///< no way to the machine, or no answer from it
  no_tls,       ///< what answers does not speak TLS
  untrusted,    ///< the certificate is signed by nobody whom we trust
  other_host,   ///< the certificate is for other names or addresses
  out_of_date,  ///< the certificate, or one that it depends on, is not valid at this time
};

}  // namespace interline::net
