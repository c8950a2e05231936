// Directory pages with ten, ten thousand and a million endpoints. What matters is the last column:
// how much longer a page takes than with ten endpoints.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "catalog/directory.hpp"

namespace {

using namespace interline;
using catalog::Directory;
using catalog::PageRequest;
using policy::Principal;
using Anchor = PageRequest::Anchor;
using Steady = std::chrono::steady_clock;

constexpr std::size_t kPage = 5;  // entries, so that ten endpoints have a full one
constexpr int kPages = 20'000;
constexpr int kRounds = 5;  // of which the best counts

policy::Policy rules() {
  policy::Configuration configuration;
  policy::Grant all;
  all.principals = {"key:all"};
  all.endpoints = {"*"};
  all.visible = true;
  policy::Grant half = all;
  half.principals = {"key:half"};
  half.endpoints = {"*", "!*1", "!*3", "!*5", "!*7", "!*9"};
  configuration.grants = {all, half};
  return *policy::Policy::compile(std::move(configuration));
}

std::string name_of(std::size_t number) {
  return "endpoint-" + std::to_string(1'000'000 + number);
}

double nanoseconds(Steady::duration time) {
  return std::chrono::duration<double, std::nano>(time).count();
}

/// Nanoseconds a page, the best of some rounds.
double time_pages(const Directory& directory, const policy::VisibilityClass& visibility,
                  const std::vector<PageRequest>& pages) {
  double best = 1e18;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = Steady::now();
    std::size_t entries = 0;
    for (const PageRequest& page : pages)
      entries += directory.list(visibility, page)->entries.size();
    if (entries == 0) std::abort();
    best = std::min(best, nanoseconds(Steady::now() - start) / static_cast<double>(pages.size()));
  }
  return best;
}

std::vector<PageRequest> random_pages(Anchor anchor, std::size_t endpoints) {
  std::mt19937_64 random(3);
  std::vector<PageRequest> pages(kPages);
  for (PageRequest& page : pages) {
    page.anchor = anchor;
    page.maximum = kPage;
    const std::size_t at = random() % (endpoints / 2) / 2 * 2;  // visible to both classes
    page.id = name_of(anchor == Anchor::before ? endpoints - 2 - at : at);
    page.index = at / 2;
  }
  return pages;
}

struct Row {
  std::string what;
  std::vector<double> nanoseconds;
};

}  // namespace

int main() {
  const policy::Policy policy = rules();
  const auto all = policy.visibility_class(Principal("key:all"));
  const auto half = policy.visibility_class(Principal("key:half"));
  std::vector<Row> rows = {{"all visible, after an endpoint", {}},
                           {"all visible, before an endpoint", {}},
                           {"all visible, from a position", {}},
                           {"half visible, after an endpoint", {}},
                           {"an endpoint activated and deactivated", {}},
                           {"first page of a class, an endpoint", {}},
                           {"a search, an endpoint", {}}};
  for (const std::size_t endpoints : {10UL, 10'000UL, 1'000'000UL}) {
    Directory directory("agents.example.test");
    for (std::size_t i = 0; i < endpoints; ++i) directory.activate(name_of(i), "An endpoint");

    const auto start = Steady::now();
    if (directory.list(all, PageRequest())->count != endpoints) return 1;
    const double built = nanoseconds(Steady::now() - start) / static_cast<double>(endpoints);
    if (directory.list(half, PageRequest())->count != endpoints / 2) return 1;

    rows[0].nanoseconds.push_back(
        time_pages(directory, all, random_pages(Anchor::after, endpoints)));
    rows[1].nanoseconds.push_back(
        time_pages(directory, all, random_pages(Anchor::before, endpoints)));
    rows[2].nanoseconds.push_back(
        time_pages(directory, all, random_pages(Anchor::index, endpoints)));
    rows[3].nanoseconds.push_back(
        time_pages(directory, half, random_pages(Anchor::after, endpoints)));

    const auto change = Steady::now();
    for (int i = 0; i < kPages; ++i) {
      directory.activate("late-" + std::to_string(i), "Late");
      directory.deactivate("late-" + std::to_string(i));
    }
    rows[4].nanoseconds.push_back(nanoseconds(Steady::now() - change) / kPages);
    rows[5].nanoseconds.push_back(built);
    const auto search = Steady::now();
    if (directory.search(all, "nowhere", PageRequest())->count != 0) return 1;
    rows[6].nanoseconds.push_back(nanoseconds(Steady::now() - search) /
                                  static_cast<double>(endpoints));
  }
  std::printf("%-40s %10s %10s %10s %16s\n", "nanoseconds", "10", "10,000", "1,000,000",
              "1,000,000 to 10");
  for (const Row& row : rows) {
    std::printf("%-40s %10.0f %10.0f %10.0f %16.2f\n", row.what.c_str(), row.nanoseconds[0],
                row.nanoseconds[1], row.nanoseconds[2], row.nanoseconds[2] / row.nanoseconds[0]);
  }
  return 0;
}
