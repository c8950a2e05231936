// The names of tools as MCP clients see them: `endpoint.tool` where all endpoints are shown
// (`/mcp`), the tool's own where one is (`/mcp/NAME`). 1 to 128 of A-Z a-z 0-9 _ - . (2026-07-28,
// server/tools, "Tool Names"), each once in a view, the same every time, and understood when it
// comes back.
//
// A name that is legal is itself. Of one that is not, every illegal byte becomes `_`, what is too
// long is cut, and `-` and eight hexadecimal digits of a hash of the whole follow. Two that would
// be called the same differ as well: the one with the shorter endpoint keeps the name, since that
// is how a name is looked up; the others get the digits.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace interline::protocols::mcp {

inline constexpr std::size_t kMaxToolName = 128;

struct ToolRef {
  std::string endpoint;  ///< "" in the view of one endpoint
  std::string tool;

  friend auto operator<=>(const ToolRef&, const ToolRef&) = default;
};

/// Whether an MCP client takes it.
[[nodiscard]] bool is_tool_name(std::string_view name);

/// The name where nothing collides: the same in every view, for the tool alone.
[[nodiscard]] std::string tool_name(const ToolRef& ref);

/// Why a tool is not called by what it is.
enum class Renaming : std::uint8_t { illegal, collision };
struct RenamedTool {
  ToolRef ref;
  std::string name;  ///< as it is shown
  Renaming why = Renaming::illegal;
};

/// All names of one view. The order in which tools are given does not matter; given twice is once.
class ToolNames {
 public:
  explicit ToolNames(std::span<const ToolRef> view);

  /// nullptr: not in the view.
  [[nodiscard]] const std::string* name_of(const ToolRef& ref) const;
  [[nodiscard]] const ToolRef* find(std::string_view name) const;
  /// In the order of the names: that of tools/list.
  [[nodiscard]] const std::map<std::string, ToolRef, std::less<>>& all() const { return by_name_; }
  /// For the operator.
  [[nodiscard]] const std::vector<RenamedTool>& renamed() const { return renamed_; }

 private:
  void add(const ToolRef& ref, bool legal);

  std::map<std::string, ToolRef, std::less<>> by_name_;
  std::map<ToolRef, std::string> by_ref_;
  std::vector<RenamedTool> renamed_;
};

/// For who has no ToolNames of a whole view, which may be large: endpoints that a name of the view
/// of all may be of, in the order in which they are tried, each with what is left for the tool
/// (every place of a dot). The first whose endpoint has a tool that the name is_name_of() is meant.
/// Not found in this way are tools of endpoints whose own names are illegal or too long.
[[nodiscard]] std::vector<ToolRef> possible_refs(std::string_view name);

/// Whether the tool may be called so in some view: its own name, or that with digits.
[[nodiscard]] bool is_name_of(std::string_view name, const ToolRef& ref);

}  // namespace interline::protocols::mcp
