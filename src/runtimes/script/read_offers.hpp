// The tables of an agent: [[tool]], [[prompt]], [[resource]], [[resource_template]]. Each reads one
// and writes the definition that MCP clients see.
#pragma once

#include "runtimes/script/agent.hpp"
#include "runtimes/script/fields.hpp"

namespace interline::runtimes::script {

[[nodiscard]] Tool read_tool(Reading& reading, const json::Value& table);
[[nodiscard]] Prompt read_prompt(Reading& reading, const json::Value& table);
[[nodiscard]] Resource read_resource(Reading& reading, const json::Value& table);
[[nodiscard]] ResourceTemplate read_resource_template(Reading& reading, const json::Value& table);

}  // namespace interline::runtimes::script
