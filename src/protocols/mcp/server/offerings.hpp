// Prompts and resources of the agents behind a view, as one list: all agents are asked at once, and
// one that is slow or broken hides no other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "json/parse.hpp"
#include "protocols/mcp/server/view.hpp"

namespace interline::protocols::mcp::server {

/// What one agent listed.
struct Offering {
  std::string endpoint;
  json::Document list;  ///< a JSON array

  Offering(std::string of, json::Document listed)
      : endpoint(std::move(of)), list(std::move(listed)) {}
};

/// Of those endpoints of the view that can be asked for this kind, in the directory's order. An
/// error only in the view of one, whose agent's it is.
[[nodiscard]] awaitable<Result<std::vector<Offering>>> offerings(Core& core, const Asked& asked,
                                                                 engine::ConsultationKind kind);

/// One page of a list that is there as a whole: entries as JSON texts. -32602: a cursor of another
/// list, or of this one as it was before it changed.
[[nodiscard]] Answer paged(Core& core, const Asked& asked, std::string_view member,
                           std::vector<std::string> entries);

/// The prompt that is called so in the view. Nothing: none is, as far as a name tells; whether
/// there is such a prompt says its agent.
[[nodiscard]] awaitable<std::optional<ToolRef>> find_prompt(Core& core, const Asked& asked,
                                                            std::string name);

/// The text of a member, "" where there is none.
[[nodiscard]] std::string_view text_member(const json::Value& object, std::string_view name);

}  // namespace interline::protocols::mcp::server
