// interline endpoints register FILE | activate NAME VERSION | deactivate NAME | remove NAME
// [VERSION]: for administrators.
#include <memory>
#include <string>

#include "cli/gateway_verb.hpp"
#include "cli/input.hpp"
#include "json/writer.hpp"

namespace interline::cli {
namespace {

using net::http::Method;

std::string endpoint_path(const std::string& name) {
  return "/v1/endpoints/" + path_segment(name);
}

class EndpointsRegister final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    arguments.required("FILE", file_, "A manifest; - is standard input");
    arguments.flag("--activate", activate_, "Make it the active version too");
    declare_gateway(arguments);
    declare_json(arguments, R"(Print {"name","version","hash"})");
    limits_.declare(arguments);
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    const auto manifest = load_json(file_, limits_.limits());
    if (!manifest) {
      io.complain(manifest.error().message);
      return kUsage;
    }
    const auto made = ask(io, gateway, Method::post,
                          std::string("/v1/endpoints") + (activate_ ? "?activate=true" : ""),
                          std::string(manifest->root().source()));
    if (!made) return made.error();
    const std::string name = shown(made->root(), "name");
    const std::string version = shown(made->root(), "version");
    if (json()) {
      io.out(std::string(made->root().source()) + "\n");
    } else if (activate_) {
      io.out(name + " " + version + " is registered and active\n");
    } else {
      io.out(name + " " + version +
             " is registered; activate it with: interline endpoints activate " + shell_word(name) +
             " " + shell_word(version) + gateway_option() + "\n");
    }
    return kOk;
  }

 private:
  std::string file_;
  bool activate_ = false;
  InputLimits limits_;
};

class EndpointsActivate final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    arguments.required("NAME", name_, "The endpoint");
    arguments.required("VERSION", version_, "One that is registered");
    arguments.optional("--hash", hash_, "The hash that it must have, in Base64");
    declare_gateway(arguments);
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    std::string body;
    json::Writer writer(body);
    writer.begin_object();
    writer.member("version", std::string_view(version_));
    if (!hash_.empty()) writer.member("hash", std::string_view(hash_));
    writer.end_object();
    const auto done =
        ask(io, gateway, Method::post, endpoint_path(name_) + "/activate", std::move(body));
    if (!done) return done.error();
    io.out("active\n");
    return kOk;
  }

 private:
  std::string name_;
  std::string version_;
  std::string hash_;
};

class EndpointsDeactivate final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    arguments.required("NAME", name_, "The endpoint");
    declare_gateway(arguments);
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    const auto done = ask(io, gateway, Method::post, endpoint_path(name_) + "/deactivate", "{}");
    if (!done) return done.error();
    io.out("inactive\n");
    return kOk;
  }

 private:
  std::string name_;
};

class EndpointsRemove final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    arguments.required("NAME", name_, "The endpoint");
    arguments.optional("VERSION", version_,
                       "One that is not active; without it the endpoint with all of them");
    declare_gateway(arguments);
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    std::string target = endpoint_path(name_);
    if (!version_.empty()) target += "?version=" + path_segment(version_);
    const auto done = ask(io, gateway, Method::delete_, std::move(target));
    if (!done) return done.error();
    io.out("removed\n");
    return kOk;
  }

 private:
  std::string name_;
  std::string version_;
};

}  // namespace

std::unique_ptr<Verb> make_endpoints_register() {
  return std::make_unique<EndpointsRegister>();
}
std::unique_ptr<Verb> make_endpoints_activate() {
  return std::make_unique<EndpointsActivate>();
}
std::unique_ptr<Verb> make_endpoints_deactivate() {
  return std::make_unique<EndpointsDeactivate>();
}
std::unique_ptr<Verb> make_endpoints_remove() {
  return std::make_unique<EndpointsRemove>();
}

}  // namespace interline::cli
