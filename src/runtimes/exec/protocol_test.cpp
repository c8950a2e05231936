// product.md, "The exec runtime": every line of the language, in both directions.
#include "runtimes/exec/protocol.hpp"

#include <gtest/gtest.h>

namespace interline::runtimes::exec {
namespace {

template <class T>
T body(std::string_view line) {
  auto message = read_line(line);
  if (!message) throw std::runtime_error(message.error().message);
  return std::get<T>(std::move(message->body));
}

std::string refusal(std::string_view line) {
  const auto message = read_line(line);
  return message ? "understood" : message.error().message;
}

TEST(ExecProtocol_ToProcess, List) {
  EXPECT_EQ(list_line(), R"({"type":"list"})");
}

TEST(ExecProtocol_ToProcess, Call) {
  engine::JobInput input;
  input.handle = "H-1_~.x";
  input.tool = "forecast.get";
  input.arguments = R"({"city":"Riga","n":12345678901234567890})";
  EXPECT_EQ(call_line(input), R"({"type":"call","task":"H-1_~.x","tool":"forecast.get",)"
                              R"("arguments":{"city":"Riga","n":12345678901234567890}})");
  input.deadline = *Instant::parse_rfc3339("2026-12-01T00:00:00Z");
  input.metadata = R"({"trace":"t"})";
  input.state = R"({"step":2})";
  tasks::Answer answer;
  answer.key = "name";
  answer.value = R"({"name":"Ann"})";
  input.answers.push_back(answer);
  answer.action = tasks::AnswerAction::decline;
  answer.value.clear();
  input.answers.push_back(answer);
  EXPECT_EQ(call_line(input),
            R"({"type":"call","task":"H-1_~.x","tool":"forecast.get",)"
            R"("arguments":{"city":"Riga","n":12345678901234567890},)"
            R"("deadline":"2026-12-01T00:00:00Z","metadata":{"trace":"t"},"state":{"step":2},)"
            R"("answers":[{"requestId":"name","value":{"name":"Ann"}},)"
            R"({"requestId":"name","action":"decline"}]})");
}

TEST(ExecProtocol_ToProcess, InputLeavesOutAcceptAndTheValueOfWhatWasNotAccepted) {
  tasks::Answer answer;
  answer.key = "q1";
  answer.value = "true";
  EXPECT_EQ(input_line("H", answer),
            R"({"type":"input","task":"H","requestId":"q1","value":true})");
  answer.value.clear();
  answer.action = tasks::AnswerAction::decline;
  EXPECT_EQ(input_line("H", answer),
            R"({"type":"input","task":"H","requestId":"q1","action":"decline"})");
  answer.action = tasks::AnswerAction::cancel;
  EXPECT_EQ(input_line("H", answer),
            R"({"type":"input","task":"H","requestId":"q1","action":"cancel"})");
}

TEST(ExecProtocol_ToProcess, Cancel) {
  EXPECT_EQ(cancel_line("H"), R"({"type":"cancel","task":"H"})");
}

TEST(ExecProtocol_FromProcess, Tools) {
  const auto tools = body<ToolsMessage>(R"({"type":"tools","tools":[{"name":"a"}, {"name":"b"}]})");
  EXPECT_EQ(tools.definitions, (std::vector<std::string>{R"({"name":"a"})", R"({"name":"b"})"}));
}

TEST(ExecProtocol_FromProcess, Progress) {
  const auto all = body<ProgressMessage>(
      R"({"type":"progress","task":"H","percent":12.5,"stage":"s","message":"m"})");
  EXPECT_EQ(all.report.percent, 12.5);
  EXPECT_EQ(all.report.stage, "s");
  EXPECT_EQ(all.report.message, "m");
  const auto none = body<ProgressMessage>(R"({"type":"progress","task":"H","percent":null})");
  EXPECT_FALSE(none.report.percent || none.report.stage || none.report.message);
}

TEST(ExecProtocol_FromProcess, Log) {
  const auto log =
      body<LogMessage>(R"({"type":"log","task":"H","level":"warning","data":{"n":1e400}})");
  EXPECT_EQ(log.level, "warning");
  EXPECT_EQ(log.data, R"({"n":1e400})");
  EXPECT_EQ(body<LogMessage>(R"({"type":"log","task":"H","level":"shout"})").level, "info");
  EXPECT_EQ(body<LogMessage>(R"({"type":"log","task":"H"})").data, "null");
}

TEST(ExecProtocol_FromProcess, Output) {
  const auto output = body<OutputMessage>(
      R"({"type":"output","task":"H","artifact":"A","parts":[{"text":"x"}],"append":true,"last":true})");
  EXPECT_EQ(output.chunk, (tasks::ArtifactChunk{"A", R"([{"text":"x"}])", true, true}));
  const auto plain =
      body<OutputMessage>(R"({"type":"output","task":"H","artifact":"A","parts":[]})");
  EXPECT_FALSE(plain.chunk.append || plain.chunk.last);
}

TEST(ExecProtocol_FromProcess, Ask) {
  const auto ask = body<AskMessage>(
      R"({"type":"ask","task":"H","id":"R","kind":"url","question":"Q?","schema":{"type":"object"},)"
      R"("url":"https://a.example/","expiresIn":1.5,"state":[1,2]})");
  EXPECT_EQ(ask.question.key, "R");
  EXPECT_EQ(ask.question.kind, tasks::QuestionKind::url);
  EXPECT_EQ(ask.question.text, "Q?");
  EXPECT_EQ(ask.question.schema, R"({"type":"object"})");
  EXPECT_EQ(ask.question.url, "https://a.example/");
  EXPECT_EQ(ask.question.expires_in, std::chrono::milliseconds(1'500));
  EXPECT_EQ(ask.state, "[1,2]");
  const auto plain = body<AskMessage>(R"({"type":"ask","task":"H","question":"Q?"})");
  EXPECT_EQ(plain.question.key, "");
  EXPECT_EQ(plain.question.kind, tasks::QuestionKind::form);
  EXPECT_FALSE(plain.state);
  EXPECT_EQ(body<AskMessage>(R"({"type":"ask","task":"H","question":"Q?","state":null})").state,
            "null")
      << "any JSON value is a state, null too";
}

TEST(ExecProtocol_FromProcess, ResultIsKeptByteForByte) {
  const std::string_view line =
      R"({"type":"result","task":"H","result":{ "content":[], "structuredContent":{"n":1.0e2}, "isError":false }})";
  EXPECT_EQ(body<ResultMessage>(line).result,
            R"({ "content":[], "structuredContent":{"n":1.0e2}, "isError":false })");
  EXPECT_EQ(body<ResultMessage>(R"({"type":"result","task":"H","text":"a\"b"})").result,
            R"({"content":[{"type":"text","text":"a\"b"}]})");
}

TEST(ExecProtocol_FromProcess, ErrorAndCancelled) {
  const auto error = body<ErrorMessage>(
      R"({"type":"error","task":"H","code":"no-city","message":"M","retryable":true})");
  EXPECT_EQ(error.failure, tasks::Failure("no-city", "M", true));
  EXPECT_EQ(body<ErrorMessage>(R"({"type":"error","task":"H","message":"M"})").failure,
            tasks::Failure("internal-error", "M", false));
  EXPECT_EQ(body<ErrorMessage>(
                R"({"type":"error","task":"H","code":"interline:result-too-large","message":"M"})")
                .failure.code,
            "internal-error");  // the gateway's to say
  EXPECT_EQ(read_line(R"({"type":"cancelled","task":"H"})")->task, "H");
}

TEST(ExecProtocol_FromProcess, WhatIsRefusedSaysWhyAndRepeatsNothing) {
  const auto starts = [](std::string_view line, std::string_view why) {
    const std::string message = refusal(line);
    EXPECT_NE(message.find(why), std::string::npos) << line << ": " << message;
    EXPECT_EQ(message.find("SECRET"), std::string::npos) << message;
  };
  starts("SECRET", "line 1, column 1");
  starts(R"({"type":"result","task":"H","text":"SECRET")", "line 1");
  starts(R"(["SECRET"])", "no object with a \"type\"");
  starts(R"({"type":"SECRET","task":"H"})", "none of this protocol");
  starts(R"({"type":"progress"})", "names no \"task\"");
  starts(R"({"type":"progress","task":7})", "names no \"task\"");
  starts(R"({"type":"progress","task":"H","percent":"SECRET"})", "a number and two strings");
  starts(R"({"type":"log","task":"H","level":5})", "\"level\"");
  starts(R"({"type":"tools","tools":{}})", "an array");
  starts(R"({"type":"tools","tools":["SECRET"]})", "an array of objects");
  starts(R"({"type":"output","task":"H","parts":[]})", "artifact");
  starts(R"({"type":"output","task":"H","artifact":"A","parts":"SECRET"})", "\"parts\"");
  starts(R"({"type":"ask","task":"H"})", "\"question\"");
  starts(R"({"type":"ask","task":"H","question":"Q","kind":"sampling"})",
         "form, url or credential");
  starts(R"({"type":"ask","task":"H","question":"Q","expiresIn":0})", "positive");
  starts(R"({"type":"ask","task":"H","question":"Q","expiresIn":1e9})", "at most a year");
  starts(R"({"type":"result","task":"H"})", "\"result\"");
  starts(R"({"type":"result","task":"H","result":"SECRET"})", "\"result\"");
  starts(R"({"type":"error","task":"H"})", "\"message\"");
  starts(std::string("{\"type\":\"log\",\"task\":\"H\",\"data\":") + std::string(100, '[') +
             std::string(100, ']') + "}",
         "deep");
  starts(R"({"type":"log","type":"log","task":"H"})", "duplicate");
}

}  // namespace
}  // namespace interline::runtimes::exec
