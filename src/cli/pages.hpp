// Lists of the gateway, page after page.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/control_client.hpp"
#include "cli/streams.hpp"
#include "json/value.hpp"

namespace interline::cli {

/// What the gateway says of a list beside its rows.
struct Listed {
  std::string total;  ///< JSON number text of all that would be listed; "" where it is not told
  std::string next;   ///< what to go on behind; "": nothing is left
};

/// Rows of `member` at `target` ("/v1/tasks?state=failed"), at most `most`, behind `after` where it
/// is not empty: `take` is given each. The error, which was said, is the exit code.
[[nodiscard]] std::expected<Listed, int> for_each_row(
    Streams& io, const ControlClient& gateway, const std::string& target, const std::string& member,
    std::size_t most, const std::string& after,
    const std::function<void(const json::Value&)>& take);

/// Rows under a head, each column as wide as its widest cell; cells are printable.
[[nodiscard]] std::string table_text(const std::vector<std::string>& head,
                                     const std::vector<std::vector<std::string>>& rows);

}  // namespace interline::cli
