// interline import FILE: the MCP servers that another product is configured with, as our tables.
#include <memory>
#include <string>

#include "app/mcp_servers.hpp"
#include "cli/input.hpp"
#include "cli/verb.hpp"
#include "schema/bounded_text.hpp"

namespace interline::cli {
namespace {

class Import final : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.required("FILE", file_, "A JSON file with \"mcpServers\"; - is standard input");
    limits_.declare(arguments);
  }

  int run(Streams& io) override {
    const auto document = load_json(file_, limits_.limits());
    if (!document) {
      io.complain(document.error().message);
      return kUsage;
    }
    const auto tables = app::import_mcp_servers(document->root());
    if (!tables) {
      io.complain(display_name(file_) + ": " + tables.error().message);
      return kUsage;
    }
    io.out(tables->toml);
    if (!io.flush()) return kNo;
    for (const std::string& remark : tables->remarks) io.err(schema::printable(remark) + "\n");
    return kOk;
  }

 private:
  std::string file_;
  InputLimits limits_;
};

}  // namespace

std::unique_ptr<Verb> make_import() {
  return std::make_unique<Import>();
}

}  // namespace interline::cli
