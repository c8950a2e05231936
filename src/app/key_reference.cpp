#include "app/key_reference.hpp"

#include <set>
#include <utility>

#include "app/configuration_sections.hpp"
#include "app/durations.hpp"

namespace interline::app {
namespace {

constexpr std::string_view kIntroduction = R"(# Configuration

`interline.toml`, for every verb that needs one: `-c FILE`, else the environment variable `INTERLINE_CONFIG`, else
`./interline.toml`. `interline check -c interline.toml` says every mistake in it with file and line, and so does
`interline serve` before it starts; either then ends with exit code 2. An unknown key is a mistake.

- `${NAME}` in a string stands for the environment variable `NAME`, which has to be set.
- Paths are relative to the folder of the file; commands run there.
- Durations are strings: `"500ms"`, `"60s"`, `"15m"`, `"24h"`, `"7d"`.
- On SIGHUP the running gateway reads the file again. With a mistake in it, or nothing, it changes nothing. Otherwise grants, accounts, admins,
  endpoints, the log's level and certificates are taken over at once, without losing a call; of everything else that differs the
  log says that it needs a restart.

```toml
[xmpp]
domain        = "agents.example.org"
server        = "127.0.0.1:5347"
secret_file   = "secrets/component"
local_domains = ["example.org"]

[[grant]]
principals = ["xmpp:*@example.org"]
endpoints  = ["*"]
visible    = true
invoke     = ["*"]

[[endpoint]]
name    = "weather"
runtime = { kind = "exec", command = ["python3", "weather.py"] }
```

This page is what `interline check --reference` prints.
)";

std::string in_quotes(std::string_view text) {
  return text.empty() ? std::string() : "`\"" + std::string(text) + "\"`";
}

std::string code(std::string_view text) {
  return "`" + std::string(text) + "`";
}

std::string words_of(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) text += (text.empty() ? "" : ", ") + in_quotes(word);
  return text;
}

std::string number_text(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// Collects rows, in which every value is at its default.
class Describer final : public Keys {
 public:
  using Keys::duration;
  using Keys::text;
  using Keys::texts;

  void text(Key key, std::string& value, TextCheck) override {
    row(key, "string", in_quotes(value), "");
  }
  void flag(Key key, bool& value) override {
    row(key, "boolean", code(value ? "true" : "false"), "");
  }
  void size(Key key, std::size_t& value, std::size_t least, std::size_t most) override {
    row(key, "integer", code(std::to_string(value)),
        std::to_string(least) + " to " + std::to_string(most));
  }
  void number(Key key, double& value, double least, double most) override {
    row(key, "number", code(number_text(value)), number_text(least) + " to " + number_text(most));
  }
  void duration(Key key, nanoseconds& value, nanoseconds least, nanoseconds most) override {
    row(key, "duration", in_quotes(duration_text(value)),
        duration_text(least) + " to " + duration_text(most));
  }
  void path(Key key, std::filesystem::path& value, bool present) override {
    row(key, present ? "file" : "path", in_quotes(value.string()), "");
  }
  void texts(Key key, std::vector<std::string>&, TextCheck) override {
    row(key, "strings", "`[]`", "");
  }
  void choice(Key key, std::string& value, std::span<const std::string_view> allowed) override {
    row(key, "string", in_quotes(value), words_of(allowed));
  }
  void pairs(Key key, std::vector<std::pair<std::string, std::string>>&) override {
    row(key, "table of strings", "`{}`", "");
  }
  void secret(Key key, Secret&, std::filesystem::path&) override {
    const std::string name = std::string(key.name) + "`, `" + std::string(key.name) + "_file";
    row({name, key.meaning}, "string, file", "", "one of the two");
  }
  void table(Key key, const Read& read) override {
    const bool inner = !path_.empty();
    if (inner) row(key, "table", "", "");
    section(inner ? path_ + " " + std::string(key.name) : "[" + std::string(key.name) + "]", key,
            read);
  }
  void tables(Key key, const Read& read) override {
    section("[[" + std::string(key.name) + "]]", key, read);
  }
  void required(std::string_view key, std::string_view) override { required_.emplace(key); }
  void later(std::string_view key) override { later_ += (later_.empty() ? "" : ", ") + code(key); }
  [[nodiscard]] bool has(std::string_view) const override { return false; }
  [[nodiscard]] std::uint32_t line(std::string_view) const override { return 0; }
  void mistake(std::string_view, std::string) override {}

  /// What stands under this table, then the tables inside it.
  [[nodiscard]] std::string finish() const {
    std::string text;
    if (!rows_.empty()) {
      text += "\n| key | type | default | limits | meaning |\n|---|---|---|---|---|\n" + rows_;
    }
    if (!later_.empty()) text += "\nNot in this version yet: " + later_ + ".\n";
    return text + inner_;
  }

 private:
  void row(Key key, std::string_view type, std::string preset, std::string_view limits) {
    if (required_.contains(key.name)) preset = "required";
    rows_.append("| `").append(key.name).append("` | ").append(type);
    rows_.append(" | ").append(preset).append(" | ").append(limits);
    rows_.append(" | ").append(key.meaning).append(" |\n");
  }
  void section(const std::string& title, Key key, const Read& read) {
    Describer inner;
    inner.path_ = title;
    read(inner);
    inner_.append("\n## `").append(title).append("`\n\n").append(key.meaning).append("\n");
    inner_ += inner.finish();
  }

  std::string path_;
  std::set<std::string, std::less<>> required_;
  std::string rows_;
  std::string later_;
  std::string inner_;
};

}  // namespace

std::string configuration_reference() {
  Configuration defaults;
  Describer describer;
  ask_all(describer, defaults);
  return std::string(kIntroduction) + describer.finish();
}

}  // namespace interline::app
