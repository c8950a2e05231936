// From tools as a runtime describes them to the `tools` of a manifest. One tool that a manifest
// cannot express never keeps the others out; what is changed or left out is written down.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "catalog/manifest.hpp"
#include "engine/runtime.hpp"
#include "json/writer.hpp"

namespace interline::app {

/// JSON array text of {"tool", "location", "loss"}: at most 1,000, then one that says so.
class LossReport {
 public:
  LossReport() : writer_(text_) { writer_.begin_array(); }
  /// Goes on with an earlier one.
  explicit LossReport(std::string_view earlier);

  /// `tool`: its name, or ""; cut to 128 bytes. `location`: a JSON Pointer into its definition.
  void add(std::string_view tool, std::string_view location, std::string_view loss);
  [[nodiscard]] std::string finish();

 private:
  std::string text_;
  json::Writer writer_;
  std::size_t count_ = 0;
};

/// JSON array text of what can be carried, ordered by name.
[[nodiscard]] std::string carry_tools(const engine::ImportedTools& tools,
                                      const engine::RuntimeFeatures& features,
                                      const catalog::ManifestLimits& limits, LossReport& report);

}  // namespace interline::app
