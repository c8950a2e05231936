// Every operation of this binding, a function each; grouped by file.
#pragma once

#include "bindings/xmpp/call.hpp"

namespace interline::xmpp {

// gateway.cpp: service discovery of the gateway, the directory, ping
awaitable<Answer> gateway_info(Services& services, const Call& call);
awaitable<Answer> directory(Services& services, const Call& call);
awaitable<Answer> gateway_ping(Services& services, const Call& call);
// search.cpp: XEP-0055
awaitable<Answer> search(Services& services, const Call& call);
// endpoint.cpp: service discovery of endpoints, tool collections and tools, ping
awaitable<Answer> endpoint_info(Services& services, const Call& call);
awaitable<Answer> endpoint_items(Services& services, const Call& call);
awaitable<Answer> endpoint_ping(Services& services, const Call& call);
// manifest.cpp: manifests and schemas
awaitable<Answer> manifest(Services& services, const Call& call);
awaitable<Answer> tool_schema(Services& services, const Call& call);
// registration.cpp: Self Registration and Administrative Provisioning
awaitable<Answer> register_manifest(Services& services, const Call& call);
awaitable<Answer> activate(Services& services, const Call& call);
awaitable<Answer> deactivate(Services& services, const Call& call);
awaitable<Answer> registration_status(Services& services, const Call& call);
awaitable<Answer> remove_version(Services& services, const Call& call);
awaitable<Answer> remove_endpoint(Services& services, const Call& call);
// vcard.cpp: XEP-0054 and XEP-0292
awaitable<Answer> vcard_temp(Services& services, const Call& call);
awaitable<Answer> vcard4(Services& services, const Call& call);
awaitable<Answer> vcard4_pubsub(Services& services, const Call& call);
[[nodiscard]] bool is_vcard4_request(Element pubsub);
// invoke.cpp, task.cpp, input.cpp, cancel.cpp: Task Execution and Interactive Tasks
awaitable<Answer> invoke(Services& services, const Call& call);
awaitable<Answer> task_state(Services& services, const Call& call);
awaitable<Answer> task_result(Services& services, const Call& call);
awaitable<Answer> provide_input(Services& services, const Call& call);
awaitable<Answer> cancel_task(Services& services, const Call& call);

}  // namespace interline::xmpp
