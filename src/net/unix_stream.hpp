// Unix sockets: the peer's user is known from the system, not from what it says.
#pragma once

#include <memory>
#include <string>

#include <sys/types.h>

#include "net/listener.hpp"
#include "net/stream.hpp"

namespace interline::net {

/// Errors: malformed when the path is empty or longer than the system allows (107 bytes);
/// unavailable otherwise. The stream belongs to the calling coroutine's executor.
awaitable<Result<std::unique_ptr<Stream>>> connect_unix(std::string path, Duration timeout);

/// Makes the socket with this mode and removes it on close. A socket that a dead process left is
/// replaced; one that somebody serves, or a file of another kind, is an error and stays untouched.
[[nodiscard]] Result<std::unique_ptr<Listener>> listen_unix(const Executor& executor,
                                                            const std::string& path,
                                                            mode_t mode = 0600);

}  // namespace interline::net
