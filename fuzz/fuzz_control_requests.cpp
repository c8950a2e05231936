// Bodies of the control socket: refused as malformed, no I-JSON or too large, or read into what
// keeps every bound that was promised.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "bindings/control/requests.hpp"
#include "json/parse.hpp"

using namespace interline;           // NOLINT
using namespace interline::control;  // NOLINT

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void require_refusal(const Error& error) {
  require(error.kind == ErrorKind::malformed || error.kind == ErrorKind::not_acceptable ||
          error.kind == ErrorKind::resource_constraint);
  require(!error.message.empty() && error.message.size() < 1'024);
}

void call(std::string_view body, const Limits& limits) {
  const auto read = read_call(body, limits);
  if (!read) return require_refusal(read.error());
  require(!read->endpoint.empty() && read->endpoint.size() <= 1'024);
  require(!read->tool.empty() && read->tool.size() <= 1'024);
  require(read->arguments.size() <= limits.arguments_bytes);
  require(json::parse_borrowed(read->arguments).has_value());
  require(read->request_key.size() <= 256 && read->network == kNetwork);
  const auto again = read_call(body, limits);
  require(again && again->fingerprint_head == read->fingerprint_head &&
          again->arguments == read->arguments);
}

void answer(std::string_view body, const Limits& limits) {
  const auto read = read_answer(body, limits);
  if (!read) return require_refusal(read.error());
  const int forms = (read->input.value ? 1 : 0) + (read->all ? 1 : 0);
  require(forms == 1 || (forms == 0 && read->input.parts.size() <= 64));
  require(!read->all || *read->all != tasks::AnswerAction::accept);
  for (const engine::Input::Part& part : read->input.parts) {
    require(!part.question.empty());
    require((part.action == tasks::AnswerAction::accept) == !part.value.empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  Limits limits;
  limits.arguments_bytes = 4'096;
  switch (data[0] % 6) {
    case 0:
      call(body, limits);
      break;
    case 1:
      answer(body, limits);
      break;
    case 2:
      if (const auto read = read_cancel(body); !read) require_refusal(read.error());
      break;
    case 3:
      if (const auto read = read_activate(body); !read) require_refusal(read.error());
      break;
    case 4: {
      const auto read = read_key_name(body);
      if (!read) return require_refusal(read.error()), 0;
      require(!read->empty());
      break;
    }
    default: {
      net::http::Request request;
      request.query.emplace_back("after", std::string(body));
      request.query.emplace_back("state", std::string(body));
      request.query.emplace_back("since", std::string(body));
      request.query.emplace_back("limit", "5");
      if (const auto read = read_task_query(request, limits); !read) require_refusal(read.error());
    }
  }
  return 0;
}
