// The HTTP+JSON binding (A2A 1.0, section 11): the same operations, by paths and methods.
#pragma once

#include <string_view>

#include "bindings/a2a/services.hpp"
#include "net/http/message.hpp"
#include "protocols/a2a/operations.hpp"

namespace interline::a2a {

struct HttpJsonRoute {
  net::http::Method method;
  std::string_view path;  ///< below the interface's URL
  protocols::a2a::Operation operation;
  std::string_view id;      ///< the proto's name for the path's {id}; "" if it has none
  std::string_view config;  ///< likewise for {config}
};

/// Section 5.3; SubscribeToTask by both methods, since the text says POST and the proto GET.
inline constexpr HttpJsonRoute kHttpJsonRoutes[] = {
    {net::http::Method::post, "/message:send", protocols::a2a::Operation::send_message, "", ""},
    {net::http::Method::post, "/message:stream", protocols::a2a::Operation::send_streaming_message,
     "", ""},
    {net::http::Method::get, "/tasks", protocols::a2a::Operation::list_tasks, "", ""},
    {net::http::Method::get, "/tasks/{id}", protocols::a2a::Operation::get_task, "id", ""},
    {net::http::Method::post, "/tasks/{id}:cancel", protocols::a2a::Operation::cancel_task, "id",
     ""},
    {net::http::Method::post, "/tasks/{id}:subscribe", protocols::a2a::Operation::subscribe_to_task,
     "id", ""},
    {net::http::Method::get, "/tasks/{id}:subscribe", protocols::a2a::Operation::subscribe_to_task,
     "id", ""},
    {net::http::Method::post, "/tasks/{id}/pushNotificationConfigs",
     protocols::a2a::Operation::create_push_config, "taskId", ""},
    {net::http::Method::get, "/tasks/{id}/pushNotificationConfigs",
     protocols::a2a::Operation::list_push_configs, "taskId", ""},
    {net::http::Method::get, "/tasks/{id}/pushNotificationConfigs/{config}",
     protocols::a2a::Operation::get_push_config, "taskId", "id"},
    {net::http::Method::delete_, "/tasks/{id}/pushNotificationConfigs/{config}",
     protocols::a2a::Operation::delete_push_config, "taskId", "id"},
    {net::http::Method::get, "/extendedAgentCard", protocols::a2a::Operation::get_extended_card, "",
     ""},
};

[[nodiscard]] awaitable<void> http_json(std::shared_ptr<Services> services,
                                        const HttpJsonRoute& route, net::http::Request& request,
                                        net::http::Responder& responder);

}  // namespace interline::a2a
