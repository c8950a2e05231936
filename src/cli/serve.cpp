// interline serve -c interline.toml: the gateway, until it is told to stop.
#include "app/serve.hpp"

#include <memory>

#include "cli/configuration_input.hpp"
#include "cli/verb.hpp"

namespace interline::cli {
namespace {

class Serve final : public Verb {
 public:
  void declare(Arguments& arguments) override { configuration_.declare(arguments); }

  int run(Streams& io) override {
    auto configuration = configuration_.read(io);
    if (!configuration) return kUsage;
    const SystemClock clock;
    const auto sink = app::make_log_sink(configuration->gateway);
    return app::serve(*std::move(configuration), sink, clock) ? kOk : kNo;
  }

 private:
  ConfigurationInput configuration_;
};

}  // namespace

std::unique_ptr<Verb> make_serve() {
  return std::make_unique<Serve>();
}

}  // namespace interline::cli
