#include "schema/in_place.hpp"

namespace interline::schema {
namespace {

struct Edge {
  NodeId node;
  const Keyword* keyword;
};

struct Visit {
  NodeId node;
  std::vector<Edge> edges;
  std::size_t next = 0;
};

std::vector<Edge> edges_of(const Model& model, NodeId node) {
  std::vector<Edge> edges;
  for_each_in_place(model, node, [&](NodeId target, const Keyword& keyword) {
    edges.push_back({target, &keyword});
  });
  return edges;
}

}  // namespace

// Depth first, with its own stack: a chain of references may be longer than ours could be deep.
std::expected<std::vector<NodeId>, EndlessLoop> in_place_order(const Model& model) {
  enum class Mark : std::uint8_t { fresh, open, done };
  std::vector<Mark> marks(model.nodes.size(), Mark::fresh);
  std::vector<NodeId> order;
  order.reserve(model.nodes.size());
  std::vector<Visit> stack;
  for (NodeId start = 0; start < model.nodes.size(); ++start) {
    if (marks[start] != Mark::fresh) continue;
    marks[start] = Mark::open;
    stack.push_back({start, edges_of(model, start)});
    while (!stack.empty()) {
      Visit& top = stack.back();
      if (top.next == top.edges.size()) {
        marks[top.node] = Mark::done;
        order.push_back(top.node);
        stack.pop_back();
        continue;
      }
      const Edge edge = top.edges[top.next++];
      if (marks[edge.node] == Mark::open) {
        return std::unexpected(EndlessLoop{top.node, edge.keyword});
      }
      if (marks[edge.node] == Mark::done) continue;
      marks[edge.node] = Mark::open;
      stack.push_back({edge.node, edges_of(model, edge.node)});
    }
  }
  return order;
}

}  // namespace interline::schema
