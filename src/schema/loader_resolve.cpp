// Loader, fourth part: references, and the places they name.
#include <algorithm>
#include <charconv>

#include "schema/bounded_text.hpp"
#include "schema/loader.hpp"
#include "schema/uri.hpp"

namespace interline::schema {
namespace {

/// RFC 6901: ~1 and ~0 unescaped; nothing where the escape is malformed.
std::optional<std::string> unescaped(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~') {
      out.push_back(token[i]);
    } else if (i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1')) {
      out.push_back(token[++i] == '0' ? '~' : '/');
    } else {
      return std::nullopt;
    }
  }
  return out;
}

const json::Value* child_at(const json::Value& value, std::string_view token) {
  if (value.is_object()) {
    const auto name = unescaped(token);
    return name ? value.find(*name) : nullptr;
  }
  if (!value.is_array() || token.empty() || (token.size() > 1 && token.front() == '0')) {
    return nullptr;
  }
  std::size_t index = 0;
  const char* end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, index);
  if (error != std::errc() || stop != end || index >= value.size()) return nullptr;
  return &value.items()[index];
}

}  // namespace

bool Loader::resolve_references() {
  // Resolving may load documents, which bring references of their own.
  for (std::size_t i = 0; i < model_.references.size(); ++i) {
    Reference reference = model_.references[i];
    if (!resolve(reference)) {
      if (error_) return false;
      const std::string_view keyword = reference.dynamic ? "$dynamicRef" : "$ref";
      return fail(CompileErrorCode::unresolved_reference, reference.from, keyword_step(keyword),
                  std::string(keyword) +
                      " must name a schema in this document or a supplied one: " +
                      quoted(reference.text, 256));
    }
    model_.references[i] = reference;
  }
  return true;
}

bool Loader::resolve(Reference& reference) {
  const std::string_view base = model_.resources[model_.nodes[reference.from].resource].uri;
  const std::string target = resolve_uri(base, reference.text);
  const auto resource = find_resource(std::string(without_fragment(target)));
  if (!resource) return false;
  const auto fragment = percent_decoded(fragment_of(target));
  if (!fragment) return false;
  const Resource& found = model_.resources[*resource];
  if (fragment->empty()) {
    reference.target = found.root;
  } else if (fragment->starts_with('/')) {
    reference.target = find_pointer(*resource, *fragment);
  } else if (const auto anchor = found.anchors.find(*fragment); anchor != found.anchors.end()) {
    reference.target = anchor->second;
    const auto dynamic = found.dynamic_anchors.find(std::string_view(*fragment));
    if (reference.dynamic && dynamic != found.dynamic_anchors.end()) {
      reference.dynamic_anchor = dynamic->first;
    }
  }
  return reference.target != kNoNode;
}

/// The node at a pointer from a resource's root. A place that no keyword made a schema (an unknown
/// keyword, an example) becomes one here, below the nearest subschema around it.
NodeId Loader::find_pointer(std::uint32_t resource, std::string_view pointer) {
  NodeId nearest = model_.resources[resource].root;
  const json::Value* value = model_.nodes[nearest].schema;
  std::size_t below = 0;  // where the part of the pointer below `nearest` starts
  for (std::size_t start = 0; start < pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', start + 1), pointer.size());
    value = child_at(*value, pointer.substr(start + 1, end - start - 1));
    if (value == nullptr) return kNoNode;
    start = end;
    if (const auto known = node_at_.find(value); known != node_at_.end()) {
      nearest = known->second;
      below = end;
    }
  }
  if (model_.nodes[nearest].schema == value) return nearest;
  const Step step{.kind = Step::Kind::pointer,
                  .name = model_.pointers.emplace_back(pointer.substr(below))};
  const Node at{.parent = nearest,
                .step = step,
                .resource = model_.nodes[nearest].resource,
                .document = model_.nodes[nearest].document};
  return add_node(*value, at, 1);
}

/// The outermost resource of every dynamic scope is the root's. So a dynamic reference is static
/// where that one has the anchor, or where only one resource of all has it.
void Loader::settle_dynamic_references() {
  for (std::uint32_t i = 0; i < model_.resources.size(); ++i) {
    for (const auto& [name, node] : model_.resources[i].dynamic_anchors) {
      model_.dynamic_anchors[name].emplace_back(i, node);
    }
  }
  const Resource& outermost = model_.resources[model_.nodes[model_.root].resource];
  for (Reference& reference : model_.references) {
    if (reference.dynamic_anchor.empty()) continue;
    const auto first = outermost.dynamic_anchors.find(reference.dynamic_anchor);
    if (first != outermost.dynamic_anchors.end()) {
      reference.target = first->second;
      reference.dynamic_anchor = {};
      continue;
    }
    if (model_.dynamic_anchors.at(reference.dynamic_anchor).size() == 1) {
      reference.dynamic_anchor = {};
    }
  }
}

}  // namespace interline::schema
