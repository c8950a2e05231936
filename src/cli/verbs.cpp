#include "cli/verbs.hpp"

namespace interline::cli {

std::unique_ptr<Verb> make_canon();

namespace {

constexpr VerbRow kVerbs[] = {
    {"canon", "Print the RFC 8785 canonical form of a JSON text, and its SHA-256 on standard error",
     "interline canon order.json > order.canonical.json\n"
     "echo '{\"b\":1e2,\"a\":true}' | interline canon --json",
     make_canon},
};

}  // namespace

std::span<const VerbRow> verbs() {
  return kVerbs;
}

std::span<const GroupRow> groups() {
  return {};
}

}  // namespace interline::cli
