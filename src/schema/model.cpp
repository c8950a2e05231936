#include "schema/model.hpp"

#include <ranges>

#include "json/pointer.hpp"

namespace interline::schema {
namespace {

std::string pointer_to(const Model& model, NodeId node, bool within_resource) {
  std::vector<NodeId> path;
  const std::uint32_t resource = model.nodes[node].resource;
  while (model.nodes[node].parent != kNoNode) {
    if (within_resource && node == model.resources[resource].root) break;
    path.push_back(node);
    node = model.nodes[node].parent;
  }
  std::string pointer;
  for (const NodeId step : path | std::views::reverse) append_step(pointer, model.nodes[step].step);
  return pointer;
}

}  // namespace

void append_step(std::string& pointer, const Step& step) {
  switch (step.kind) {
    case Step::Kind::root:
      break;
    case Step::Kind::keyword:
      json::append_token(pointer, step.keyword);
      break;
    case Step::Kind::name:
      json::append_token(pointer, step.keyword);
      json::append_token(pointer, step.name);
      break;
    case Step::Kind::index:
      json::append_token(pointer, step.keyword);
      json::append_index(pointer, step.index);
      break;
    case Step::Kind::pointer:
      pointer.append(step.name);
      break;
  }
}

std::string pointer_in_document(const Model& model, NodeId node) {
  return pointer_to(model, node, false);
}

std::string pointer_in_resource(const Model& model, NodeId node) {
  return pointer_to(model, node, true);
}

std::size_t Model::memory() const {
  std::size_t bytes =
      nodes.capacity() * sizeof(Node) + keywords.capacity() * sizeof(Keyword) +
      children.capacity() * sizeof(Child) + references.capacity() * sizeof(Reference) +
      patterns.capacity() * sizeof(Pattern) + resources.capacity() * sizeof(Resource);
  for (const LoadedDocument& loaded : documents) {
    bytes += sizeof(LoadedDocument) + loaded.uri.capacity() + loaded.document.memory();
  }
  for (const Pattern& pattern : patterns) bytes += pattern.memory();
  for (const std::string& uri : uris) bytes += sizeof(std::string) + uri.capacity();
  for (const std::string& pointer : pointers) bytes += sizeof(std::string) + pointer.capacity();
  for (const Resource& resource : resources) {
    bytes += (resource.anchors.size() + resource.dynamic_anchors.size()) * 96;
  }
  return bytes;
}

}  // namespace interline::schema
