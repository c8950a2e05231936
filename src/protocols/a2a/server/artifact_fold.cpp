#include "protocols/a2a/server/artifact_fold.hpp"

#include <algorithm>

#include "json/parse.hpp"
#include "protocols/jsonrpc/message.hpp"

namespace interline::protocols::a2a::server {
namespace {

/// `[a]` and `[b]` are `[a,b]`.
void append(std::string& array, std::string_view more) {
  if (more.size() <= 2) return;
  array.pop_back();
  if (array.size() > 1) array += ',';
  array.append(more.substr(1));
}

}  // namespace

void ArtifactFold::add(const tasks::LogEntry& entry) {
  if (entry.type != tasks::EntryType::output) return;
  const auto body = json::parse_borrowed(entry.body, jsonrpc::limits_for(entry.body.size()),
                                         json::Numbers::faithful);
  if (!body) return;
  const json::Value* id = body->root().find("artifact");
  const json::Value* parts = body->root().find("parts");
  const json::Value* onto = body->root().find("append");
  if (id == nullptr || !id->is_string() || parts == nullptr || !parts->is_array()) return;
  auto known = std::ranges::find(artifacts_, id->as_string(), &Artifact::id);
  if (known == artifacts_.end()) {
    artifacts_.push_back({std::string(id->as_string()), std::string(parts->source())});
  } else if (onto != nullptr && onto->get_bool().value_or(false)) {
    append(known->elements, parts->source());
  } else {
    known->elements = parts->source();
  }
}

std::vector<ShownArtifact> ArtifactFold::shown() const {
  std::vector<ShownArtifact> all;
  for (const Artifact& artifact : artifacts_) all.push_back({artifact.id, artifact.elements});
  return all;
}

}  // namespace interline::protocols::a2a::server
