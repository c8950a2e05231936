// One request of a connection of lines, until it is answered or taken back.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "bindings/mcp/line_outbox.hpp"
#include "json/parse.hpp"
#include "protocols/mcp/server/sink.hpp"

namespace interline::mcp {

/// The answers of a batch, which go out together.
struct LineBatch {
  /// Requests that are not answered yet, and one for the batch itself while it is read.
  std::size_t open = 1;
  std::string answers;  ///< elements of the array, with commas

  void add(const std::string& line) {
    if (!answers.empty()) answers += ',';
    answers += line;
  }
};

class LineRequest final : public protocols::mcp::server::Sink {
 public:
  using Text = std::shared_ptr<const json::Document>;

  /// `owner`: its own in the outbox. `text`: what its views are of. `id`: JSON text.
  LineRequest(std::shared_ptr<LineOutbox> outbox, LineOutbox::Owner owner, Text text,
              std::string id, std::shared_ptr<LineBatch> batch)
      : outbox_(std::move(outbox)),
        owner_(owner),
        text_(std::move(text)),
        id_(std::move(id)),
        batch_(std::move(batch)) {}

  [[nodiscard]] const std::string& id() const { return id_; }
  /// nullptr: it came alone.
  [[nodiscard]] const std::shared_ptr<LineBatch>& batch() const { return batch_; }

  // Sink
  bool tell(std::string message) override;
  [[nodiscard]] bool closed() const override;
  void on_closed(std::function<void()> then) override;

  // On the connection's strand:
  /// Nothing more is said of it, and whoever works for it is told.
  void cancel();
  /// The last message, unless it was cancelled; "": it goes out with its batch. Whether it counts.
  bool finish(std::string answer);
  /// Something was told before the answer.
  [[nodiscard]] bool told() const;

 private:
  const std::shared_ptr<LineOutbox> outbox_;
  const LineOutbox::Owner owner_;
  const Text text_;
  const std::string id_;
  const std::shared_ptr<LineBatch> batch_;
  std::function<void()> on_closed_;

  mutable std::mutex mutex_;
  bool cancelled_ = false;  // guarded by mutex_, as below
  bool finished_ = false;
  bool told_ = false;
};

}  // namespace interline::mcp
