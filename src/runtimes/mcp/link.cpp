#include "runtimes/mcp/link.hpp"

namespace interline::runtimes::mcp {

protocols::mcp::RequestStamp stamp_of(const Outgoing& outgoing, protocols::mcp::Revision revision,
                                      const std::string& id) {
  protocols::mcp::RequestStamp stamp;
  stamp.revision = revision;
  stamp.client_version = INTERLINE_VERSION;
  stamp.capabilities = outgoing.capabilities;
  if (outgoing.progress) {
    stamp.progress_token = id;
    stamp.log_level = "debug";  // whoever hears it chooses
  }
  stamp.request_key = outgoing.request_key;
  stamp.trace = outgoing.trace;
  return stamp;
}

}  // namespace interline::runtimes::mcp
