// The eleven operations, one table for what calls them (A2A 1.0, sections 3.1
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

struct OperationRow {
  Operation operation;
  std::string_view method;  ///< of JSON-RPC and gRPC
  bool streams;
};

inline constexpr std::array kOperations = {
    OperationRow{Operation::send_message, "SendMessage", false},
    OperationRow{Operation::send_streaming_message, "SendStreamingMessage", true},
    OperationRow{Operation::get_task, "GetTask", false},
    OperationRow{Operation::list_tasks, "ListTasks", false},
    OperationRow{Operation::cancel_task, "CancelTask", false},
    OperationRow{Operation::subscribe_to_task, "SubscribeToTask", true},
    OperationRow{Operation::create_push_config, "CreateTaskPushNotificationConfig", false},
    OperationRow{Operation::get_push_config, "GetTaskPushNotificationConfig", false},
    OperationRow{Operation::list_push_configs, "ListTaskPushNotificationConfigs", false},
    OperationRow{Operation::delete_push_config, "DeleteTaskPushNotificationConfig", false},
    OperationRow{Operation::get_extended_card, "GetExtendedAgentCard", false},
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
