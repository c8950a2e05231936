// A connected socket of any family as a Stream; only this folder's TCP and Unix code includes it.
#pragma once

#include <memory>

#include <boost/asio/generic/stream_protocol.hpp>

#include "net/stream.hpp"

namespace interline::net {

using AnySocket = asio::generic::stream_protocol::socket;

[[nodiscard]] std::unique_ptr<Stream> make_socket_stream(AnySocket socket, Peer peer);

}  // namespace interline::net
