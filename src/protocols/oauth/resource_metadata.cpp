#include "protocols/oauth/resource_metadata.hpp"

#include "json/writer.hpp"

namespace interline::protocols::oauth {
namespace {

void write_texts(json::Writer& writer, std::string_view name, std::span<const std::string> texts) {
  if (texts.empty()) return;
  writer.name(name);
  writer.begin_array();
  for (const std::string& text : texts) writer.value(text);
  writer.end_array();
}

}  // namespace

std::string write_resource_metadata(const ResourceMetadata& metadata) {
  constexpr std::string_view kMethods = R"(["header"])";
  std::string out;
  json::Writer writer(out);
  writer.begin_object();
  writer.member("resource", metadata.resource);
  if (!metadata.name.empty()) writer.member("resource_name", metadata.name);
  write_texts(writer, "authorization_servers", metadata.authorization_servers);
  write_texts(writer, "scopes_supported", metadata.scopes);
  writer.raw_member("bearer_methods_supported", kMethods);
  writer.end_object();
  return out;
}

std::string resource_metadata_path(std::string_view resource_path) {
  std::string path(kResourceMetadataPath);
  if (resource_path != "/") path += resource_path;
  return path;
}

}  // namespace interline::protocols::oauth
