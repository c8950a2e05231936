#include "runtimes/xmpp/faults.hpp"

#include <algorithm>
#include <array>

namespace interline::runtimes::xmpp {
namespace {

using Kind = protocols::xmpp::Fault::Kind;

/// RFC 6120 section 8.3.3. What is not here is final, and told as it is.
struct ConditionRow {
  std::string_view condition;
  bool passes;
  std::string_view code;
  std::string_view message;
};
constexpr std::array<ConditionRow, 10> kConditions = {{
    {condition::kConflict, false, "unavailable",
     "The remote agent has another version by now than the one this call is for."},
    {condition::kNotFound, false, "xmpp:item-not-found",
     "The remote gateway has no such agent, tool or task for this endpoint, or does not let it "
     "call."},
    {"not-acceptable", false, "xmpp:not-acceptable",
     "The remote agent does not take these values, or the deadline has passed where it is."},
    {condition::kBusy, true, "unavailable", "The remote agent has too much to do."},
    {"service-unavailable", true, "unavailable", "The remote agent is not reachable."},
    {"recipient-unavailable", true, "unavailable", "The remote agent is not reachable."},
    {"remote-server-not-found", true, "unavailable", "The remote agent's server is not found."},
    {"remote-server-timeout", true, "unavailable", "The remote agent's server does not answer."},
    {"internal-server-error", true, "unavailable", "The remote gateway has a fault."},
    {condition::kTooEarly, true, "unavailable", "The remote task has not settled yet."},
}};

const ConditionRow* row_of(const protocols::xmpp::Fault& fault) {
  if (fault.kind != Kind::refused) return nullptr;
  const auto row = std::ranges::find(kConditions, fault.condition, &ConditionRow::condition);
  return row == kConditions.end() ? nullptr : &*row;
}

}  // namespace

bool passes(const protocols::xmpp::Fault& fault) {
  if (fault.kind == Kind::unanswered || fault.kind == Kind::unsent) return true;
  const ConditionRow* row = row_of(fault);
  return row != nullptr && row->passes;
}

bool is_refusal(const protocols::xmpp::Fault& fault, std::string_view condition) {
  return fault.kind == Kind::refused && fault.condition == condition;
}

std::string said_of(const protocols::xmpp::Fault& fault) {
  switch (fault.kind) {
    case Kind::unanswered:
      return "The remote agent does not answer.";
    case Kind::unsent:
      return "There is no connection to the XMPP server.";
    case Kind::too_large:
      return "What is to be sent is larger than XMPP servers pass on.";
    case Kind::unreadable:
      return "The remote agent's answer cannot be read.";
    case Kind::refused:
      break;
  }
  const ConditionRow* row = row_of(fault);
  if (row != nullptr) return std::string(row->message);
  return "The remote agent refuses: " + fault.condition + ".";
}

tasks::Failure failure_of(const protocols::xmpp::Fault& fault) {
  const ConditionRow* row = row_of(fault);
  std::string code;
  switch (fault.kind) {
    case Kind::refused:
      code = row != nullptr ? std::string(row->code) : "xmpp:" + fault.condition;
      break;
    case Kind::too_large:
      code = "xmpp:too-large";
      break;
    case Kind::unreadable:
      code = "xmpp:unreadable";
      break;
    case Kind::unanswered:
    case Kind::unsent:
      code = tasks::failure_code::kUnavailable;
      break;
  }
  return {std::move(code), said_of(fault),
          passes(fault) || is_refusal(fault, condition::kConflict)};
}

tasks::Failure relayed(tasks::Failure failure) {
  constexpr std::string_view kOurs = "interline:";
  if (failure.code.starts_with(kOurs)) failure.code.replace(0, kOurs.size(), "interline.remote:");
  return failure;
}

}  // namespace interline::runtimes::xmpp
