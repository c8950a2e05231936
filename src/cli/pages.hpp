// Lists of the gateway, page after page.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/control_client.hpp"
#include "cli/streams.hpp"
#include "json/value.hpp"

namespace interline::cli {

/// Rows of `member` at `target` ("/v1/tasks?state=failed"), at most `most`: `take` is given each.
/// The exit code; an error was said.
[[nodiscard]] int for_each_row(Streams& io, const ControlClient& gateway, const std::string& target,
                               const std::string& member, std::size_t most,
                               const std::function<void(const json::Value&)>& take);

/// Rows under a head, each column as wide as its widest cell; cells are printable.
[[nodiscard]] std::string table_text(const std::vector<std::string>& head,
                                     const std::vector<std::vector<std::string>>& rows);

}  // namespace interline::cli
