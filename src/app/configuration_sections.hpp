// Every key of the configuration: its name, type, limits and meaning, and the field it sets. The
// one place where a key is added.
#pragma once

#include "app/configuration.hpp"
#include "app/keys.hpp"

namespace interline::app {

void ask_all(Keys& keys, Configuration& configuration);

// configuration_sections.cpp
void ask_gateway(Keys& keys, GatewaySection& section);
void ask_http(Keys& keys, HttpSection& section);
void ask_xmpp(Keys& keys, XmppSection& section, Lines& lines);
void ask_mcp(Keys& keys, McpSection& section);
void ask_limits(Keys& keys, LimitsSection& section);
void ask_policy(Keys& keys, PolicySection& section);
void ask_egress(Keys& keys, EgressSection& section);
void ask_tasks(Keys& keys, TasksSection& section);
// configuration_tables.cpp; `configuration` holds the tables before this one.
void ask_account(Keys& keys, Configuration& configuration);
void ask_grant(Keys& keys, Configuration& configuration);
void ask_issuer(Keys& keys, Configuration& configuration);
void ask_endpoint(Keys& keys, Configuration& configuration);

}  // namespace interline::app
