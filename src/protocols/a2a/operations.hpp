// The eleven operations, one table for what calls them and what they need (A2A 1.0, sections 3.1
// and 5.3).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace interline::protocols::a2a {

enum class Operation : std::uint8_t {
  send_message,
  send_streaming_message,
  get_task,
  list_tasks,
  cancel_task,
  subscribe_to_task,
  create_push_config,
  get_push_config,
  list_push_configs,
  delete_push_config,
  get_extended_card,
};

/// What an agent's card declares before the operation may be used (section 3.3.4).
enum class Needs : std::uint8_t { nothing, streaming, push_notifications, extended_card };

struct OperationRow {
  Operation operation;
  std::string_view method;  ///< of JSON-RPC and gRPC
  Needs needs;
  bool streams;
};

inline constexpr std::array kOperations = {
    OperationRow{Operation::send_message, "SendMessage", Needs::nothing, false},
    OperationRow{Operation::send_streaming_message, "SendStreamingMessage", Needs::streaming, true},
    OperationRow{Operation::get_task, "GetTask", Needs::nothing, false},
    OperationRow{Operation::list_tasks, "ListTasks", Needs::nothing, false},
    OperationRow{Operation::cancel_task, "CancelTask", Needs::nothing, false},
    OperationRow{Operation::subscribe_to_task, "SubscribeToTask", Needs::streaming, true},
    OperationRow{Operation::create_push_config, "CreateTaskPushNotificationConfig",
                 Needs::push_notifications, false},
    OperationRow{Operation::get_push_config, "GetTaskPushNotificationConfig",
                 Needs::push_notifications, false},
    OperationRow{Operation::list_push_configs, "ListTaskPushNotificationConfigs",
                 Needs::push_notifications, false},
    OperationRow{Operation::delete_push_config, "DeleteTaskPushNotificationConfig",
                 Needs::push_notifications, false},
    OperationRow{Operation::get_extended_card, "GetExtendedAgentCard", Needs::extended_card, false},
};

[[nodiscard]] constexpr const OperationRow& row_of(Operation operation) {
  return kOperations[static_cast<std::size_t>(operation)];
}
/// Case matters. Names of A2A 0.3 ("message/send") are none.
[[nodiscard]] constexpr std::optional<Operation> operation_named(std::string_view method) {
  const auto* const row = std::ranges::find(kOperations, method, &OperationRow::method);
  return row == kOperations.end() ? std::nullopt : std::optional(row->operation);
}

}  // namespace interline::protocols::a2a
