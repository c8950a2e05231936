// What to do about what the doctor found.
#include <filesystem>

#include <sys/stat.h>

#include "cli/doctor_checks.hpp"
#include "cli/gateway_verb.hpp"

namespace interline::cli {
namespace {

using app::RuntimeKind;

std::string by_hand(const app::Configuration& configuration, const app::EndpointTable& endpoint) {
  std::error_code ignored;
  auto folder = std::filesystem::absolute(configuration.directory, ignored).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();  // without a slash at its end
  std::string line = "cd " + shell_word(folder.string()) + " &&";
  for (const std::string& word : endpoint.runtime.command) line += " " + shell_word(word);
  return line;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

std::string mend_of_agent(const app::Configuration& configuration,
                          const app::EndpointTable& endpoint) {
  const app::RuntimeTable& runtime = endpoint.runtime;
  if (!runtime.url.empty()) {
    return "see that an MCP server answers there and lets the gateway in; what it wants to be "
           "shown goes into headers, token_file or oauth (docs/mcp-servers.md):\n"
           "curl -i -H 'Content-Type: application/json' -H 'Accept: application/json, "
           "text/event-stream' -d "
           "'{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}' " +
           shell_word(runtime.url);
  }
  if (runtime.kind == RuntimeKind::xmpp) {
    return "see that " + runtime.jid +
           " is there and grants this gateway its tools "
           "(docs/remote-agents.md)";
  }
  if (runtime.kind == RuntimeKind::script) return "mend " + runtime.file.string();
  if (runtime.command.empty()) return "see what the gateway's log says of it";
  std::string mend = "try its command by hand, as the user and with the PATH of the gateway:\n" +
                     by_hand(configuration, endpoint);
  if (runtime.kind == RuntimeKind::exec) {
    mend += "\nand type {\"type\":\"list\"}; docs/exec.md says what it has to answer";
  } else {
    mend +=
        "\nit has to be an MCP server that speaks over standard input and output "
        "(docs/mcp-servers.md); what it says on standard error is in the gateway's log";
  }
  return mend;
}

std::string mend_of_tools(const app::EndpointTable& endpoint) {
  if (!endpoint.manifest.empty()) return "mend " + endpoint.manifest.string();
  std::string where = "the tools that its agent lists";
  if (endpoint.runtime.kind == RuntimeKind::script) where = endpoint.runtime.file.string();
  if (!endpoint.tools.empty()) where = endpoint.tools.string();
  return "mend " + where +
         "; for a tool's schema `interline schema check --tool input FILE` says "
         "what is wrong with it";
}

std::string mend_of_import(const app::Configuration& configuration,
                           const app::EndpointTable& endpoint, ErrorKind kind) {
  const bool from_file = !endpoint.manifest.empty() || !endpoint.tools.empty();
  const bool too_much = kind == ErrorKind::resource_constraint;
  return from_file || too_much ? mend_of_tools(endpoint) : mend_of_agent(configuration, endpoint);
}

std::string mend_of_certificate(const app::HttpSection& http, std::string_view why) {
  if (contains(why, "mismatch")) {
    return "set [http] tls_key to the key that the certificate of " +
           http.tls_certificate.string() +
           " was made for; in that file the server's own "
           "certificate stands first, then its chain";
  }
  if (contains(why, "ermission denied")) {
    return "let the gateway's user read " + http.tls_certificate.string() + " and " +
           http.tls_key.string();
  }
  return "set [http] tls_certificate and tls_key to files in PEM form: they begin with "
         "-----BEGIN; openssl x509 -noout -text -in " +
         shell_word(http.tls_certificate.string()) + " and openssl pkey -noout -in " +
         shell_word(http.tls_key.string()) + " say whether they are";
}

std::string mend_of_listening(const std::string& listen, std::string_view why) {
  if (contains(why, "Cannot assign")) {
    return "this machine has no such address: choose one that `ip address` shows for [http] "
           "listen, or * for all of them";
  }
  if (contains(why, "ermission denied")) {
    return "a port below 1024 is for root: choose another one for [http] listen, with a proxy "
           "before it, or give the program the right (docs/operating.md)";
  }
  if (contains(why, "in use")) {
    return "choose another [http] listen, or end what holds " + listen +
           " (ss -ltnp shows who it is)";
  }
  return "choose another [http] listen";
}

std::string mend_of_public_url(const app::HttpSection& http, std::string_view why) {
  if (contains(why, "certificate")) {
    return "clients will refuse that certificate as well: get one that they trust for " +
           http.public_url +
           "; where only your own clients come, let each of them, and this "
           "machine, trust its issuer";
  }
  return "let a proxy pass " + http.public_url + " on to " + http.listen +
         ", or mend [http] public_url; some networks hide a public address from the machine that "
         "has it";
}

}  // namespace interline::cli
