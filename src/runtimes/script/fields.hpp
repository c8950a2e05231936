// One table of an agent as it is read: every key must be asked for, or it is a mistake.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "json/value.hpp"
#include "runtimes/script/agent_text.hpp"
#include "runtimes/script/placeholders.hpp"

namespace interline::runtimes::script {

/// The bytes of a file that the agent names. Errors: a sentence for people.
using ReadFile = std::function<Result<std::string>(std::string_view name)>;

/// What all tables of one agent share.
class Reading {
 public:
  static constexpr std::size_t kMostMistakes = 50;
  static constexpr std::size_t kFileBytes = std::size_t{8} << 20U;      ///< of one file
  static constexpr std::size_t kAllFileBytes = std::size_t{32} << 20U;  ///< of all

  Reading(const AgentText& text, const ReadFile& files) : text_(text), files_(files) {}
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  void mistake(const json::Value& at, std::string what);
  /// "" and a mistake where it cannot be read.
  [[nodiscard]] std::string file(const json::Value& at, std::string_view name);
  [[nodiscard]] std::vector<Mistake> take_mistakes() { return std::move(mistakes_); }
  [[nodiscard]] bool clean() const { return mistakes_.empty(); }

 private:
  const AgentText& text_;
  const ReadFile& files_;
  std::vector<Mistake> mistakes_;
  std::size_t file_bytes_ = 0;
};

class Fields {
 public:
  /// `path` says in messages which table it is. What is no table is a mistake, and has no keys.
  Fields(Reading& reading, const json::Value& table, std::string path);

  [[nodiscard]] Reading& reading() const { return reading_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const json::Value& table() const { return table_; }
  [[nodiscard]] bool has(std::string_view key) const { return table_.find(key) != nullptr; }
  /// nullptr: it is not there. The key is known from now on.
  [[nodiscard]] const json::Value* get(std::string_view key);
  /// The one of these that is there; "" and a mistake if there is none or more than one.
  [[nodiscard]] std::string_view one_of(std::span<const std::string_view> keys);
  [[nodiscard]] std::string_view one_of(std::initializer_list<std::string_view> keys) {
    return one_of(std::span(keys.begin(), keys.size()));
  }

  // Values; a default where the key is absent or wrong, which is a mistake.
  [[nodiscard]] std::string text(std::string_view key);
  [[nodiscard]] std::string required_text(std::string_view key);
  [[nodiscard]] TextTemplate text_template(std::string_view key);
  [[nodiscard]] JsonTemplate json_template(std::string_view key, Whole whole);
  [[nodiscard]] bool flag(std::string_view key);
  [[nodiscard]] std::optional<double> number(std::string_view key, double least, double most);
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key);
  [[nodiscard]] std::chrono::nanoseconds duration(std::string_view key);
  [[nodiscard]] std::string choice(std::string_view key,
                                   std::initializer_list<std::string_view> words);
  [[nodiscard]] std::vector<std::string> texts(std::string_view key, std::size_t most);
  /// A table, or a text that is a JSON object, which keeps its bytes. "" if absent.
  [[nodiscard]] std::string object(std::string_view key);
  /// The elements; none if absent.
  [[nodiscard]] std::vector<const json::Value*> list(std::string_view key, std::size_t most);

  void mistake(std::string what) { reading_.mistake(table_, path_ + ": " + std::move(what)); }
  void mistake(std::string_view key, std::string what);
  void wrong(std::string_view key, std::string_view expected);
  /// Reports the keys nobody asked for.
  void finish();

 private:
  Reading& reading_;
  const json::Value& table_;
  const std::string path_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace interline::runtimes::script
