// The keys of the configuration, asked for one by one: what each is called, its type, its limits
// and what it means. The sections (configuration_sections.hpp) are written once against this; one
// implementation reads a TOML table (toml_reader.hpp), another writes the reference
// (key_reference.hpp). So what is read and what is documented cannot differ.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/secret.hpp"

namespace interline::app {

struct Key {
  std::string_view name;
  std::string_view meaning;  ///< a sentence or less, Markdown
};

/// Whether a text can be what it should be; an error says what it should be.
using TextCheck = Result<void> (*)(std::string_view text);

/// One table. Each call leaves the value as it is, which is its default, where the key is absent.
class Keys {
 public:
  using nanoseconds = std::chrono::nanoseconds;
  using milliseconds = std::chrono::milliseconds;
  using Read = std::function<void(Keys&)>;

  Keys() = default;
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;
  virtual ~Keys() = default;

  virtual void text(Key key, std::string& value, TextCheck check) = 0;
  void text(Key key, std::string& value) { text(key, value, nullptr); }
  virtual void flag(Key key, bool& value) = 0;
  virtual void size(Key key, std::size_t& value, std::size_t least, std::size_t most) = 0;
  virtual void number(Key key, double& value, double least, double most) = 0;
  /// "500ms", "60s", "15m", "24h", "7d"
  virtual void duration(Key key, nanoseconds& value, nanoseconds least, nanoseconds most) = 0;
  void duration(Key key, milliseconds& value, nanoseconds least, nanoseconds most) {
    nanoseconds read = value;
    duration(key, read, least, most);
    value = std::chrono::duration_cast<milliseconds>(read);
  }
  /// Relative to the configuration's folder. `present`: it must be a file that can be read.
  virtual void path(Key key, std::filesystem::path& value, bool present) = 0;
  virtual void texts(Key key, std::vector<std::string>& value, TextCheck check) = 0;
  void texts(Key key, std::vector<std::string>& value) { texts(key, value, nullptr); }
  virtual void choice(Key key, std::string& value, std::span<const std::string_view> allowed) = 0;
  virtual void pairs(Key key, std::vector<std::pair<std::string, std::string>>& value) = 0;
  /// `key = "..."` or `key_file = "path"`, not both.
  virtual void secret(Key key, Secret& value, std::filesystem::path& file) = 0;

  virtual void table(Key key, const Read& read) = 0;
  /// [[key]], in order.
  virtual void tables(Key key, const Read& read) = 0;
  /// The key must be there; `example` is a line that could be written.
  virtual void required(std::string_view key, std::string_view example) = 0;
  /// A key that a later version will know: said as such, not as unknown.
  virtual void later(std::string_view key) = 0;

  // What goes beyond one value:
  /// Where the key stands, or the table for "" and for a key that is absent; 0 without a file.
  [[nodiscard]] virtual std::uint32_t line(std::string_view key) const = 0;
  [[nodiscard]] virtual bool has(std::string_view key) const = 0;
  /// At the key's line, or the table's for "" and for a key that is absent.
  virtual void mistake(std::string_view key, std::string text) = 0;
};

}  // namespace interline::app
