#include "cli/verbs.hpp"

namespace interline::cli {

std::unique_ptr<Verb> make_canon();
std::unique_ptr<Verb> make_check();
std::unique_ptr<Verb> make_schema_check();
std::unique_ptr<Verb> make_schema_validate();
std::unique_ptr<Verb> make_schema_suite();
std::unique_ptr<Verb> make_serve();

namespace {

constexpr VerbRow kVerbs[] = {
    {"serve", "Run the gateway: SIGTERM lets running calls end, SIGHUP reads the file again",
     "interline serve -c interline.toml", make_serve},
    {"check", "Say every mistake in a configuration, with file and line",
     "interline check -c interline.toml", make_check},
    {"canon", "Print the RFC 8785 canonical form of a JSON text, and its SHA-256 on standard error",
     "interline canon order.json > order.canonical.json\n"
     "echo '{\"b\":1e2,\"a\":true}' | interline canon --json",
     make_canon},
    {"schema check", "Say whether a JSON Schema is one, and whether a tool may have it",
     "interline schema check forecast.schema.json\n"
     "interline schema check --tool input forecast.schema.json",
     make_schema_check},
    {"schema validate", "Say whether a JSON text is valid against a JSON Schema, and if not, why",
     "interline schema validate forecast.schema.json request.json\n"
     "echo '{\"city\":\"Riga\"}' | interline schema validate forecast.schema.json",
     make_schema_validate},
    {"schema suite", "Run a folder of the official JSON Schema Test Suite",
     "interline schema suite JSON-Schema-Test-Suite/tests/draft2020-12", make_schema_suite},
};

constexpr GroupRow kGroups[] = {
    {"schema", "JSON Schema 2020-12 and draft-07: check schemas, validate against them"},
};

}  // namespace

std::span<const VerbRow> verbs() {
  return kVerbs;
}

std::span<const GroupRow> groups() {
  return kGroups;
}

}  // namespace interline::cli
