// What every test of this folder asks of every stanza that the gateway sends: that it is valid by
// the specification's XML Schemas and its schema of events, and comes from our own domain.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "emitted.hpp"

namespace interline::testing {

/// Checks what can be checked at once, and keeps the payloads of the specification's namespaces for
/// the check against the XML Schemas at the end of the program. Thread-safe.
void record_output(const Emitted& emitted);

/// What is wrong with a stanza of the gateway's, whoever it is for.
[[nodiscard]] std::vector<std::string> faults_of(const Emitted& emitted);
/// What xmllint says of payloads that do not fit the XML Schemas; "" if all do.
[[nodiscard]] std::string schema_faults(const std::set<std::string>& payloads);

}  // namespace interline::testing
