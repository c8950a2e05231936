#include "bindings/xmpp/component_fsm.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/bytes.hpp"
#include "base/id.hpp"
#include "base/random.hpp"
#include "base/sha1.hpp"
#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/stanza_error.hpp"
#include "bindings/xmpp/tables.hpp"
#include "bindings/xmpp/xml_writer.hpp"

namespace interline::xmpp {
namespace {

constexpr std::string_view kStreamEnd = "</stream:stream>";

std::string stream_header(const OwnDomain& domain) {
  std::string out = "<?xml version='1.0'?>";
  XmlWriter w(out, {});
  w.begin("stream:stream", ns::kComponent);
  w.attribute("xmlns:stream", ns::kStream);
  w.attribute(attribute::kTo, domain.jid().text());  // no version: it would ask for features
  return out + ">";
}

/// XEP-0114 section 3: lower-case hex of SHA-1 over the stream's id and the secret.
std::string handshake(std::string_view stream_id, const Secret& secret) {
  const Sha1Digest digest = sha1(std::string(stream_id).append(secret.reveal()));
  std::string out;
  XmlWriter w(out, ns::kComponent);
  w.leaf(element::kHandshake, to_hex(digest));
  return out;
}

std::string stream_error(std::string_view condition) {
  std::string out = "<stream:error>";
  XmlWriter w(out, ns::kComponent);
  w.begin(condition, ns::kStreamErrors);
  w.end();
  return out.append("</stream:error>").append(kStreamEnd);
}

std::string ping(const OwnDomain& from, const Jid& to, std::string_view id) {
  std::string out;
  XmlWriter w(out, ns::kComponent);
  w.begin(element::kIq);
  w.attribute(attribute::kType, "get");
  w.attribute(attribute::kId, id);
  w.attribute(attribute::kFrom, from.gateway().text());
  w.attribute(attribute::kTo, to.text());
  w.begin(element::kPing, ns::kPing);
  w.end();
  w.end();
  return out;
}

bool is_answer(Element root) {
  const auto type = root.attribute(attribute::kType);
  return root.name() == element::kIq && is_stanza_namespace(root.ns()) &&
         (type == "result" || type == "error");
}

bool is_stanza(Element root) {
  constexpr std::array<std::string_view, 3> kStanzas = {element::kIq, element::kMessage,
                                                        element::kPresence};
  return is_stanza_namespace(root.ns()) &&
         std::ranges::find(kStanzas, root.name()) != kStanzas.end();
}

}  // namespace

StreamRandom::StreamRandom()
    : uniform([] { return static_cast<double>(random_uint64() >> 11U) * 0x1.0p-53; }),
      id([] { return random_token(16); }),
      hash_salt(random_uint64) {}

ComponentFsm::ComponentFsm(OwnDomain domain, Secret secret, StreamConfig config,
                           StreamRandom random, Logger log)
    : domain_(std::move(domain)),
      secret_(std::move(secret)),
      config_(std::move(config)),
      random_(std::move(random)),
      log_(std::move(log)),
      delay_(config_.reconnect, random_.uniform),
      pending_(config_.pending_iqs) {}

std::vector<StreamTask> ComponentFsm::resume(const StreamHappening& happening, SteadyTime now) {
  Tasks tasks;
  std::visit([&](const auto& each) { on(each, now, tasks); }, happening);
  return tasks;
}

bool ComponentFsm::streaming() const {
  return state_ == State::header || state_ == State::refusal || state_ == State::handshake ||
         state_ == State::ready || state_ == State::closing;
}

std::optional<SteadyTime> ComponentFsm::deadline() const {
  switch (state_) {
    case State::idle:
    case State::connecting:
    case State::stopped:
      return std::nullopt;
    case State::header:
    case State::refusal:
    case State::handshake:
    case State::closing:
    case State::waiting:
      return state_deadline_;
    case State::ready:
      break;
  }
  std::optional<SteadyTime> next = pending_.next_deadline();
  if (config_.ping_target) {
    const SteadyTime ping_due = ping_id_ ? ping_deadline_ : last_inbound_ + config_.ping_interval;
    next = next ? std::min(*next, ping_due) : ping_due;
  }
  return next;
}

Result<void> ComponentFsm::expect_answer(std::string id, const Jid& to, SteadyTime now,
                                         std::optional<std::chrono::milliseconds> timeout) {
  if (!ready()) return fail(ErrorKind::unavailable, "not connected to the XMPP server");
  return pending_.add(std::move(id), to, now + timeout.value_or(config_.iq_timeout));
}

// --- what happens to the connection --------------------------------------------------------------

void ComponentFsm::on(const happened::Start&, SteadyTime, Tasks& tasks) {
  if (state_ != State::idle) return;
  state_ = State::connecting;
  tasks.emplace_back(todo::Connect());
}

void ComponentFsm::on(const happened::Connected&, SteadyTime now, Tasks& tasks) {
  if (state_ != State::connecting) return;
  stream_ = std::make_unique<XmlStream>(config_.bounds, random_.hash_salt());
  state_ = State::header;
  state_deadline_ = now + config_.header_timeout;
  tasks.emplace_back(todo::Write{stream_header(domain_)});
}

void ComponentFsm::on(const happened::ConnectFailed&, SteadyTime now, Tasks& tasks) {
  if (state_ == State::connecting) ended(now, tasks);
}

void ComponentFsm::on(const happened::Bytes& bytes, SteadyTime now, Tasks& tasks) {
  if (!streaming()) return;
  last_inbound_ = now;
  std::vector<StreamEvent> events;
  stream_->feed(bytes.bytes, events);
  for (StreamEvent& event : events) {
    if (!streaming()) return;  // one of them ended the stream
    std::visit([&](auto& each) { read(each, now, tasks); }, event);
  }
}

void ComponentFsm::on(const happened::Lost& lost, SteadyTime now, Tasks& tasks) {
  if (!streaming()) return;
  if (state_ == State::refusal) {
    refused_without_id();
  } else if (!stopping_) {
    log_.warning("connection to the XMPP server lost",
                 {{"why", lost.why}, {"remedy", state_ == State::header ? kNoStreamRemedy : ""}});
  }
  ended(now, tasks);
}

void ComponentFsm::on(const happened::Tick&, SteadyTime now, Tasks& tasks) {
  if (state_ == State::ready) return keep_alive(now, tasks);
  if (deadline().value_or(SteadyTime::max()) > now) return;
  if (state_ == State::waiting) {
    state_ = State::connecting;
    retry_ = Retry::ordinary;
    tasks.emplace_back(todo::Connect());
    return;
  }
  if (state_ == State::closing) {
    tasks.emplace_back(todo::Close());
    return ended(now, tasks);
  }
  if (state_ == State::refusal) {
    refused_without_id();
    return give_up("undefined-condition", now, tasks);
  }
  const bool no_stream = state_ == State::header;
  log_.warning("the XMPP server does not answer",
               {{"waited_for", no_stream ? "stream header" : "handshake"},
                {"remedy", no_stream ? kNoStreamRemedy : ""}});
  give_up("connection-timeout", now, tasks);
}

void ComponentFsm::on(const happened::Stop&, SteadyTime now, Tasks& tasks) {
  if (stopping_) return;
  stopping_ = true;
  switch (state_) {
    case State::header:
    case State::refusal:
    case State::handshake:
    case State::ready:
      state_ = State::closing;
      state_deadline_ = now + config_.close_timeout;
      tasks.emplace_back(todo::Write{std::string(kStreamEnd)});
      return;
    case State::idle:
    case State::connecting:
    case State::waiting:
      return ended(now, tasks);
    case State::closing:
    case State::stopped:
      return;
  }
}

// --- what the server says ------------------------------------------------------------------------

void ComponentFsm::read(StreamOpened& header, SteadyTime now, Tasks& tasks) {
  if (state_ != State::header) return;
  const bool is_component_stream = header.ns == ns::kStream && header.name == element::kStream &&
                                   header.default_ns == ns::kComponent;
  if (!is_component_stream) {
    retry_ = Retry::configuration;
    log_.error("the XMPP server's port is not one for components",
               {{"namespace", header.default_ns},
                {"remedy", stream_error_row("invalid-namespace").remedy}});
    return give_up("invalid-namespace", now, tasks);
  }
  if (header.id.empty()) {
    // COMPAT(Prosody, 0.12): so a stream begins whose end says that the domain is not known.
    state_ = State::refusal;
    return;
  }
  const auto from = Jid::parse(header.from);
  if (!from || *from != domain_.jid()) {
    log_.warning("the XMPP server names its stream differently", {{"from", header.from}});
  }
  state_ = State::handshake;
  state_deadline_ = now + config_.handshake_timeout;
  tasks.emplace_back(todo::Write{handshake(header.id, secret_)});
}

void ComponentFsm::read(Stanza& stanza, SteadyTime now, Tasks& tasks) {
  const Element root = stanza.root();
  if (root.is(ns::kStream, element::kError)) return read_stream_error(root, now, tasks);
  if (state_ == State::refusal) {
    refused_without_id();
    return give_up("undefined-condition", now, tasks);
  }
  if (state_ == State::handshake) {
    if (root.is(ns::kComponent, element::kHandshake)) return authenticated(now, tasks);
    log_.error("the XMPP server sends stanzas before the handshake");
    return give_up("not-authorized", now, tasks);
  }
  if (is_answer(root)) return read_answer(stanza, tasks);
  if (state_ == State::ready && is_stanza(root)) {
    tasks.emplace_back(todo::Deliver{std::move(stanza)});
  }
}

void ComponentFsm::authenticated(SteadyTime now, Tasks& tasks) {
  state_ = State::ready;
  ready_since_ = now;
  ping_id_.reset();
  log_.info("connected to the XMPP server");
  tasks.emplace_back(todo::Ready());
}

void ComponentFsm::read_answer(Stanza& stanza, Tasks& tasks) {
  const Element root = stanza.root();
  std::string id(root.attribute(attribute::kId).value_or(""));
  if (ping_id_ == id) {
    ping_id_.reset();
  } else if (pending_.take(id, root.attribute(attribute::kFrom).value_or(""))) {
    tasks.emplace_back(todo::Answer{std::move(id), std::move(stanza)});
  } else {
    log_.debug("an answer to no request of ours");
  }
}

/// Nothing to make a handshake with, and no word why.
void ComponentFsm::refused_without_id() {
  const StreamErrorRow row = stream_error_row("host-unknown");
  retry_ = row.retry;
  log_.error("the XMPP server's stream has no id", {{"remedy", row.remedy}});
}

void ComponentFsm::read(StreamClosed&, SteadyTime now, Tasks& tasks) {
  if (state_ == State::refusal) {
    refused_without_id();
  } else if (state_ != State::closing) {
    log_.warning("the XMPP server ends the stream");
  }
  if (state_ != State::closing) {
    tasks.emplace_back(todo::Write{std::string(kStreamEnd)});
  }
  tasks.emplace_back(todo::Close());
  ended(now, tasks);
}

void ComponentFsm::read(StreamFault& fault, SteadyTime now, Tasks& tasks) {
  log_.error("the XMPP server's stream is at fault",
             {{"condition", to_string(fault.condition)},
              {"fault", fault.why},
              {"remedy", state_ == State::header ? kNoStreamRemedy : ""}});
  give_up(to_string(fault.condition), now, tasks);
}

void ComponentFsm::read_stream_error(Element error, SteadyTime now, Tasks& tasks) {
  std::string_view condition = "undefined-condition";
  for (const Element child : error.children()) {
    if (child.ns() == ns::kStreamErrors && child.name() != element::kText) {
      condition = child.name();
      break;
    }
  }
  const auto text = error.child(ns::kStreamErrors, element::kText);
  const StreamErrorRow row = stream_error_row(condition);
  retry_ = row.retry;
  log_.error(
      "the XMPP server ends the stream with an error",
      {{"condition", condition}, {"text", text ? text->text() : ""}, {"remedy", row.remedy}});
  give_up({}, now, tasks);
}

// --- time, and ends ------------------------------------------------------------------------------

void ComponentFsm::keep_alive(SteadyTime now, Tasks& tasks) {
  for (std::string& id : pending_.take_expired(now)) {
    tasks.emplace_back(
        todo::Answer{std::move(id), fail(ErrorKind::unavailable, ErrorReason::expired,
                                         "no answer from the other server in time")});
  }
  if (!config_.ping_target) return;
  if (ping_id_) {
    if (now < ping_deadline_) return;
    log_.warning("the XMPP server does not answer pings");
    return give_up("connection-timeout", now, tasks);
  }
  if (now - last_inbound_ < config_.ping_interval) return;
  ping_id_ = random_.id();
  ping_deadline_ = now + config_.ping_timeout;
  tasks.emplace_back(todo::Write{ping(domain_, *config_.ping_target, *ping_id_)});
}

void ComponentFsm::give_up(std::string_view condition, SteadyTime now, Tasks& tasks) {
  tasks.emplace_back(
      todo::Write{condition.empty() ? std::string(kStreamEnd) : stream_error(condition)});
  tasks.emplace_back(todo::Close());
  ended(now, tasks);
}

void ComponentFsm::ended(SteadyTime now, Tasks& tasks) {
  if (state_ == State::ready && now - ready_since_ >= config_.reconnect.steady) delay_.reset();
  for (std::string& id : pending_.take_all()) {
    tasks.emplace_back(
        todo::Answer{std::move(id),
                     fail(ErrorKind::unavailable, "stream-lost: the connection broke meanwhile")});
  }
  ping_id_.reset();
  stream_.reset();
  if (stopping_) {
    state_ = State::stopped;
    tasks.emplace_back(todo::Stopped());
    return;
  }
  state_ = State::waiting;
  const auto delay = delay_.next(retry_);
  state_deadline_ = now + delay;
  log_.info("reconnecting", {{"delay_ms", delay.count()}});
}

}  // namespace interline::xmpp
