// interline endpoints list, interline endpoints show NAME.
#include <memory>
#include <string>

#include "cli/gateway_verb.hpp"
#include "cli/pages.hpp"
#include "schema/bounded_text.hpp"

namespace interline::cli {
namespace {

using net::http::Method;

constexpr std::size_t kMost = 10'000'000;
constexpr std::size_t kLongestDescription = 300;

/// "active", and what its agent is at where that is not all well: "active, retrying".
std::string state_of(const json::Value& endpoint, bool active) {
  const std::string state = shown(endpoint, "state");
  const std::string served = active ? "active" : "inactive";
  if (state.empty() || state == "imported") return served;
  return active ? served + ", " + state : state;
}

class EndpointsList final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    declare_gateway(arguments);
    declare_json(arguments, R"(Print {"endpoints":[...]})");
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    std::vector<std::vector<std::string>> rows;
    std::string all;
    std::string unwell;
    const auto listed = for_each_row(
        io, gateway, "/v1/endpoints", "endpoints", kMost, "", [&](const json::Value& endpoint) {
          all.append(all.empty() ? "" : ",").append(endpoint.source());
          const bool active = shown(endpoint, "active") == "true";
          const std::string name = shown(endpoint, "name");
          const std::string why = shown(endpoint, "why");
          rows.push_back({name, state_of(endpoint, active), shown(endpoint, "version"),
                          shown(endpoint, "title")});
          if (!why.empty())
            unwell += name + ": " + schema::bounded(why, kLongestDescription) + "\n";
        });
    if (!listed) return listed.error();
    if (json()) {
      io.out("{\"endpoints\":[" + all + "]}\n");
    } else if (rows.empty()) {
      io.out("no endpoints that this user may see\n");
    } else {
      io.out(table_text({"NAME", "STATE", "VERSION", "TITLE"}, rows));
    }
    if (!io.flush()) return kNo;
    if (!unwell.empty()) io.err(unwell + "See interline doctor" + gateway_option() + "\n");
    return kOk;
  }
};

class EndpointsShow final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    arguments.required("NAME", name_, "The endpoint; interline endpoints list names them");
    arguments.optional("VERSION", version_, "Without it the active one");
    arguments.flag("--schemas", schemas_, "Show the tools' input schemas too");
    declare_gateway(arguments);
    declare_json(arguments, "Print everything as JSON");
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    std::string target = "/v1/endpoints/" + path_segment(name_);
    if (!version_.empty()) target += "?version=" + path_segment(version_);
    const auto endpoint = ask(io, gateway, Method::get, std::move(target));
    if (!endpoint) return endpoint.error();
    if (json()) {
      io.out(std::string(endpoint->root().source()) + "\n");
      return kOk;
    }
    show(io, endpoint->root());
    return kOk;
  }

 private:
  static void line(Streams& io, const std::string& name, const std::string& text) {
    if (text.empty()) return;
    io.out(name + std::string(name.size() < 12 ? 12 - name.size() : 1, ' ') + text + "\n");
  }

  void show(Streams& io, const json::Value& endpoint) const {
    for (const auto name : {"name", "title", "description", "address", "version", "hash"}) {
      line(io, name, shown(endpoint, name));
    }
    line(io, "state", shown(endpoint, "active") == "true" ? "active" : "inactive");
    if (const json::Value* runtime = endpoint.find("runtime")) {
      const bool present = shown(*runtime, "present") == "true";
      const bool available = shown(*runtime, "available") == "true";
      const bool cold = shown(*runtime, "coldStart") == "true";
      line(io, "runtime",
           !present    ? "none: calls are refused until one is configured"
           : available ? "takes calls now"
           : cold      ? "is started by the first call"
                       : "not available now");
    }
    list(io, endpoint, "versions", [&io](const json::Value& version) {
      const bool active = shown(version, "active") == "true";
      const bool removable = shown(version, "removable") == "true";
      line(io, "  version",
           shown(version, "version") + (active      ? "  active"
                                        : removable ? "  removable"
                                                    : "  needed by its tasks"));
    });
    list(io, endpoint, "tools", [&io, this](const json::Value& tool) {
      line(io, "  tool", shown(tool, "name"));
      const std::string text = shown(tool, "description");
      if (!text.empty())
        io.out("              " + schema::bounded(text, kLongestDescription) + "\n");
      if (schemas_) io.out("              " + shown(tool, "inputSchema") + "\n");
    });
    list(io, endpoint, "losses", [&io](const json::Value& loss) {
      line(io, "  loss",
           shown(loss, "tool") + " " + shown(loss, "location") + ": " + shown(loss, "loss"));
    });
  }

  template <class Each>
  static void list(Streams& io, const json::Value& endpoint, const std::string& name, Each each) {
    const json::Value* rows = endpoint.find(name);
    if (rows == nullptr || !rows->is_array() || rows->size() == 0) return;
    io.out(name + "\n");
    for (const json::Value& row : rows->items()) each(row);
  }

  std::string name_;
  std::string version_;
  bool schemas_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_endpoints_list() {
  return std::make_unique<EndpointsList>();
}
std::unique_ptr<Verb> make_endpoints_show() {
  return std::make_unique<EndpointsShow>();
}

}  // namespace interline::cli
