// What may be asked of an agent outside of tasks, and what its answer must look like: data until it
// has been checked. Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "engine/consultation.hpp"
#include "engine/result_check.hpp"
#include "json/value.hpp"
#include "policy/policy.hpp"
#include "policy/rate.hpp"

namespace interline::engine {

/// One kind, as far as the engine treats it differently from others.
struct ConsultationRow {
  ConsultationKind kind;
  policy::RateClass rate;
  /// What grants are asked for; none: the tool, or what the params name.
  std::optional<policy::Offering> offering;
  json::Kind answer;          ///< JSON type of the result; null: there is none
  std::string_view named_by;  ///< of lists: the member that names an entry
  bool may_ask;               ///< questions before the result
};
[[nodiscard]] const ConsultationRow& row_of(ConsultationKind kind);

struct ConsultationLimits {
  std::size_t subject_bytes = 8'192;
  std::size_t params_bytes = 262'144;
  std::size_t answer_bytes = 65'536;  ///< of one answer's value
  std::size_t json_depth = 64;
  OutputLimits output;
};

/// The sizes of what a caller brings. Errors: malformed, resource_constraint (too_large, too_many).
[[nodiscard]] Result<void> check_sizes(const Consultation& asked, const ConsultationLimits& limits);

/// get_prompt: an object of strings, or nothing. Errors: as of json::to_error, malformed.
[[nodiscard]] Result<void> check_prompt_arguments(std::string_view params,
                                                  const ConsultationLimits& limits);

/// What a completion is for.
struct CompletionReference {
  policy::Offering offering;
  std::string name;  ///< the prompt's; the resource's URI or URI template
};
/// From the params of `complete`. Errors: malformed, and not_acceptable as of json::to_error.
[[nodiscard]] Result<CompletionReference> read_reference(std::string_view params,
                                                         const ConsultationLimits& limits);

/// An agent's answer as it may be passed on. A question that the caller cannot answer is: whoever
/// speaks for the caller says what it lacks. Errors: internal.
[[nodiscard]] Result<Consulted> check_answer(Consulted answer, const ConsultationRow& row,
                                             const ConsultationLimits& limits);
/// Whether check_answer() is work for the pool.
[[nodiscard]] bool is_costly(const Consulted& answer);

/// A list's entries that `usable` names, as the agent wrote them. `list` has passed check_answer().
[[nodiscard]] std::string only_usable(std::string_view list, const ConsultationRow& row,
                                      const ConsultationLimits& limits,
                                      const std::function<bool(std::string_view)>& usable);

/// An agent's refusal as callers may see it.
[[nodiscard]] Error safe_refusal(Error error);

}  // namespace interline::engine
