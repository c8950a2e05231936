// A TOML table as it is read: every key must be asked for, or it is a mistake. Keeps toml++ out of
// every other file.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/configuration.hpp"
#include "base/secret.hpp"

namespace toml {
inline namespace v3 {
class node;
class table;
}  // namespace v3
}  // namespace toml

namespace interline::app {

/// Collects mistakes for one file.
class Mistakes {
 public:
  void add(std::uint32_t line, std::string text) { all_.emplace_back(line, std::move(text)); }
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] std::vector<Mistake> take();

 private:
  std::vector<Mistake> all_;
};

class TomlReader {
 public:
  /// `path`: how the table is called in messages, "[http]".
  TomlReader(const toml::table& table, std::string path, Mistakes& mistakes)
      : table_(table), path_(std::move(path)), mistakes_(mistakes) {}

  // Each leaves the value as it is where the key is absent, and reports one that is wrong.
  void text(std::string_view key, std::string& value);
  void flag(std::string_view key, bool& value);
  void size(std::string_view key, std::size_t& value, std::size_t least, std::size_t most);
  void number(std::string_view key, double& value, double least, double most);
  /// "500ms", "60s", "15m", "24h", "7d"
  void duration(std::string_view key, std::chrono::nanoseconds& value,
                std::chrono::nanoseconds least, std::chrono::nanoseconds most);
  void duration(std::string_view key, std::chrono::milliseconds& value,
                std::chrono::nanoseconds least, std::chrono::nanoseconds most);
  void path(std::string_view key, std::filesystem::path& value,
            const std::filesystem::path& relative_to);
  void texts(std::string_view key, std::vector<std::string>& value);
  void choice(std::string_view key, std::string& value, std::span<const std::string_view> allowed);
  void pairs(std::string_view key, std::vector<std::pair<std::string, std::string>>& value);
  /// `key = "..."` or `key_file = "path"`, not both.
  void secret(std::string_view key, Secret& value, std::filesystem::path& file,
              const std::filesystem::path& relative_to);

  [[nodiscard]] bool has(std::string_view key) const;
  void table(std::string_view key, const std::function<void(TomlReader&)>& read);
  /// [[key]], in order.
  void tables(std::string_view key, const std::function<void(TomlReader&)>& read);
  void required(std::string_view key, std::string_view example);
  /// A key that a later version will know: said as such, not as unknown.
  void later(std::string_view key);
  void mistake(std::string_view key, std::string text);
  [[nodiscard]] std::uint32_t line() const;

  /// Reports the keys nobody asked for.
  void finish();

 private:
  [[nodiscard]] const toml::node* get(std::string_view key);
  void wrong(const toml::node& node, std::string_view key, std::string_view expected);
  [[nodiscard]] std::string expand(const toml::node& node, std::string_view key, std::string text);

  const toml::table& table_;
  const std::string path_;
  Mistakes& mistakes_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace interline::app
