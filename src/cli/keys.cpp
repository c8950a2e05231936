// interline keys create NAME | list | revoke NAME: by operators.
#include <memory>
#include <string>

#include "cli/gateway_verb.hpp"
#include "cli/pages.hpp"
#include "json/writer.hpp"

namespace interline::cli {
namespace {

using net::http::Method;

constexpr std::size_t kMost = 1'000'000;

class KeysCreate final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    arguments.required("NAME", name_, "The key's name: its holder is the principal key:NAME");
    declare_gateway(arguments);
    declare_json(arguments, R"(Print {"name","key"})");
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    std::string body;
    json::Writer writer(body);
    writer.begin_object();
    writer.member("name", std::string_view(name_));
    writer.end_object();
    // Sent once: the secret of an answer that was lost is nobody's, and the name is taken.
    const auto answer = run_to_end(gateway.request(Method::post, "/v1/keys", std::move(body)));
    if (!answer) {
      const int code = complain_of(io, answer.error());
      if (answer.error().kind == ErrorKind::conflict) {
        io.err("See interline keys list and interline keys revoke NAME\n");
      }
      return code;
    }
    const auto made = parse_gateway_json(*answer);
    if (!made) {
      io.complain("the gateway's answer cannot be read");
      return kNo;
    }
    if (json()) {
      io.out(std::string(made->root().source()) + "\n");
      return kOk;
    }
    io.out(shown(made->root(), "key") + "\n");
    if (!io.flush()) return kNo;
    io.err("This is shown once. Its holder is the principal key:" + shown(made->root(), "name") +
           "; what it may do is said by [[grant]] tables.\n");
    return kOk;
  }

 private:
  std::string name_;
};

class KeysList final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    declare_gateway(arguments);
    declare_json(arguments, R"(Print {"keys":[...]})");
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    std::vector<std::vector<std::string>> rows;
    std::string all;
    const auto listed =
        for_each_row(io, gateway, "/v1/keys", "keys", kMost, "", [&](const json::Value& key) {
          all.append(all.empty() ? "" : ",").append(key.source());
          rows.push_back({shown(key, "name"), shown(key, "principal"), shown(key, "created"),
                          shown(key, "creator")});
        });
    if (!listed) return listed.error();
    if (json()) {
      io.out("{\"keys\":[" + all + "]}\n");
    } else if (rows.empty()) {
      io.out("no keys\n");
    } else {
      io.out(table_text({"NAME", "PRINCIPAL", "CREATED", "CREATOR"}, rows));
    }
    return kOk;
  }
};

class KeysRevoke final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    arguments.required("NAME", name_, "The key; interline keys list names them");
    declare_gateway(arguments);
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    const auto done = ask(io, gateway, Method::delete_, "/v1/keys/" + path_segment(name_));
    if (!done) return done.error();
    io.out("revoked\n");
    return kOk;
  }

 private:
  std::string name_;
};

}  // namespace

std::unique_ptr<Verb> make_keys_create() {
  return std::make_unique<KeysCreate>();
}
std::unique_ptr<Verb> make_keys_list() {
  return std::make_unique<KeysList>();
}
std::unique_ptr<Verb> make_keys_revoke() {
  return std::make_unique<KeysRevoke>();
}

}  // namespace interline::cli
