#include "net/http/session_fixture.hpp"

namespace interline::net::http::testing {
namespace {

awaitable<void> run_session(std::shared_ptr<Session> session) {
  co_await session->run(nullptr);
}

awaitable<void> echo(Request& request, Responder& responder) {
  std::string text(to_string(request.method));
  text += " " + request.path;
  for (const auto& [name, value] : request.parameters)
    text += " " + std::string(name) + "=" + value;
  for (const auto& [name, value] : request.query) text += " ?" + name + "=" + value;
  if (!request.body.empty()) text += " [" + request.body + "]";
  Response response(200, "text/plain", text + "\n");
  co_await responder.send(std::move(response));
}

awaitable<void> write_and_end(Stream& stream, std::string bytes) {
  auto written = co_await stream.write_all(bytes);
  if (written) co_await stream.shutdown_write();
}

}  // namespace

std::string without_dates(std::string_view text) {
  std::string rest;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end == std::string_view::npos ? end : end + 1);
    if (!line.starts_with("Date: ")) rest += line;
    text.remove_prefix(line.size());
  }
  return rest;
}

void SessionTest::add_echo(Method method, std::string_view pattern, RouteOptions options) {
  router_->add(method, pattern, echo, std::move(options));
}

std::unique_ptr<Stream> SessionTest::connect(const PipeOptions& pipe) {
  if (!session_context_) {
    session_context_ = std::make_shared<SessionContext>();
    session_context_->router = router_;
    session_context_->options = options_;
    session_context_->options.on_response = [this](const AccessRecord& record) {
      std::string note = std::to_string(record.status);
      if (record.request != nullptr) note += " " + record.request->path;
      if (!record.note.empty()) note += " " + std::string(record.note);
      notes_.push_back(note);
    };
  }
  auto [client, server] = make_pipe(context_.get_executor(), pipe);
  auto session = std::make_shared<Session>(std::move(server), session_context_);
  net::testing::spawn(context_.get_executor(), run_session(std::move(session)));
  return std::move(client);
}

awaitable<std::string> SessionTest::converse(std::unique_ptr<Stream> stream, std::string bytes) {
  net::testing::spawn(stream->executor(), write_and_end(*stream, std::move(bytes)));
  std::string answer = co_await net::testing::read_to_end(*stream);
  co_return without_dates(answer);
}

std::string SessionTest::exchange(std::string_view bytes, const PipeOptions& pipe) {
  return net::testing::run(context_, converse(connect(pipe), std::string(bytes)));
}

}  // namespace interline::net::http::testing
