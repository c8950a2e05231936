#include "cli/command_line.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/verbs.hpp"

namespace interline::cli {
namespace {

class Cli11Arguments final : public Arguments {
 public:
  explicit Cli11Arguments(CLI::App& app) : app_(app) {}

  void required(const std::string& name, std::string& value, const std::string& help) override {
    app_.add_option(name, value, help)->required()->option_text(" ");
  }
  void optional(const std::string& name, std::string& value, const std::string& help) override {
    app_.add_option(name, value, help)->option_text(name.starts_with('-') ? "TEXT" : " ");
  }
  void flag(const std::string& name, bool& value, const std::string& help) override {
    app_.add_flag(name, value, help);
  }
  void list(const std::string& name, std::vector<std::string>& values,
            const std::string& help) override {
    app_.add_option(name, values, help + "; may be repeated")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->option_text("TEXT");
  }
  void choice(const std::string& name, std::string& value, const std::vector<std::string>& words,
              const std::string& help) override {
    std::string shown;
    for (const std::string& word : words) shown += (shown.empty() ? "" : "|") + word;
    app_.add_option(name, value, help)->check(CLI::IsMember(words))->option_text(shown);
  }
  void number(const std::string& name, std::size_t& value, std::size_t least, std::size_t most,
              const std::string& help) override {
    app_.add_option(
            name, value,
            help + " (default " + std::to_string(value) + ", at most " + std::to_string(most) + ")")
        ->check(CLI::Range(least, most))
        ->option_text("N");
  }

 private:
  CLI::App& app_;
};

/// The subcommand to hang a verb on, made where it is not there yet: "schema check" is the command
/// "check" of the command "schema".
CLI::App& command_of(CLI::App& app, std::string_view name) {
  const auto space = name.find(' ');
  if (space == std::string_view::npos) return *app.add_subcommand(std::string(name));
  return command_of(*app.get_subcommand(std::string(name.substr(0, space))),
                    name.substr(space + 1));
}

std::string footer(const VerbRow& row) {
  std::string text = "\nExample:\n  ";
  for (const char* c = row.examples; *c != '\0'; ++c) {
    text += *c;
    if (*c == '\n') text += "  ";
  }
  return text + "\n";
}

/// The verb, or the group, that the command line got to.
const CLI::App& reached(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : reached(*chosen.front());
}

std::string full_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : full_name(*parent) + " " + app.get_name();
}

std::string help_of(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return app.help(parent == nullptr ? "" : full_name(*parent));
}

/// The word where a verb should be and none is of that name; "" where there is no such word.
std::string unknown_verb(const CLI::App& where) {
  const std::vector<std::string> rest = where.remaining();
  const bool group = !where.get_subcommands({}).empty();
  return !group || rest.empty() || rest.front().starts_with('-') ? std::string() : rest.front();
}

/// What is wrong with the command line.
std::string complaint(const CLI::ParseError& error, const CLI::App& where) {
  const bool verb_missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
                            !where.get_subcommands({}).empty();
  const std::vector<std::string> rest = where.remaining();
  return !verb_missing  ? error.what()
         : rest.empty() ? "a verb is missing"
                        : "there is no verb " + rest.front();
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  Streams io;
  CLI::App app{"Interline puts an agent and its tools on every agent network at once.",
               "interline"};
  app.set_version_flag("--version", "interline " INTERLINE_VERSION);
  app.require_subcommand(1);
  for (const GroupRow& group : groups()) {
    app.add_subcommand(group.name, group.summary)->require_subcommand(1);
  }
  std::vector<std::pair<CLI::App*, std::unique_ptr<Verb>>> made;
  for (const VerbRow& row : verbs()) {
    CLI::App& command = command_of(app, row.name);
    command.description(row.summary);
    command.footer(footer(row));
    auto verb = row.make();
    Cli11Arguments arguments(command);
    verb->declare(arguments);
    made.emplace_back(&command, std::move(verb));
  }

  int code = kUsage;
  try {
    app.parse(argc, argv);
    for (const auto& [command, verb] : made) {
      if (command->parsed()) code = verb->run(io);
    }
  } catch (const CLI::CallForHelp&) {
    const CLI::App& where = reached(app);
    const std::string unknown = unknown_verb(where);
    if (unknown.empty()) {
      io.out(help_of(where));
      code = kOk;
    } else {
      io.complain("there is no verb " + unknown);
      io.err("See " + full_name(where) + " --help\n");
    }
  } catch (const CLI::CallForVersion& version) {
    io.out(std::string(version.what()) + "\n");
    code = kOk;
  } catch (const CLI::ParseError& error) {
    const CLI::App& where = reached(app);
    io.complain(complaint(error, where));
    io.err("See " + full_name(where) + " --help\n");
  }
  return io.flush() || code != kOk ? code : kNo;
}

}  // namespace interline::cli
