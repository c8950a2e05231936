// The few Asio names that cross this folder's headers, and how a coroutine here waits: without
// exceptions, as `auto [error, value] = co_await op(..., use_tuple)`.
#pragma once

#include <chrono>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace interline::net {

namespace asio = boost::asio;

template <class T>
using awaitable = asio::awaitable<T>;
using Executor = asio::any_io_executor;
using Duration = std::chrono::milliseconds;

/// Completion token: the error code is part of the result instead of an exception.
inline constexpr auto use_tuple = asio::as_tuple(asio::use_awaitable);

/// A strand of its own over `executor`: one for each connection.
[[nodiscard]] Executor new_strand(const Executor& executor);

}  // namespace interline::net
