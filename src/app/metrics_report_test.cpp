// What /metrics says, and that docs/metrics.md says the same.
#include "app/metrics_report.hpp"

#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "base/manual_clock.hpp"

namespace interline::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A gateway that has everything a gateway can have.
Figures everything() {
  static const ManualClock clock;
  static const net::http::ServerStats stats;
  Figures figures;
  figures.version = "1.2.3";
  figures.decisions = std::make_shared<policy::DecisionLog>(Logger(), clock);
  EndpointFigures& demo = figures.endpoints.emplace_back();
  demo.name = "demo";
  demo.imported = true;
  demo.load.running = 2;
  demo.load.waiting = 5;
  EndpointFigures& script = figures.endpoints.emplace_back();
  script.name = "script";
  const auto processes = std::make_shared<runtimes::ProcessCounters>();
  processes->starts = 4;
  processes->deaths = 3;
  script.processes = processes;
  figures.xmpp.emplace();
  figures.http = &stats;
  figures.local = &stats;
  figures.process.emplace();
  for (auto& outcomes : figures.engine.counts.admissions) outcomes.fill(1);
  return figures;
}

struct Family {
  std::string type;
  std::set<std::string> labels;

  friend bool operator==(const Family&, const Family&) = default;
  friend void PrintTo(const Family& family, std::ostream* out) {
    *out << family.type;
    for (const std::string& label : family.labels) *out << " " << label;
  }
};
using Families = std::map<std::string, Family>;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::set<std::string> labels_of(const std::string& sample) {
  std::set<std::string> labels;
  for (auto at = sample.find_first_of("{,"); at != std::string::npos;) {
    const auto end = sample.find("=\"", at);
    if (end == std::string::npos) break;
    const std::string label = sample.substr(at + 1, end - at - 1);
    if (label != "le") labels.insert(label);  // the histogram's own
    at = sample.find(',', sample.find('"', end + 2));
  }
  return labels;
}

Families exported(const std::string& text) {
  Families families;
  std::string name;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("# HELP ")) continue;
    if (line.starts_with("# TYPE ")) {
      name = line.substr(7, line.find(' ', 7) - 7);
      EXPECT_FALSE(families.contains(name)) << name << " is there twice";
      families[name].type = line.substr(8 + name.size());
      continue;
    }
    EXPECT_TRUE(line.starts_with(name)) << line;
    families[name].labels.merge(labels_of(line));
  }
  return families;
}

/// Rows "| `name` | type | `label`, `label` | meaning |".
Families documented() {
  std::ifstream file(INTERLINE_SOURCE_DIR "/docs/metrics.md", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  Families families;
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    std::istringstream stream(line.substr(2));
    for (std::string cell; std::getline(stream, cell, '|');) {
      std::erase_if(cell, [](char c) { return c == '`' || c == ' '; });
      cells.push_back(cell);
    }
    const bool family_row = cells.size() == 4;
    if (!family_row) continue;  // a row of another table
    EXPECT_FALSE(families.contains(cells[0])) << cells[0] << " is there twice";
    Family& family = families[cells[0]];
    family.type = cells[1];
    std::istringstream labels(cells[2]);
    for (std::string label; std::getline(labels, label, ',');) family.labels.insert(label);
  }
  return families;
}

TEST(Metrics, EveryNameIsDocumentedAndEveryDocumentedNameIsThere) {
  const Families said = exported(metrics_text(everything()));
  const Families described = documented();
  EXPECT_GE(said.size(), 30U);
  EXPECT_EQ(said, described);
}

TEST(Metrics, NamesFollowTheConventionsOfPrometheus) {
  for (const auto& [name, family] : exported(metrics_text(everything()))) {
    EXPECT_TRUE(name.starts_with("interline_") || name.starts_with("process_")) << name;
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos) << name;
    EXPECT_EQ(family.type == "counter", name.ends_with("_total")) << name;
    EXPECT_THAT((std::set<std::string>{"counter", "gauge", "histogram"}),
                ::testing::Contains(family.type));
  }
}

TEST(Metrics, EveryFamilyHasAHelpLineBeforeItsType) {
  const auto lines = lines_of(metrics_text(everything()));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with("# TYPE ")) continue;
    const std::string name = lines[i].substr(7, lines[i].find(' ', 7) - 7);
    ASSERT_GT(i, 0U);
    EXPECT_TRUE(lines[i - 1].starts_with("# HELP " + name + " ")) << lines[i - 1];
  }
}

TEST(Metrics, WhatIsNotThereIsLeftOut) {
  const std::string text = metrics_text(Figures());
  EXPECT_THAT(text, Not(HasSubstr("xmpp_connected")));
  EXPECT_THAT(text, Not(HasSubstr("process_")));
  EXPECT_THAT(text, HasSubstr("interline_ready 0\n"));
}

TEST(Metrics, TasksAreCountedByState) {
  Figures figures;
  figures.engine.counts.tasks = {1, 2, 3, 4, 5, 6, 7};
  const std::string text = metrics_text(figures);
  for (const char* line : {"interline_tasks_open{state=\"accepted\"} 1\n",
                           "interline_tasks_open{state=\"running\"} 2\n",
                           "interline_tasks_open{state=\"input_required\"} 3\n",
                           "interline_tasks_open{state=\"cancelling\"} 4\n",
                           "interline_tasks_settled_total{outcome=\"completed\"} 5\n",
                           "interline_tasks_settled_total{outcome=\"failed\"} 6\n",
                           "interline_tasks_settled_total{outcome=\"cancelled\"} 7\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(Metrics, AdmissionsOfANetworkNobodyCameByAreLeftOut) {
  Figures figures;
  figures.engine.counts.admissions[0][1] = 3;
  const std::string text = metrics_text(figures);
  EXPECT_THAT(text, HasSubstr("{network=\"xmpp\",outcome=\"replayed\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("{network=\"xmpp\",outcome=\"internal\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("{network=\"local\",outcome=\"accepted\"} 0\n"));
  EXPECT_THAT(text, Not(HasSubstr("network=\"a2a\"")));
}

TEST(Metrics, HistogramsAreCumulative) {
  Figures figures;
  for (const double size : {1.0, 2.0, 3.0, 600.0}) {
    figures.engine.committer.group_sizes.add(size);
  }
  const std::string text = metrics_text(figures);
  for (const char* line :
       {"_bucket{le=\"1\"} 1\n", "_bucket{le=\"2\"} 2\n", "_bucket{le=\"4\"} 3\n",
        "_bucket{le=\"512\"} 3\n", "_bucket{le=\"+Inf\"} 4\n", "_sum 606\n", "_count 4\n"}) {
    EXPECT_THAT(text, HasSubstr(std::string("interline_commit_group_size") + line));
  }
}

TEST(Metrics, AgentsWithoutProcessesHaveNoStarts) {
  const std::string text = metrics_text(everything());
  EXPECT_THAT(text, HasSubstr("interline_agent_starts_total{endpoint=\"script\"} 4\n"));
  EXPECT_THAT(text, HasSubstr("interline_agent_deaths_total{endpoint=\"script\"} 3\n"));
  EXPECT_THAT(text, Not(HasSubstr("interline_agent_starts_total{endpoint=\"demo\"}")));
  EXPECT_THAT(text, HasSubstr("interline_endpoint_calls_waiting{endpoint=\"demo\"} 5\n"));
}

}  // namespace
}  // namespace interline::app
