#include "base/log.hpp"

#include <algorithm>
#include <utility>

namespace interline {
namespace {

/// Adds a field in place of an earlier one of its key.
void put(std::vector<LogField>& fields, LogField field) {
  const auto same = std::ranges::find(fields, field.key(), &LogField::key);
  if (same == fields.end()) {
    fields.push_back(std::move(field));
  } else {
    *same = std::move(field);
  }
}

}  // namespace

Logger::Logger(std::shared_ptr<LogSink> sink, const Clock& clock)
    : sink_(std::move(sink)), clock_(&clock) {}

Logger Logger::with(Fields fields) const {
  std::vector<LogField> bound;
  if (bound_) bound = *bound_;
  for (const LogField& field : fields) put(bound, field.owned());
  Logger logger = *this;
  logger.bound_ = std::make_shared<const std::vector<LogField>>(std::move(bound));
  return logger;
}

void Logger::log(LogLevel level, LogMessage message, Fields fields) const {
  if (!takes(level)) return;
  std::vector<LogField> all;
  all.reserve((bound_ ? bound_->size() : 0) + fields.size());
  if (bound_) {
    for (const LogField& field : *bound_) all.push_back(field.borrowed());
  }
  for (const LogField& field : fields) put(all, field.borrowed());
  sink_->write(LogRecord(clock_->now(), level, message.text(), all));
}

}  // namespace interline
