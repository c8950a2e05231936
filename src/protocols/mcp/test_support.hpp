// What the tests of this folder share.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "json/parse.hpp"

namespace interline::protocols::mcp::testing {

/// Numbers as they come over the wire: kept as they are.
[[nodiscard]] inline json::Document parse(std::string_view text) {
  json::Limits limits;
  limits.depth = 256;
  auto document = json::parse(text, limits, json::Numbers::faithful);
  if (!document) {
    throw std::runtime_error(json::to_string(document.error()) + ": " + std::string(text));
  }
  return *std::move(document);
}

}  // namespace interline::protocols::mcp::testing
