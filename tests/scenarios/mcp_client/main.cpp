// Drives the runtime for MCP servers against one server; README.md says how.
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include "answers.hpp"
#include "base/clock.hpp"
#include "base/memory_log_sink.hpp"
#include "json/parse.hpp"
#include "runtimes/mcp/mcp_runtime.hpp"
#include "runtimes/mcp/oauth_authorizer.hpp"

namespace {

using namespace interline;
using runtimes::mcp::McpRuntime;

/// How one piece of work ended: an end, or questions and a state to come back with.
struct End {
  std::string text;
  std::optional<std::string> state;
  std::vector<engine::AskedQuestion> questions;
};

/// A caller that answers whatever it is asked.
class HelpfulJob final : public engine::Job, public std::enable_shared_from_this<HelpfulJob> {
 public:
  HelpfulJob(engine::JobInput input, net::Executor executor)
      : input_(std::move(input)), executor_(std::move(executor)) {}

  [[nodiscard]] const engine::JobInput& input() const override { return input_; }
  void listen(engine::JobCallbacks callbacks) override { callbacks_ = std::move(callbacks); }
  void progress(engine::ProgressReport report) override {
    std::printf("  progress %s\n", report.message.value_or("").c_str());
  }
  void log(std::string level, std::string data) override {
    std::printf("  log %s %s\n", level.c_str(), data.c_str());
  }
  void output(tasks::ArtifactChunk) override {}
  void ask(std::vector<engine::AskedQuestion> questions, std::optional<std::string> state,
           std::function<void(const Error&)>) override {
    for (const auto& question : questions) std::printf("  asked %s\n", question.text.c_str());
    if (state) {
      End end;
      end.state = std::move(state);
      end.questions = std::move(questions);
      return ended_.set_value(std::move(end));
    }
    for (const auto& question : questions) {
      tasks::Answer answer;
      answer.key = question.key;
      answer.value = testing::answer_for(question);
      boost::asio::post(executor_,
                        [self = shared_from_this(), answer] { self->callbacks_.on_input(answer); });
    }
  }
  void complete(std::string result) override { end("result " + result); }
  void fail(tasks::Failure failure) override {
    end("failed " + failure.code + ": " + failure.message);
  }
  void cancelled(std::optional<std::string>) override { end("cancelled"); }
  engine::awaitable<Result<void>> remember(std::string) override { co_return Result<void>(); }
  engine::awaitable<void> ready() override { co_return; }

  std::future<End> ended() { return ended_.get_future(); }

 private:
  void end(std::string text) {
    End end;
    end.text = std::move(text);
    ended_.set_value(std::move(end));
  }

