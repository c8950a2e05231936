#include "runtimes/script/reader.hpp"

#include <fstream>
#include <set>
#include <system_error>
#include <utility>

#include "runtimes/script/read_offers.hpp"
#include "schema/bounded_text.hpp"

namespace interline::runtimes::script {
namespace {

constexpr std::size_t kMostOfAKind = 1'000;
constexpr std::size_t kShownName = 128;

/// Reads each table of `key`; two of the same name are a mistake.
template <class T, class Read, class Name>
void read_tables(Fields& fields, std::string_view key, std::vector<T>& all, Read read, Name name) {
  std::set<std::string, std::less<>> names;
  for (const json::Value* table : fields.list(key, kMostOfAKind)) {
    all.push_back(read(fields.reading(), *table));
    const std::string& its_name = name(all.back());
    if (!names.insert(its_name).second) {
      fields.reading().mistake(*table, "[[" + std::string(key) + "]]: another one is called " +
                                           schema::quoted(its_name, kShownName));
    }
  }
}

void read_label(Fields& root, Agent& agent) {
  const json::Value* table = root.get("agent");
  if (table == nullptr) return;
  Fields fields(root.reading(), *table, "[agent]");
  if (fields.has("name")) agent.name = fields.required_text("name");
  if (fields.has("version")) agent.version = fields.required_text("version");
  fields.finish();
}

Result<std::string> read_bytes(const std::filesystem::path& file, std::size_t most) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  const std::string name = file.string();
  if (status.type() == std::filesystem::file_type::not_found) {
    return fail(ErrorKind::not_found, "there is no file " + name);
  }
  if (!std::filesystem::is_regular_file(status)) {
    return fail(ErrorKind::not_acceptable, name + " is no file");
  }
  std::ifstream stream(file, std::ios::binary);
  std::string bytes(most + 1, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream.eof() && !stream) return fail(ErrorKind::not_acceptable, name + " cannot be read");
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

}  // namespace

AgentRead parse_agent(std::string_view text, Format format, const ReadFile& files) {
  const auto read = AgentText::read(text, format);
  if (!read) return std::unexpected(std::vector<Mistake>{read.error()});
  auto agent = std::make_shared<Agent>();
  Reading reading(*read, files);
  Fields root(reading, read->root(), "the agent");
  read_label(root, *agent);
  read_tables(root, "tool", agent->tools, read_tool,
              [](const Tool& tool) -> const std::string& { return tool.name; });
  read_tables(root, "prompt", agent->prompts, read_prompt,
              [](const Prompt& prompt) -> const std::string& { return prompt.name; });
  read_tables(root, "resource", agent->resources, read_resource,
              [](const Resource& resource) -> const std::string& { return resource.uri; });
  read_tables(root, "resource_template", agent->templates, read_resource_template,
              [](const ResourceTemplate& resource) -> const std::string& {
                return resource.pattern.text();
              });
  root.finish();
  if (!reading.clean()) return std::unexpected(reading.take_mistakes());
  return agent;
}

std::expected<Loaded, std::vector<Mistake>> read_agent(const std::filesystem::path& file) {
  auto text = read_bytes(file, kAgentBytes);
  if (!text) return std::unexpected(std::vector<Mistake>{{0, std::move(text.error().message)}});
  Sha256 digest;
  digest.update(*text);
  const std::filesystem::path folder = file.parent_path();
  const ReadFile files = [&digest, &folder](std::string_view name) {
    auto bytes = read_bytes(folder / name, Reading::kFileBytes);
    if (bytes) digest.update(*bytes);
    return bytes;
  };
  auto agent = parse_agent(*text, file.extension() == ".json" ? Format::json : Format::toml, files);
  if (!agent) return std::unexpected(std::move(agent.error()));
  return Loaded{*std::move(agent), digest.finish()};
}

std::string to_string(const std::filesystem::path& file, const Mistake& mistake) {
  std::string text = file.string();
  if (mistake.line > 0) text.append(":").append(std::to_string(mistake.line));
  return text.append(": ").append(mistake.text);
}

}  // namespace interline::runtimes::script
