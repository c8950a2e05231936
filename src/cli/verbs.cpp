#include "cli/verbs.hpp"

namespace interline::cli {

std::unique_ptr<Verb> make_call();
std::unique_ptr<Verb> make_canon();
std::unique_ptr<Verb> make_check();
std::unique_ptr<Verb> make_doctor();
std::unique_ptr<Verb> make_endpoints_activate();
std::unique_ptr<Verb> make_endpoints_authorize();
std::unique_ptr<Verb> make_endpoints_deactivate();
std::unique_ptr<Verb> make_endpoints_list();
std::unique_ptr<Verb> make_endpoints_register();
std::unique_ptr<Verb> make_endpoints_remove();
std::unique_ptr<Verb> make_endpoints_show();
std::unique_ptr<Verb> make_keys_create();
std::unique_ptr<Verb> make_keys_list();
std::unique_ptr<Verb> make_keys_revoke();
std::unique_ptr<Verb> make_import();
std::unique_ptr<Verb> make_mcp();
std::unique_ptr<Verb> make_schema_check();
std::unique_ptr<Verb> make_schema_validate();
std::unique_ptr<Verb> make_schema_suite();
std::unique_ptr<Verb> make_serve();
std::unique_ptr<Verb> make_tasks_answer();
std::unique_ptr<Verb> make_tasks_approve();
std::unique_ptr<Verb> make_tasks_cancel();
std::unique_ptr<Verb> make_tasks_list();
std::unique_ptr<Verb> make_tasks_show();
std::unique_ptr<Verb> make_tasks_trust_clock();
std::unique_ptr<Verb> make_tasks_watch();

namespace {

constexpr VerbRow kVerbs[] = {
    {"serve", "Run the gateway: SIGTERM lets running calls end, SIGHUP reads the file again",
     "interline serve -c interline.toml", make_serve},
    {"check", "Say every mistake in a configuration, with file and line",
     "interline check -c interline.toml", make_check},
    {"import",
     "Print [[endpoint]] tables for the MCP servers that another product is configured with",
     "interline import mcp.json >> interline.toml", make_import},
    {"doctor", "Try everything that a configuration names, and say how to mend what is wrong",
     "interline doctor -c interline.toml", make_doctor},
    {"call",
     "Call a tool through the running gateway: progress and questions on standard error, the "
     "result "
     "on standard output. Ctrl-C cancels the task, a second one leaves it",
     "interline call weather forecast.get '{\"city\":\"Riga\"}'\n"
     "interline call counter slow.count '{\"to\":5}' --detach",
     make_call},
    {"tasks list", "List the tasks of this user; to operators, everybody's",
     "interline tasks list --state running,input_required\n"
     "interline tasks list --json --limit 1000",
     make_tasks_list},
    {"tasks show", "Show one task: its question, its artifacts, its result",
     "interline tasks show 0Tq3vXk1Zs8yR2mB5nC7wP", make_tasks_show},
    {"tasks watch", "Follow a task to its end. Ctrl-C ends the following, not the task",
     "interline tasks watch 0Tq3vXk1Zs8yR2mB5nC7wP", make_tasks_watch},
    {"tasks answer", "Answer what a task asks",
     "interline tasks answer 0Tq3vXk1Zs8yR2mB5nC7wP '{\"name\":\"Ada\"}'\n"
     "interline tasks answer 0Tq3vXk1Zs8yR2mB5nC7wP --decline",
     make_tasks_answer},
    {"tasks cancel", "Ask a task to end; its tool decides how",
     "interline tasks cancel 0Tq3vXk1Zs8yR2mB5nC7wP --reason 'no longer needed'",
     make_tasks_cancel},
    {"tasks approve", "Let a held task start", "interline tasks approve 0Tq3vXk1Zs8yR2mB5nC7wP",
     make_tasks_approve},
    {"tasks trust-clock",
     "Say that the machine's time is right: what is kept goes by it again after the clock was set "
     "forward. For operators; interline doctor says whether anything is held",
     "interline tasks trust-clock", make_tasks_trust_clock},
    {"endpoints list", "List the endpoints that this user may see; to operators, all of them",
     "interline endpoints list", make_endpoints_list},
    {"endpoints show",
     "Show an endpoint and its tools; to operators its versions, and what its import lost",
     "interline endpoints show weather", make_endpoints_show},
    {"endpoints register", "Register a manifest as a version of the endpoint that it names",
     "interline endpoints register weather.manifest.json --activate", make_endpoints_register},
    {"endpoints activate", "Make a registered version the active one",
     "interline endpoints activate weather 1.4.0", make_endpoints_activate},
    {"endpoints authorize",
     "Let the gateway in at an MCP server at a URL that wants a person's consent: prints where to "
     "go with a browser on this machine, and keeps the tokens for the gateway",
     "interline endpoints authorize far", make_endpoints_authorize},
    {"endpoints deactivate", "Take an endpoint out of service; its tasks go on",
     "interline endpoints deactivate weather", make_endpoints_deactivate},
    {"endpoints remove", "Remove a version that no task needs, or a whole endpoint",
     "interline endpoints remove weather 1.3.0", make_endpoints_remove},
    {"keys create", "Make an API key and print its secret, once", "interline keys create ci",
     make_keys_create},
    {"keys list", "List the API keys, without their secrets", "interline keys list",
     make_keys_list},
    {"keys revoke", "Make an API key worthless, at once", "interline keys revoke ci",
     make_keys_revoke},
    {"mcp",
     "Speak MCP on standard input and output, for MCP hosts, which start it: what the running "
     "gateway serves to this user",
     "interline mcp -c interline.toml\n"
     "interline mcp -c interline.toml --endpoint weather",
     make_mcp},
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
    {"tasks", "The tasks of the running gateway"},
    {"endpoints", "What the running gateway serves"},
    {"keys", "API keys, for programs on networks without an identity of their own"},
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
