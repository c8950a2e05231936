#include "base/error.hpp"

#include <array>
#include <cstddef>

namespace interline {
namespace {

constexpr std::array<std::string_view, 9> kKinds = {
    "malformed", "not_found",           "forbidden",   "not_acceptable", "conflict",
    "too_early", "resource_constraint", "unavailable", "internal"};
static_assert(kKinds.size() == static_cast<std::size_t>(ErrorKind::internal) + 1);

constexpr std::array<std::string_view, 12> kReasons = {"none",
                                                       "terminal",
                                                       "stale_revision",
                                                       "already_answered",
                                                       "expired",
                                                       "different_request",
                                                       "in_flight",
                                                       "wrong_context",
                                                       "not_cancellable",
                                                       "too_large",
                                                       "too_many",
                                                       "rate"};
static_assert(kReasons.size() == static_cast<std::size_t>(ErrorReason::rate) + 1);

}  // namespace

std::string_view to_string(ErrorKind kind) {
  return kKinds.at(static_cast<std::size_t>(kind));
}
std::string_view to_string(ErrorReason reason) {
  return kReasons.at(static_cast<std::size_t>(reason));
}

}  // namespace interline
