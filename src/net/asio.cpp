#include "net/asio.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>

namespace interline::net {

Executor new_strand(const Executor& executor) {
  // One type erasure instead of two on every completion of every connection.
  if (const auto* context = executor.target<asio::io_context::executor_type>()) {
    return asio::make_strand(*context);
  }
  return asio::make_strand(executor);
}

}  // namespace interline::net
