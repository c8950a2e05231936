// What every test of this folder asks of every stanza that the gateway sends: that it is valid by
// the specification's XML Schemas and its schema of events, and comes from our own domain.
#pragma once

#include "emitted.hpp"

namespace interline::testing {

/// Checks what can be checked at once, and keeps the payloads of the specification's namespaces for
/// the check against the XML Schemas at the end of the program. Thread-safe.
void record_output(const Emitted& emitted);

}  // namespace interline::testing
