// Content of every kind as MCP has it: blocks of a result or a message, what is in a resource.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "runtimes/script/agent.hpp"
#include "runtimes/script/fields.hpp"

namespace interline::runtimes::script {

/// The keys that make a table a content block.
inline constexpr std::array<std::string_view, 5> kBlockKeys = {"text", "image", "audio", "resource",
                                                               "resource_link"};

/// The block of a table that has the key `kind`, one of kBlockKeys.
[[nodiscard]] JsonTemplate read_block(Fields& fields, std::string_view kind);

/// `text`, `json`, `base64` or `file`, and `mime_type`.
[[nodiscard]] Contents read_contents(Fields& fields);

}  // namespace interline::runtimes::script
