#include "schema/suite.hpp"

#include <algorithm>
#include <deque>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include "json/parse.hpp"
#include "schema/bounded_text.hpp"

namespace interline::schema {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRemoteHost = "http://localhost:1234/";

struct DialectFolder {
  std::string_view name;
  Dialect dialect;
};
constexpr DialectFolder kDialectFolders[] = {{"draft2020-12", Dialect::draft_2020_12},
                                             {"draft7", Dialect::draft_07}};

/// Files of a suite that somebody chose to run: larger than what the network may send.
constexpr std::size_t kFileBytes = 64U << 20U;

json::Limits file_limits() {
  json::Limits limits;
  limits.bytes = limits.string_bytes = kFileBytes;
  limits.members = limits.elements = limits.nodes = kFileBytes;
  return limits;
}

/// At most one byte more than a file may have.
std::optional<std::string> read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  char chunk[1U << 16U];
  while (file && text.size() <= kFileBytes) {
    file.read(chunk, sizeof chunk);
    text.append(chunk, static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof() && text.size() <= kFileBytes) return std::nullopt;
  return text;
}

Result<json::Document> read_json(const fs::path& path) {
  auto text = read_file(path);
  if (!text) return fail(ErrorKind::not_found, "cannot read " + path.string());
  auto document = json::parse(std::move(*text), file_limits(), json::Numbers::faithful);
  if (!document) {
    return fail(ErrorKind::malformed, path.string() + ": " + json::to_string(document.error()));
  }
  return std::move(*document);
}

/// The remotes folder as documents by URI, read when first asked for.
class Remotes {
 public:
  explicit Remotes(fs::path folder) : folder_(std::move(folder)) {}

  const json::Value* find(std::string_view uri) {
    if (!uri.starts_with(kRemoteHost)) return nullptr;
    const std::string name(uri.substr(kRemoteHost.size()));
    if (name.find("..") != std::string::npos) return nullptr;
    const auto known = documents_.find(name);
    if (known != documents_.end()) return &known->second.root();
    auto document = read_json(folder_ / name);
    if (!document) return nullptr;
    return &documents_.emplace(name, std::move(*document)).first->second.root();
  }

 private:
  fs::path folder_;
  std::map<std::string, json::Document> documents_;
};

struct SuiteFolder {
  Dialect dialect;
  fs::path remotes;
  bool formats;
};

std::optional<SuiteFolder> locate(const fs::path& folder) {
  fs::path at = fs::absolute(folder).lexically_normal();
  if (!at.has_filename()) at = at.parent_path();
  const bool formats = at.filename() == "format";
  for (; at.has_relative_path(); at = at.parent_path()) {
    for (const DialectFolder& known : kDialectFolders) {
      if (at.filename() != known.name) continue;
      return SuiteFolder{known.dialect, at.parent_path().parent_path() / "remotes", formats};
    }
  }
  return std::nullopt;
}

Result<std::vector<fs::path>> json_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".json") files.push_back(entry->path());
  }
  if (error) return fail(ErrorKind::not_found, "cannot read the folder " + folder.string());
  if (files.empty()) return fail(ErrorKind::not_found, "no *.json files in " + folder.string());
  std::ranges::sort(files);
  return files;
}

/// The group's members, if the file has the suite's form.
struct Group {
  std::string_view description;
  const json::Value* schema;
  std::span<const json::Value> tests;
};

std::optional<Group> read_group(const json::Value& value) {
  const json::Value* description = value.find("description");
  const json::Value* schema = value.find("schema");
  const json::Value* tests = value.find("tests");
  if (description == nullptr || !description->is_string() || schema == nullptr ||
      tests == nullptr || !tests->is_array()) {
    return std::nullopt;
  }
  return Group{description->as_string(), schema, tests->items()};
}

Result<void> run_file(const fs::path& path, const CompileOptions& options,
                      const std::function<void(const SuiteCase&)>& visit) {
  const auto document = read_json(path);
  if (!document) return std::unexpected(document.error());
  const auto no_suite = [&] {
    return fail(ErrorKind::malformed, path.string() + " is not a file of the test suite");
  };
  if (!document->root().is_array()) return no_suite();
  const std::string file = path.filename().string();
  for (const json::Value& value : document->root().items()) {
    const auto group = read_group(value);
    if (!group) return no_suite();
    const auto compiled = Schema::compile(*group->schema, options);
    for (const json::Value& test : group->tests) {
      const json::Value* description = test.find("description");
      const json::Value* data = test.find("data");
      const json::Value* valid = test.find("valid");
      if (description == nullptr || !description->is_string() || data == nullptr ||
          valid == nullptr || !valid->is_boolean()) {
        return no_suite();
      }
      visit({file, group->description, description->as_string(), *group->schema, *data,
             valid->as_bool(), compiled});
    }
  }
  return {};
}

}  // namespace

Result<void> for_each_case(const fs::path& folder, const SuiteOptions& suite_options,
                           const std::function<void(const SuiteCase&)>& visit,
                           const std::function<void(SuiteFailure)>& unreadable) {
  const auto located = locate(folder);
  if (!located) {
    return fail(ErrorKind::not_found,
                folder.string() + " is not in a folder named draft2020-12 or draft7");
  }
  const auto files = json_files(folder);
  if (!files) return std::unexpected(files.error());
  Remotes remotes(located->remotes);
  CompileOptions options;
  options.default_dialect = located->dialect;
  options.assert_format = suite_options.assert_format || located->formats;
  options.documents = [&remotes](std::string_view uri) { return remotes.find(uri); };
  for (const fs::path& file : *files) {
    auto done = run_file(file, options, visit);
    if (done) continue;
    if (!unreadable) return done;
    unreadable({file.filename().string(), "", "", std::move(done.error().message)});
  }
  return {};
}

std::string problem_of(const SuiteCase& suite_case) {
  if (!suite_case.compiled) return to_string(suite_case.compiled.error());
  const Verdict verdict = suite_case.compiled->validate(suite_case.instance);
  if (verdict == Verdict::budget_exceeded) return "exceeds the budget";
  if ((verdict == Verdict::valid) == suite_case.valid) return {};
  return suite_case.valid ? "is invalid, must be valid" : "is valid, must be invalid";
}

Result<SuiteResult> run_suite(const fs::path& folder, const SuiteOptions& options) {
  SuiteResult result;
  const auto count = [&result](const SuiteCase& suite_case) {
    std::string problem = problem_of(suite_case);
    if (problem.empty()) {
      ++result.passed;
    } else {
      result.failures.push_back({std::string(suite_case.file), std::string(suite_case.group),
                                 std::string(suite_case.test), std::move(problem)});
    }
  };
  const auto unreadable = [&result](SuiteFailure failure) {
    result.failures.push_back(std::move(failure));
  };
  const auto done = for_each_case(folder, options, count, unreadable);
  if (!done) return std::unexpected(done.error());
  return result;
}

std::string to_string(const SuiteResult& result) {
  std::string out;
  for (const SuiteFailure& failure : result.failures) {
    std::string line = failure.file;
    for (const std::string* part : {&failure.group, &failure.test, &failure.problem}) {
      if (!part->empty()) line += ": " + *part;
    }
    out += printable(line) + "\n";
  }
  return out + std::to_string(result.passed) + " passed, " +
         std::to_string(result.failures.size()) + " failed\n";
}

}  // namespace interline::schema
