// The database, looked at as serve would open it.
#include <filesystem>

#include "cli/doctor_checks.hpp"
#include "store/sqlite/opening.hpp"

namespace interline::cli {
namespace {

using Verdict = Finding::Verdict;
using Found = store::Look::Found;

constexpr std::chrono::milliseconds kLongestLook{5'000};

std::string text_of(const store::Look& look) {
  const std::string schema = "schema " + std::to_string(look.schema);
  switch (look.found) {
    case Found::nothing:
      return "none yet: serve makes it";
    case Found::older:
      return schema +
             ", of an earlier version: serve brings it forward, and that version cannot "
             "open it again";
    case Found::whole:
      return schema + ", in order";
    case Found::partly:
      return schema + ", in order as far as it was read in " +
             std::to_string(kLongestLook.count() / 1'000) + " s";
  }
  return schema;
}

}  // namespace

Findings check_database(const app::Configuration& configuration) {
  Findings found;
  const std::filesystem::path file = configuration.gateway.data_dir / "interline.db";
  const auto look = store::look_at_database(file.string(), kLongestLook);
  if (!look) {
    // The error's second half says what to do, for the log of serve as well.
    std::string what = look.error().message;
    std::string mend = "see docs/operating.md";
    if (const auto cut = what.find("; "); cut != std::string::npos) {
      mend = what.substr(cut + 2);
      what.resize(cut);
    } else if (const auto colon = what.rfind(": "); colon != std::string::npos) {
      mend = what.substr(colon + 2);
      what.resize(colon);
    }
    found.emplace_back(Verdict::wrong, "database", std::move(what), std::move(mend));
    return found;
  }
  if (!look->holder.empty()) {
    found.emplace_back(Verdict::doubtful, "database",
                       "process " + look->holder +
                           " has it open, and answers at no socket here: a gateway that starts or "
                           "ends, or one that this user may not ask",
                       "look who it is: ps -p " + look->holder);
    return found;
  }
  const bool older = look->found == Found::older;
  found.emplace_back(older ? Verdict::doubtful : Verdict::fine, "database", text_of(*look),
                     older ? "make a backup of " + configuration.gateway.data_dir.string() +
                                 " before you start serve (docs/operating.md)"
                           : "");
  return found;
}

}  // namespace interline::cli
