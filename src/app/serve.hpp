// The process around the service: threads, signals, and how it ends.
#pragma once

#include <memory>

#include "app/configuration.hpp"
#include "base/log.hpp"
#include "base/log_sink.hpp"

namespace interline::app {

/// Lines to standard error, as `[gateway] log_format` and `log_level` say.
[[nodiscard]] std::shared_ptr<LogSink> make_log_sink(const GatewaySection& section);

/// Runs the gateway until SIGTERM or SIGINT has drained it; a second one ends the process at once.
/// SIGHUP reads the configuration again. False: it could not start; the log says why.
[[nodiscard]] bool serve(Configuration configuration, const std::shared_ptr<LogSink>& sink,
                         const Clock& clock);

}  // namespace interline::app
