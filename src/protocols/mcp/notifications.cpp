#include "protocols/mcp/notifications.hpp"

#include <algorithm>
#include <cmath>

#include "json/writer.hpp"

namespace interline::protocols::mcp {
namespace {

void write_meta(json::Writer& writer, std::string_view subscription) {
  if (subscription.empty()) return;
  writer.name("_meta");
  writer.begin_object();
  writer.raw_member(meta_key::kSubscriptionId, subscription);
  writer.end_object();
}

struct FilterRow {
  std::string_view name;
  bool ListenFilter::*flag;
  bool Features::*feature;
};
constexpr FilterRow kFilter[] = {
    {"toolsListChanged", &ListenFilter::tools_changed, &Features::tools_changed},
    {"promptsListChanged", &ListenFilter::prompts_changed, &Features::prompts_changed},
    {"resourcesListChanged", &ListenFilter::resources_changed, &Features::resources_changed},
};

void write_texts(json::Writer& writer, std::string_view name,
                 std::span<const std::string_view> texts) {
  if (texts.empty()) return;
  writer.name(name);
  writer.begin_array();
  for (const std::string_view text : texts) writer.value(text);
  writer.end_array();
}

}  // namespace

std::optional<std::string> ProgressTeller::tell(std::optional<double> percent,
                                                std::string_view message) {
  constexpr double kWhole = 100;
  constexpr double kLittle = 0.001;
  const bool known = percent && std::isfinite(*percent);
  const bool rises = known && (!told_ || *percent > last_);
  if (!rises && (known || message.empty() || message == message_)) return std::nullopt;
  const double next = rises ? *percent : told_ ? last_ + kLittle : 0;
  of_hundred_ = of_hundred_ || known;
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.raw_member("progressToken", token_);
  writer.member("progress", next);
  if (of_hundred_ && next <= kWhole) writer.member("total", kWhole);
  if (!message.empty()) writer.member("message", message);
  writer.end_object();
  last_ = next;
  told_ = true;
  message_ = message;
  return text;
}

std::optional<std::string> log_params(std::optional<LogLevel> wanted, std::string_view level,
                                      std::string_view logger, std::string_view data) {
  const LogLevel own = log_level_named(level).value_or(LogLevel::info);
  if (!wanted || own < *wanted) return std::nullopt;
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("level", to_string(own));
  if (!logger.empty()) writer.member("logger", logger);
  writer.raw_member("data", data);
  writer.end_object();
  return text;
}

ListenFilter honoured(const ListenFilter& asked, const Features& features) {
  ListenFilter kept;
  for (const FilterRow& row : kFilter) {
    kept.*row.flag = asked.*row.flag && features.*row.feature;
  }
  if (features.resource_subscriptions) kept.resources = asked.resources;
  if (features.tasks) kept.tasks = asked.tasks;
  return kept;
}

std::string acknowledged_params(const ListenFilter& honoured, std::string_view subscription) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.name("notifications");
  writer.begin_object();
  for (const FilterRow& row : kFilter) {
    if (honoured.*row.flag) writer.member(row.name, true);
  }
  write_texts(writer, "resourceSubscriptions", honoured.resources);
  write_texts(writer, "taskIds", honoured.tasks);
  writer.end_object();
  write_meta(writer, subscription);
  writer.end_object();
  return text;
}

std::string changed_params(std::string_view subscription) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  write_meta(writer, subscription);
  writer.end_object();
  return text;
}

std::string updated_params(std::string_view uri, std::string_view subscription) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("uri", uri);
  write_meta(writer, subscription);
  writer.end_object();
  return text;
}

}  // namespace interline::protocols::mcp
