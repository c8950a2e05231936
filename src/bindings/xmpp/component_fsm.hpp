// The stream protocol of an external component (XEP-0114), without I/O: what happened goes in, what
// is to be done comes out. component.hpp drives it over a real stream; tests drive it with text.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/secret.hpp"
#include "bindings/xmpp/own_domain.hpp"
#include "bindings/xmpp/pending_iqs.hpp"
#include "bindings/xmpp/reconnect.hpp"
#include "bindings/xmpp/xml_stream.hpp"

namespace interline::xmpp {

struct StreamConfig {
  std::chrono::milliseconds header_timeout{10'000};
  std::chrono::milliseconds handshake_timeout{10'000};
  std::chrono::milliseconds ping_interval{60'000};  ///< without a byte from the server
  std::chrono::milliseconds ping_timeout{30'000};
  std::chrono::milliseconds close_timeout{5'000};  ///< for the server's end of the stream
  std::chrono::milliseconds iq_timeout{30'000};    ///< for the answer to a request of ours
  std::size_t pending_iqs = 1'000;
  /// Who answers pings (XEP-0199): the server's own domain. Without one there are none.
  std::optional<Jid> ping_target;
  ReconnectConfig reconnect;
  StreamBounds bounds;
};

/// Where chance comes from. The defaults are the system's.
struct StreamRandom {
  StreamRandom();
  std::function<double()> uniform;           ///< in [0, 1)
  std::function<std::string()> id;           ///< 128 bits as text
  std::function<std::uint64_t()> hash_salt;  ///< for the XML parser
};

namespace happened {
struct Start {};          ///< begin, once
struct Connected {};      ///< what Connect asked for
struct ConnectFailed {};  ///< the other end of Connect
struct Bytes {            ///< the server sent these
  std::string_view bytes;
};
struct Lost {            ///< the connection ended or broke
  std::string_view why;  ///< "" where it just ended
};
struct Tick {};  ///< deadline() has come
struct Stop {};  ///< end the stream in good order and stay down
}  // namespace happened
using StreamHappening =
    std::variant<happened::Start, happened::Connected, happened::ConnectFailed, happened::Bytes,
                 happened::Lost, happened::Tick, happened::Stop>;

namespace todo {
struct Connect {};  ///< open a connection; then Connected or ConnectFailed
struct Write {      ///< send these bytes after all others
  std::string bytes;
};
struct Ready {};  ///< stanzas may be sent from now on
struct Deliver {  ///< a stanza for the handlers
  Stanza stanza;
};
struct Answer {  ///< to the request of that id: a stanza of type result or error, or why none comes
  std::string id;
  Result<Stanza> stanza;
};
struct Close {};    ///< end the connection once everything is written; no Lost is due for it
struct Stopped {};  ///< nothing will be asked for any more
}  // namespace todo
using StreamTask = std::variant<todo::Connect, todo::Write, todo::Ready, todo::Deliver,
                                todo::Answer, todo::Close, todo::Stopped>;

/// One component and its streams, one after the other. Not thread-safe.
class ComponentFsm {
 public:
  ComponentFsm(OwnDomain domain, Secret secret, StreamConfig config, StreamRandom random,
               Logger log);

  [[nodiscard]] std::vector<StreamTask> resume(const StreamHappening& happening, SteadyTime now);
  /// When Tick is due at the latest; nothing while only others can make something happen.
  [[nodiscard]] std::optional<SteadyTime> deadline() const;

  /// Between Ready and the end of that stream.
  [[nodiscard]] bool ready() const { return state_ == State::ready; }
  [[nodiscard]] const OwnDomain& domain() const { return domain_; }

  /// 128 random bits, for a request of ours.
  [[nodiscard]] std::string new_id() const { return random_.id(); }
  /// A request with that id is sent now: its Answer comes whatever happens. Errors: unavailable
  /// unless ready(), resource_constraint beyond the most that may wait.
  [[nodiscard]] Result<void> expect_answer(std::string id, const Jid& to, SteadyTime now,
                                           std::optional<std::chrono::milliseconds> timeout = {});
  /// Nobody waits for that answer any more.
  void forget_answer(std::string_view id) { pending_.remove(id); }

  /// For the next stream.
  void set_secret(Secret secret) { secret_ = std::move(secret); }

 private:
  enum class State : std::uint8_t {
    idle,
    connecting,
    header,     ///< waiting for the server's stream header
    refusal,    ///< its header has no id: waiting for the stream error that says why
    handshake,  ///< waiting for its <handshake/>
    ready,
    closing,  ///< waiting for its </stream:stream>
    waiting,  ///< until the next connection
    stopped,
  };
  using Tasks = std::vector<StreamTask>;

  void on(const happened::Start&, SteadyTime now, Tasks& tasks);
  void on(const happened::Connected&, SteadyTime now, Tasks& tasks);
  void on(const happened::ConnectFailed&, SteadyTime now, Tasks& tasks);
  void on(const happened::Bytes& bytes, SteadyTime now, Tasks& tasks);
  void on(const happened::Lost& lost, SteadyTime now, Tasks& tasks);
  void on(const happened::Tick&, SteadyTime now, Tasks& tasks);
  void on(const happened::Stop&, SteadyTime now, Tasks& tasks);

  void read(StreamOpened& header, SteadyTime now, Tasks& tasks);
  void read(Stanza& stanza, SteadyTime now, Tasks& tasks);
  void read(StreamClosed&, SteadyTime now, Tasks& tasks);
  void read(StreamFault& fault, SteadyTime now, Tasks& tasks);
  void read_stream_error(Element error, SteadyTime now, Tasks& tasks);
  void read_answer(Stanza& stanza, Tasks& tasks);
  void authenticated(SteadyTime now, Tasks& tasks);
  void refused_without_id();

  void keep_alive(SteadyTime now, Tasks& tasks);
  /// Ends this stream with a stream error of ours, or with none.
  void give_up(std::string_view condition, SteadyTime now, Tasks& tasks);
  /// The stream is over: what waited for it fails, and the next one is due.
  void ended(SteadyTime now, Tasks& tasks);
  [[nodiscard]] bool streaming() const;

  OwnDomain domain_;
  Secret secret_;
  StreamConfig config_;
  StreamRandom random_;
  Logger log_;
  ReconnectDelay delay_;
  PendingIqs pending_;
  std::unique_ptr<XmlStream> stream_;
  State state_ = State::idle;
  Retry retry_ = Retry::ordinary;
  bool stopping_ = false;
  SteadyTime state_deadline_{};  ///< of header, refusal, handshake, closing and waiting
  SteadyTime ready_since_{};
  SteadyTime last_inbound_{};
  std::optional<std::string> ping_id_;
  SteadyTime ping_deadline_{};
};

}  // namespace interline::xmpp