  const engine::JobInput input_;
  const net::Executor executor_;
  engine::JobCallbacks callbacks_;
  std::promise<End> ended_;
};

/// A browser whose user consents to everything: whoever is asked sends it back at once.
net::awaitable<Result<std::string>> consent(std::shared_ptr<net::http::Client> client,
                                            std::string url) {
  std::printf("authorization at %s\n", url.c_str());
  net::http::FetchRequest request(net::http::Method::get, std::move(url));
  auto response = co_await client->fetch(std::move(request));
  if (!response) co_return std::unexpected(std::move(response.error()));
  co_return std::string(response->fields.get("Location").value_or(""));
}

std::string context_text(std::string_view name) {
  const char* text = std::getenv("MCP_CONFORMANCE_CONTEXT");
  if (text == nullptr) return {};
  const auto context = json::parse(std::string_view(text), {}, json::Numbers::faithful);
  const json::Value* value = context ? context->root().find(name) : nullptr;
  return std::string(value == nullptr ? "" : value->get_string().value_or(""));
}

class Driver {
 public:
  explicit Driver(runtimes::mcp::McpConfiguration configuration)
      : guard_(io_.get_executor()), thread_([this] { io_.run(); }) {
    if (configuration.http) authorize(*configuration.http);
    runtime_ = std::make_unique<McpRuntime>(io_.get_executor(), std::move(configuration),
                                            Logger(sink_, clock_));
  }
  ~Driver() {
    auto work = [](McpRuntime& runtime) -> engine::awaitable<bool> {
      co_await runtime.drain(std::chrono::milliseconds(2'000));
      co_return true;
    };
    (void)run(work(*runtime_));
    runtime_.reset();
    guard_.reset();
  }

  int drive() {
    auto tools = run(runtime_->list_tools());
    if (!tools && tools.error().kind != ErrorKind::not_acceptable) {
      std::printf("not opened: %s\n", tools.error().message.c_str());
      std::fputs(sink_->text().c_str(), stderr);
      return 1;
    }
    std::deque<std::pair<std::string, std::string>> calls;
    if (tools) {
      for (const std::string& tool : tools->definitions) add_call(tool, *tools, calls);
      for (const auto& loss : tools->losses) {
        std::printf("left out %s: %s\n", loss.tool.c_str(), loss.loss.c_str());
      }
    }
    take_named_calls(calls);
    int number = 0;
    for (const auto& [tool, arguments] : calls) call(tool, arguments, ++number);
    consult();
    return 0;
  }

 private:
  void authorize(runtimes::mcp::HttpConfiguration& server) {
    const auto client =
        std::make_shared<net::http::Client>(io_.get_executor(), net::http::ClientOptions());
    runtimes::mcp::OAuthConfiguration oauth;
    oauth.server_url = server.url;
    oauth.client.id = context_text("client_id");
    oauth.client.secret = context_text("client_secret");
    oauth.metadata_url = "https://conformance-test.local/client-metadata.json";
    oauth.redirect_uri = "http://localhost:3000/callback";
    const char* scenario = std::getenv("MCP_CONFORMANCE_SCENARIO");
    const bool alone =
        scenario != nullptr && std::string_view(scenario).starts_with("auth/client-credentials");
    if (!alone)
      oauth.browser = [client](std::string url) { return consent(client, std::move(url)); };
    server.oauth = std::move(oauth);
  }

  template <class T>
  T run(engine::awaitable<T> work) {
    return boost::asio::co_spawn(io_, std::move(work), boost::asio::use_future).get();
  }

  static void add_call(const std::string& tool, const engine::ImportedTools& tools,
                       std::deque<std::pair<std::string, std::string>>& calls) {
    const auto document = json::parse(tool, {}, json::Numbers::faithful);
    if (!document) return;
    const json::Value* name = document->root().find("name");
    const json::Value* schema = document->root().find("inputSchema");
    if (name == nullptr || !name->is_string()) return;
    std::string arguments = schema == nullptr ? "{}" : testing::value_for(*schema);
    // Whoever wants to see a schema is shown the first tool's, as we got it.
    if (name->as_string() == "json_schema_echo") {
      arguments = "{\"schema\":" + schema_of(tools) + "}";
    }
    calls.emplace_back(name->as_string(), std::move(arguments));
  }

  static std::string schema_of(const engine::ImportedTools& tools) {
    const auto document = json::parse(tools.definitions.front(), {}, json::Numbers::faithful);
    const json::Value* schema = document ? document->root().find("inputSchema") : nullptr;
    return schema == nullptr ? "{}" : std::string(schema->source());
  }

  static void take_named_calls(std::deque<std::pair<std::string, std::string>>& calls) {
    const char* text = std::getenv("MCP_CONFORMANCE_CONTEXT");
    if (text == nullptr) return;
    const auto context = json::parse(std::string_view(text), {}, json::Numbers::faithful);
    const json::Value* named = context ? context->root().find("toolCalls") : nullptr;
    if (named == nullptr || !named->is_array()) return;
    calls.clear();
    for (const json::Value& one : named->items()) {
      const json::Value* name = one.find("name");
      const json::Value* arguments = one.find("arguments");
      if (name == nullptr || !name->is_string()) continue;
      calls.emplace_back(name->as_string(),
                         arguments == nullptr ? "{}" : std::string(arguments->source()));
    }
  }

  void call(const std::string& tool, const std::string& arguments, int number) {
    std::optional<std::string> state;
    std::vector<tasks::Answer> answers;
    for (int round = 0; round < 12; ++round) {
      engine::JobInput input;
      input.handle = "call-" + std::to_string(number) + "-" + std::to_string(round);
      input.tool = tool;
      input.arguments = arguments;
      input.answerable = 0x1F;
      input.state = state;
      input.answers = answers;
      const auto job = std::make_shared<HelpfulJob>(std::move(input), io_.get_executor());
      auto ended = job->ended();
      runtime_->start(job);
      const End end = ended.get();
      if (!end.state) {
        std::printf("%s: %s\n", tool.c_str(), end.text.c_str());
        return;
      }
      state = end.state;
      answers.clear();
      for (const auto& question : end.questions) {
        tasks::Answer answer;
        answer.key = question.key;
        answer.value = testing::answer_for(question);
        answers.push_back(std::move(answer));
      }
    }
    std::printf("%s: asks for ever\n", tool.c_str());
  }

  void consult() {
    using engine::ConsultationKind;
    for (const auto kind : {ConsultationKind::list_prompts, ConsultationKind::list_resources,
                            ConsultationKind::list_resource_templates}) {
      if (!runtime_->offers().has(kind)) continue;
      engine::Consultation asked;
      asked.kind = kind;
      const auto consulted = run(runtime_->consult(std::move(asked), nullptr));
      std::printf("list: %s\n",
                  consulted ? consulted->result.c_str() : consulted.error().message.c_str());
    }
  }

  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_;
  std::jthread thread_;
  SystemClock clock_;
  std::shared_ptr<MemoryLogSink> sink_ = std::make_shared<MemoryLogSink>();
  std::unique_ptr<McpRuntime> runtime_;
};

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  runtimes::mcp::McpConfiguration configuration;
  if (arguments.empty()) {
    std::fputs("mcp_client URL | mcp_client -- COMMAND ARGUMENT...\n", stderr);
    return 2;
  }
  if (arguments.front() == "--") {
    configuration.process.program.command.assign(arguments.begin() + 1, arguments.end());
  } else {
    configuration.http.emplace();
    configuration.http->url = arguments.back();
  }
  return Driver(std::move(configuration)).drive();
}
