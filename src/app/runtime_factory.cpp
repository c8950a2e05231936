#include "app/runtime_factory.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "runtimes/builtin/builtin_runtime.hpp"
#include "runtimes/exec/exec_runtime.hpp"
#include "runtimes/mcp/mcp_runtime.hpp"
#include "runtimes/script/script_runtime.hpp"

namespace interline::app {
namespace {

using Made = std::shared_ptr<engine::Runtime>;

net::Program program_of(const EndpointTable& endpoint, const RuntimeServices& services) {
  net::Program program;
  program.command = endpoint.runtime.command;
  program.directory = services.directory.string();
  program.environment = endpoint.runtime.environment;
  const auto& more = endpoint.runtime.inherit;
  program.inherit.insert(program.inherit.end(), more.begin(), more.end());
  return program;
}

Made make_builtin(const EndpointTable&, const RuntimeServices& services) {
  return std::make_shared<runtimes::builtin::BuiltinRuntime>(services.executor);
}

runtimes::ProcessConfiguration processes_of(const EndpointTable& endpoint,
                                            const RuntimeServices& services) {
  runtimes::ProcessConfiguration configuration;
  configuration.program = program_of(endpoint, services);
  configuration.processes = endpoint.processes;
  configuration.concurrency = endpoint.concurrency;
  configuration.cold_start = endpoint.cold_start;
  if (services.processes) configuration.counters = services.processes;
  return configuration;
}

Made make_exec(const EndpointTable& endpoint, const RuntimeServices& services) {
  return std::make_shared<runtimes::exec::ExecRuntime>(
      services.executor, processes_of(endpoint, services), services.log);
}

Made make_mcp(const EndpointTable& endpoint, const RuntimeServices& services) {
  runtimes::mcp::McpConfiguration configuration;
  configuration.process = processes_of(endpoint, services);
  return std::make_shared<runtimes::mcp::McpRuntime>(services.executor, std::move(configuration),
                                                     services.log);
}

Made make_script(const EndpointTable& endpoint, const RuntimeServices& services) {
  return std::make_shared<runtimes::script::ScriptRuntime>(services.executor,
                                                           endpoint.runtime.file);
}

struct MakerRow {
  RuntimeKind kind;
  Made (*make)(const EndpointTable&, const RuntimeServices&);
  bool processes;
};
constexpr std::array kMakers = {
    MakerRow{RuntimeKind::builtin, make_builtin, false},
    MakerRow{RuntimeKind::exec, make_exec, true},
    MakerRow{RuntimeKind::mcp, make_mcp, true},
    MakerRow{RuntimeKind::script, make_script, false},
};

const MakerRow* find_maker(RuntimeKind kind) {
  const auto row = std::ranges::find(kMakers, kind, &MakerRow::kind);
  return row == kMakers.end() ? nullptr : &*row;
}

}  // namespace

bool has_runtime(RuntimeKind kind) {
  return find_maker(kind) != nullptr;
}

bool has_processes(RuntimeKind kind) {
  const MakerRow* row = find_maker(kind);
  return row != nullptr && row->processes;
}

std::shared_ptr<engine::Runtime> make_runtime(const EndpointTable& endpoint,
                                              const RuntimeServices& services) {
  return find_maker(endpoint.runtime.kind)->make(endpoint, services);
}

}  // namespace interline::app
