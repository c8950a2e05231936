// A connection that has left HTTP: what had been read ahead comes first, then the rest.
#pragma once

#include "net/http/input.hpp"
#include "net/stream.hpp"

namespace interline::net::http {

class UpgradedStream final : public Stream {
 public:
  /// Both outlive it.
  UpgradedStream(Stream& below, InputBuffer& read_ahead) : below_(below), read_ahead_(read_ahead) {}

  awaitable<Result<std::size_t>> read_some(std::span<char> buffer) override;
  awaitable<Result<void>> write_all(std::span<const std::string_view> pieces) override;
  void expires_after(Duration duration) override { below_.expires_after(duration); }
  void expires_never() override { below_.expires_never(); }
  awaitable<Result<void>> shutdown_write() override;
  void close() override { below_.close(); }
  [[nodiscard]] bool quiet() override { return read_ahead_.data().empty() && below_.quiet(); }
  [[nodiscard]] const Peer& peer() const override { return below_.peer(); }
  [[nodiscard]] Executor executor() override { return below_.executor(); }

 private:
  Stream& below_;
  InputBuffer& read_ahead_;
};

}  // namespace interline::net::http
