// The rules under which a tool's schema is registered: XMPP Agent Gateway ProtoXEP, "Retrieving
// Tool Schemas", and our limits. Stricter than compiling: what would be silently ignored and could
// have been meant as an assertion is refused by name.
#pragma once

#include <expected>

#include "json/value.hpp"
#include "schema/schema.hpp"

namespace interline::schema {

enum class Direction : std::uint8_t { input, output };

/// Compiles a schema for a tool. Beyond Schema::compile: the schema is an object; an input schema
/// has an object root ("type": "object"); a vocabulary required by `$vocabulary` must be supported;
/// keywords that assert in another dialect (`items` arrays, `additionalItems`, `dependencies`,
/// `divisibleBy`, `extends`, `disallow`, `$recursiveRef`, ...) fail with their name and what to
/// write instead; unknown annotations are kept and ignored.
[[nodiscard]] std::expected<Schema, CompileError> compile_for_registration(
    const json::Value& root, Direction direction, const CompileOptions& options = {});

}  // namespace interline::schema
