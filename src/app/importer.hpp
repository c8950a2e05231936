// From an endpoint's table and its runtime's tools to a manifest: what XMPP cannot carry is changed
// or left out here, and written down.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/configuration.hpp"
#include "base/error.hpp"
#include "catalog/manifest.hpp"
#include "engine/runtime.hpp"

namespace interline::app {

struct Imported {
  std::shared_ptr<const catalog::Manifest> manifest;
  /// JSON array text, `[]` if nothing was lost: {"tool", "location", "loss"} each.
  std::string loss_report;
};

/// What manifests are made with; of the whole configuration.
struct ImportSettings {
  std::string domain;  ///< the XMPP component's, or "localhost"
  catalog::ManifestLimits limits;
  std::optional<std::size_t> stanza_out;  ///< bytes of a stanza, where there is XMPP

  ImportSettings() = default;
};

/// Builds and reads the manifest of an endpoint. `domain` is the XMPP component's, or "localhost".
/// Tools that cannot be expressed at all are left out, as the report says. Errors: as
/// catalog::read_manifest.
[[nodiscard]] Result<Imported> import_tools(const EndpointTable& endpoint,
                                            const engine::ImportedTools& tools,
                                            const engine::RuntimeFeatures& features,
                                            std::string_view domain,
                                            const catalog::ManifestLimits& limits);

/// The definitions in a file: a JSON array of MCP Tool objects, or an object with such "tools".
[[nodiscard]] Result<engine::ImportedTools> read_tools_file(const std::filesystem::path& file);

/// A complete manifest from a file. Its agent.jid, if any, is that of the endpoint.
[[nodiscard]] Result<Imported> read_manifest_file(const std::filesystem::path& file,
                                                  std::string_view endpoint,
                                                  std::string_view domain,
                                                  const catalog::ManifestLimits& limits);

/// Adds to the loss report what no stanza of at most `stanza_out` bytes can carry.
void report_misfits(Imported& imported, std::size_t stanza_out);

/// Tools that MCP clients do not see as `endpoint.tool` in /mcp, by what they see (tool_names.hpp).
/// Where that is the endpoint's name, one without a tool stands for all that are called so.
struct ShownOtherwise {
  std::string tool;
  std::string name;
};
[[nodiscard]] std::vector<ShownOtherwise> shown_otherwise(std::string_view endpoint,
                                                          const catalog::Manifest& manifest);
/// Adds them to the loss report.
void report_names(Imported& imported, std::string_view endpoint);

}  // namespace interline::app
