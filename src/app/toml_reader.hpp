// A TOML table as it is read: every key must be asked for, or it is a mistake. Keeps toml++ out of
// every other file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/configuration.hpp"
#include "app/keys.hpp"

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
  void add(std::uint32_t line, std::string text);
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] bool has(std::uint32_t line) const;
  [[nodiscard]] std::vector<Mistake> take() { return std::move(all_); }

 private:
  std::vector<Mistake> all_;  // by line; those of one line in their order
};

class TomlReader final : public Keys {
 public:
  /// `path`: how the table is called in messages, "[http]". Relative paths begin at `directory`.
  TomlReader(const toml::table& table, std::string path, const std::filesystem::path& directory,
             Mistakes& mistakes)
      : table_(table), path_(std::move(path)), directory_(directory), mistakes_(mistakes) {}

  using Keys::duration;
  using Keys::text;
  using Keys::texts;
  void text(Key key, std::string& value, TextCheck check) override;
  void flag(Key key, bool& value) override;
  void size(Key key, std::size_t& value, std::size_t least, std::size_t most) override;
  void number(Key key, double& value, double least, double most) override;
  void duration(Key key, nanoseconds& value, nanoseconds least, nanoseconds most) override;
  void path(Key key, std::filesystem::path& value, bool present) override;
  void texts(Key key, std::vector<std::string>& value, TextCheck check) override;
  void choice(Key key, std::string& value, std::span<const std::string_view> allowed) override;
  void pairs(Key key, std::vector<std::pair<std::string, std::string>>& value) override;
  void secret(Key key, Secret& value, std::filesystem::path& file) override;
  void table(Key key, const Read& read) override;
  void tables(Key key, const Read& read) override;
  void required(std::string_view key, std::string_view example) override;
  void later(std::string_view key) override;
  [[nodiscard]] bool has(std::string_view key) const override;
  [[nodiscard]] std::uint32_t line(std::string_view key) const override;
  void mistake(std::string_view key, std::string text) override;

  /// Reports the keys nobody asked for.
  void finish();

 private:
  [[nodiscard]] const toml::node* get(std::string_view key);
  [[nodiscard]] std::optional<std::string> read_text(std::string_view key);
  [[nodiscard]] std::string in_words(std::string_view key) const;
  void wrong(const toml::node& node, std::string_view key, std::string_view expected);
  void check_text(const toml::node& node, std::string_view key, std::string_view text,
                  TextCheck check);
  [[nodiscard]] std::string expand(const toml::node& node, std::string_view key, std::string text);

  const toml::table& table_;
  const std::string path_;
  const std::filesystem::path& directory_;
  Mistakes& mistakes_;
  std::set<std::string, std::less<>> known_;
  std::set<std::string, std::less<>> wrong_;                  // keys that were complained of
  std::map<std::string, std::string, std::less<>> examples_;  // of keys that are required
};

}  // namespace interline::app
