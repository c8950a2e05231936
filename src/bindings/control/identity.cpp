// Who a Unix user is here.
#include <algorithm>
#include <cerrno>
#include <optional>
#include <pwd.h>
#include <unistd.h>
#include <vector>

#include "bindings/control/control.hpp"

namespace interline::control {
namespace {

constexpr std::size_t kLongestEntry = std::size_t{1024} * 1024;

std::optional<std::string> user_name(uid_t user) {
  std::vector<char> buffer(1'024);
  for (;;) {
    struct passwd entry {};
    struct passwd* found = nullptr;
    const int error = ::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found);
    if (error == ERANGE && buffer.size() < kLongestEntry) {
      buffer.resize(buffer.size() * 2);
      continue;
    }
    if (error != 0 || found == nullptr || found->pw_name == nullptr) return std::nullopt;
    return std::string(found->pw_name);
  }
}

}  // namespace

policy::Principal local_principal(uid_t user) {
  // No user's name begins with this sign, so a number is never taken for a name.
  return policy::Principal::of("local", user_name(user).value_or("#" + std::to_string(user)));
}

std::vector<std::string> local_operators() {
  std::vector<std::string> operators = {local_principal(0).text()};
  const std::string own = local_principal(::geteuid()).text();
  if (own != operators.front()) operators.push_back(own);
  return operators;
}

}  // namespace interline::control
