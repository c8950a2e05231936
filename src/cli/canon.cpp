// interline canon [FILE]: the exact bytes that are hashed and compared, and their hash.
#include <memory>
#include <string>

#include "base/base64.hpp"
#include "base/sha256.hpp"
#include "cli/input.hpp"
#include "cli/verb.hpp"
#include "json/canonical.hpp"
#include "json/writer.hpp"

namespace interline::cli {
namespace {

class Canon final : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.optional("FILE", file_, "A JSON text; - or nothing is standard input");
    arguments.flag("--json", json_, "Print {\"canonical\",\"sha256\"} on standard output instead");
    limits_.declare(arguments);
  }

  int run(Streams& io) override {
    const auto document = load_json(file_, limits_.limits());
    if (!document) {
      io.complain(document.error().message);
      return document.error().unreadable ? kUsage : kNo;
    }
    const std::string canonical = json::canonical(document->root());
    const std::string hash = encode_base64(sha256(canonical));
    if (json_) {
      std::string text;
      json::Writer writer(text);
      writer.begin_object();
      writer.member("canonical", canonical);
      writer.member("sha256", hash);
      writer.end_object();
      io.out(text + "\n");
      return kOk;
    }
    io.out(canonical);  // and nothing after it: these bytes are what was hashed
    if (!io.flush()) return kNo;
    io.err(hash + "\n");
    return kOk;
  }

 private:
  std::string file_;
  bool json_ = false;
  InputLimits limits_;
};

}  // namespace

std::unique_ptr<Verb> make_canon() {
  return std::make_unique<Canon>();
}

}  // namespace interline::cli
