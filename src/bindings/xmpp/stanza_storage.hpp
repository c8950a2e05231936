// The arena of one stanza; seen by stanza.cpp and stanza_builder.cpp only.
#pragma once

#include <cstddef>
#include <memory_resource>

#include "bindings/xmpp/stanza.hpp"

namespace interline::xmpp {

/// Nodes, attributes and text are trivially destructible: freeing the arena is the whole end.
struct Stanza::Storage {
  static constexpr std::size_t kFirstBlock = 2048;  // an ordinary request fits
  std::pmr::monotonic_buffer_resource arena{kFirstBlock};
};

}  // namespace interline::xmpp
