// docs/errors.md against the error kinds and reasons, and against each binding's table.
#include "bindings/control/errors.hpp"

#include <fstream>
#include <set>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "bindings/xmpp/tables.hpp"
#include "marked_block.hpp"
#include "tasks/model.hpp"

namespace interline::documents {
namespace {

constexpr std::size_t kKinds = static_cast<std::size_t>(ErrorKind::internal) + 1;
constexpr std::size_t kReasons = static_cast<std::size_t>(ErrorReason::rate) + 1;

std::string status(ErrorKind kind, ErrorReason reason = ErrorReason::none) {
  return std::to_string(control::status_of(Error(kind, reason, "")));
}

ErrorKind kind_named(std::string_view word) {
  for (std::size_t i = 0; i < kKinds; ++i) {
    if (to_string(static_cast<ErrorKind>(i)) == word) return static_cast<ErrorKind>(i);
  }
  throw std::runtime_error("no kind " + std::string(word));
}

/// The texts in the namespace failure_code of tasks/model.hpp, read from the source so that none is
/// forgotten here.
std::set<std::string> declared_failure_codes() {
  std::ifstream stream(INTERLINE_SOURCE_DIR "/src/tasks/model.hpp");
  std::set<std::string> codes;
  bool inside = false;
  for (std::string line; std::getline(stream, line);) {
    if (line == "namespace failure_code {") inside = true;
    if (line == "}  // namespace failure_code") inside = false;
    const auto begin = line.find('"');
    if (inside && begin != std::string::npos) {
      codes.insert(line.substr(begin + 1, line.rfind('"') - begin - 1));
    }
  }
  return codes;
}

TEST(ErrorsDocument, EveryKindHasItsRowWithEachNetworksForm) {
  const auto rows = table_rows(marked_block("errors.md", "kinds"));
  ASSERT_EQ(rows.size(), kKinds);
  for (std::size_t i = 0; i < kKinds; ++i) {
    const auto kind = static_cast<ErrorKind>(i);
    const xmpp::ErrorRow& wire = xmpp::error_row(kind);
    ASSERT_EQ(rows[i].size(), 6U);
    EXPECT_EQ(rows[i][0], to_string(kind));
    EXPECT_NE(rows[i][1], "");
    EXPECT_EQ(rows[i][2], wire.condition);
    EXPECT_EQ(rows[i][3], to_string(wire.type));
    EXPECT_EQ(rows[i][4], wire.text ? "yes" : "no");
    EXPECT_EQ(rows[i][5], status(kind)) << rows[i][0];
  }
}

TEST(ErrorsDocument, EveryReasonHasItsRow) {
  const auto rows = table_rows(marked_block("errors.md", "reasons"));
  ASSERT_EQ(rows.size(), kReasons - 1) << "all but none";
  for (std::size_t i = 1; i < kReasons; ++i) {
    const auto reason = static_cast<ErrorReason>(i);
    const auto& row = rows[i - 1];
    ASSERT_EQ(row.size(), 4U);
    EXPECT_EQ(row[0], to_string(reason));
    EXPECT_EQ(row[3], status(kind_named(row[1]), reason)) << row[0];
  }
}

TEST(ErrorsDocument, EveryReservedFailureCodeHasItsRow) {
  std::set<std::string> listed;
  for (const auto& row : table_rows(marked_block("errors.md", "failures"))) {
    listed.insert(row.at(0).substr(1, row.at(0).size() - 2));  // without the back-quotes
  }
  EXPECT_EQ(listed, declared_failure_codes());
  EXPECT_TRUE(listed.contains(std::string(tasks::failure_code::kMaxDuration)));
}

}  // namespace
}  // namespace interline::documents
