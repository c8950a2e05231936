#include "bindings/xmpp/send_queue.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace interline::xmpp {

SendQueue::Verdict SendQueue::push(SendKind kind, std::string bytes, SteadyTime now) {
  const bool recoverable = kind == SendKind::event || kind == SendKind::own;
  if (recoverable && !open_) return Verdict::refused;
  if (kind != SendKind::stream && bytes_ + bytes.size() > config_.most) {
    if (recoverable) return Verdict::refused;
    drop_events();
    if (bytes_ + bytes.size() > config_.most) return Verdict::overflow;
  }
  bytes_ += bytes.size();
  (kind == SendKind::stream ? current() : stanzas_).push_back({kind, std::move(bytes), now});
  update();
  return Verdict::queued;
}

void SendQueue::close() {
  open_ = false;
  for (Item& item : stanzas_) {
    if (item.kind == SendKind::stream) stream_.push_back(std::move(item));
  }
  std::erase_if(stanzas_, [](const Item& item) { return item.kind == SendKind::stream; });
}

void SendQueue::open(SteadyTime now) {
  drop_old_replies(now);
  std::ranges::move(stream_, std::back_inserter(stanzas_));
  stream_.clear();
  open_ = true;
}

void SendQueue::lost(SteadyTime now) {
  open_ = false;
  stream_.clear();
  stanzas_.insert(stanzas_.begin(), std::make_move_iterator(in_flight_.begin()),
                  std::make_move_iterator(in_flight_.end()));
  in_flight_.clear();
  std::erase_if(stanzas_, [](const Item& item) {
    return item.kind != SendKind::reply && item.kind != SendKind::event;
  });
  drop_old_replies(now);
}

void SendQueue::drop_old_replies(SteadyTime now) {
  std::erase_if(stanzas_, [&](const Item& item) {
    return item.kind == SendKind::reply && now - item.queued_at >= config_.reply_life;
  });
  bytes_ = 0;
  for (const Item& item : stream_) bytes_ += item.bytes.size();
  for (const Item& item : in_flight_) bytes_ += item.bytes.size();
  for (const Item& item : stanzas_) bytes_ += item.bytes.size();
  update();
}

std::vector<std::string_view> SendQueue::begin_batch() {
  std::deque<Item>& queue = current();
  std::size_t size = 0;
  while (!queue.empty() &&
         (in_flight_.empty() || size + queue.front().bytes.size() <= config_.batch)) {
    size += queue.front().bytes.size();
    in_flight_.push_back(std::move(queue.front()));
    queue.pop_front();
  }
  std::vector<std::string_view> pieces;
  for (const Item& item : in_flight_) pieces.emplace_back(item.bytes);
  return pieces;
}

void SendQueue::written() {
  for (const Item& item : in_flight_) bytes_ -= item.bytes.size();
  in_flight_.clear();
  update();
}

void SendQueue::drop_events() {
  for (const Item& item : stanzas_) {
    if (item.kind != SendKind::event) continue;
    bytes_ -= item.bytes.size();
    ++dropped_events_;
  }
  std::erase_if(stanzas_, [](const Item& item) { return item.kind == SendKind::event; });
}

void SendQueue::update() {
  if (bytes_ >= config_.most / 2) congested_ = true;
  if (bytes_ <= config_.most / 4) congested_ = false;
}

}  // namespace interline::xmpp
