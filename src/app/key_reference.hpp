// The reference of the configuration, docs/configuration.md, written from the keys themselves.
#pragma once

#include <string>

namespace interline::app {

/// The whole document, Markdown.
[[nodiscard]] std::string configuration_reference();

}  // namespace interline::app
