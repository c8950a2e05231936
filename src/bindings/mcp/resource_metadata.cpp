#include "bindings/mcp/resource_metadata.hpp"

#include <string>
#include <utility>

#include "bindings/web/authentication.hpp"
#include "protocols/oauth/resource_metadata.hpp"

namespace interline::mcp {
namespace {

using net::http::Request;
using net::http::Responder;
using net::http::Response;
using protocols::oauth::kResourceMetadataPath;

/// The resource whose well-known path was asked: the path behind it; of the host itself, `/mcp`.
std::string resource_path(std::string_view asked) {
  const std::string_view behind = asked.substr(kResourceMetadataPath.size());
  return std::string(behind.empty() ? "/mcp" : behind);
}

awaitable<void> tell(std::shared_ptr<Services> services, Request& request, Responder& responder) {
  Request of_resource;
  of_resource.path = resource_path(request.path);
  of_resource.host = request.host;
  of_resource.secure = request.secure;
  protocols::oauth::ResourceMetadata metadata;
  metadata.resource = web::resource_of(services->access(), of_resource);
  metadata.authorization_servers = services->options.web.tokens->issuers();
  metadata.scopes = services->options.web.tokens->scopes();
  Response response(200, "application/json", protocols::oauth::write_resource_metadata(metadata));
  response.fields.set("Access-Control-Allow-Origin", "*");
  const auto sent = co_await responder.send(std::move(response));
  (void)sent;
}

}  // namespace

void add_resource_metadata(net::http::Router& router, std::shared_ptr<Services> services) {
  if (services->options.web.tokens == nullptr) return;
  for (const std::string_view behind : {"", "/mcp", "/mcp/{name}"}) {
    router.add(net::http::Method::get, std::string(kResourceMetadataPath).append(behind),
               [services](Request& request, Responder& responder) {
                 return tell(services, request, responder);
               });
  }
}

}  // namespace interline::mcp
