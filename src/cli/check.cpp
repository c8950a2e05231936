// interline check -c interline.toml: every mistake in the configuration, with file and line.
#include <memory>

#include "app/key_reference.hpp"
#include "catalog/losses.hpp"
#include "cli/configuration_input.hpp"
#include "cli/verb.hpp"

namespace interline::cli {
namespace {

class Check final : public Verb {
 public:
  void declare(Arguments& arguments) override {
    configuration_.declare(arguments);
    arguments.flag("--reference", reference_, "Print what every key means instead, as Markdown");
    arguments.flag("--losses", losses_,
                   "Print what is lost between MCP and XMPP instead, as Markdown");
  }

  int run(Streams& io) override {
    if (reference_) {
      io.out(app::configuration_reference());
      return kOk;
    }
    if (losses_) {
      io.out(catalog::losses_document());
      return kOk;
    }
    if (!configuration_.read(io)) return kUsage;
    io.out(configuration_.path() + " is in order\n");
    return kOk;
  }

 private:
  ConfigurationInput configuration_;
  bool reference_ = false;
  bool losses_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_check() {
  return std::make_unique<Check>();
}

}  // namespace interline::cli
