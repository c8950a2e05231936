#include "bindings/a2a/http_params.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "json/writer.hpp"
#include "protocols/a2a/proto_object.hpp"
#include "protocols/jsonrpc/message.hpp"

namespace interline::a2a {
namespace {

namespace rules = protocols::a2a;
using net::http::Method;
using net::http::Request;

// What a query may say; anything else in it is not looked at.
constexpr std::array<std::string_view, 9> kQueryNames = {"contextId",
                                                         "status",
                                                         "pageSize",
                                                         "pageToken",
                                                         "historyLength",
                                                         "includeArtifacts",
                                                         "statusTimestampAfter",
                                                         "tenant",
                                                         "id"};

struct Named {
  std::string_view name;
  std::string value;
};

std::vector<Named> of_path(const HttpJsonRoute& route, const Request& request) {
  std::vector<Named> all;
  const auto add = [&](std::string_view name, std::string_view parameter) {
    const auto value = request.parameter(parameter);
    if (!name.empty() && !value.empty()) all.push_back({name, std::string(value)});
  };
  add(route.id, "id");
  add(route.config, "config");
  add("tenant", "tenant");
  return all;
}

/// JSON has words for these; everything else of a query is a string, which ProtoJSON reads as what
/// its field is.
bool is_word(std::string_view name, std::string_view value) {
  return name == "includeArtifacts" && (value == "true" || value == "false");
}

void write_query(json::Writer& writer, const Request& request, const std::vector<Named>& path,
                 rules::Violations& violations) {
  for (const std::string_view name : kQueryNames) {
    const std::string other = rules::proto_name(name);
    const auto is_it = [&](const auto& pair) { return pair.first == name || pair.first == other; };
    const auto count = std::ranges::count_if(request.query, is_it);
    if (count == 0) continue;
    const std::string& value = std::ranges::find_if(request.query, is_it)->second;
    const auto known = std::ranges::find(path, name, &Named::name);
    if (count > 1) {
      violations.add(std::string(name), "is there more than once");
    } else if (known != path.end()) {
      if (known->value != value) violations.add(std::string(name), "is another than in the path");
    } else if (is_word(name, value)) {
      writer.raw_member(name, value);
    } else {
      writer.member(name, value);
    }
  }
}

void write_body(json::Writer& writer, const json::Value& body, const std::vector<Named>& path,
                rules::Violations& violations) {
  for (const json::Member& member : body.members()) {
    const auto known = std::ranges::find_if(path, [&](const Named& named) {
      return member.name() == named.name || member.name() == rules::proto_name(named.name);
    });
    if (known == path.end()) {
      writer.member(member.name(), member.value);
    } else if (!member.value.is_null() && member.value.get_string() != known->value) {
      violations.add(std::string(known->name), "is another than in the path");
    }
  }
}

}  // namespace

rules::Read<json::Document> params_of(const HttpJsonRoute& route, Request& request,
                                      std::size_t body_limit) {
  const json::Limits limits = protocols::jsonrpc::limits_for(body_limit);
  const auto path = of_path(route, request);
  rules::Violations violations;
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  for (const Named& named : path) writer.member(named.name, named.value);
  if (route.method == Method::post && !request.body.empty()) {
    const auto body = json::parse(std::move(request.body), limits, json::Numbers::faithful);
    if (!body) return std::unexpected(rules::not_json(body.error()));
    if (!body->root().is_object()) {
      return std::unexpected(rules::invalid_params("", "has to be an object"));
    }
    write_body(writer, body->root(), path, violations);
  } else if (route.method != Method::post) {
    write_query(writer, request, path, violations);
  }
  writer.end_object();
  if (!violations.none()) return std::unexpected(rules::invalid_params(violations.all()));
  auto params = json::parse(std::move(text), limits, json::Numbers::faithful);
  if (!params) return std::unexpected(rules::not_json(params.error()));
  return *std::move(params);
}

}  // namespace interline::a2a
