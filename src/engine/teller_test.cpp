#include "engine/teller.hpp"

#include <latch>

#include <gtest/gtest.h>

namespace interline::engine {
namespace {

Teller::Group group_of(std::vector<Teller::Done> callbacks) {
  Teller::Group group;
  group.works.resize(callbacks.size(), store::Work(store::Purge()));
  group.callbacks = std::move(callbacks);
  return group;
}

template <class... Callback>
Teller::Group group(Callback... callback) {
  std::vector<Teller::Done> callbacks;
  (callbacks.emplace_back(std::move(callback)), ...);
  return group_of(std::move(callbacks));
}

TEST(Teller, TellsAtOnceWhereNothingWaits) {
  Teller teller;
  std::thread::id where;
  teller.tell(group([&where](store::Work&) { where = std::this_thread::get_id(); }), true);
  EXPECT_EQ(where, std::this_thread::get_id());
}

TEST(Teller, TheCommitterGoesOnWhileAGroupIsTold) {
  std::latch gone_on(1);
  bool told = false;
  {
    Teller teller;
    teller.tell(group([&](store::Work&) {
                  gone_on.wait();
                  told = true;
                }),
                false);
    gone_on.count_down();  // reached only if tell() did not wait for the callback
  }
  EXPECT_TRUE(told);
}

TEST(Teller, NoGroupOvertakesAnother) {
  std::vector<int> order;
  {
    Teller teller;
    std::latch queued(1);
    const auto note = [&order](int number) {
      return [&order, number](store::Work&) { order.push_back(number); };
    };
    teller.tell(group([&queued](store::Work&) { queued.wait(); }, note(1), note(2)), false);
    teller.tell(group(note(3)), true);  // asks to be told here, and must wait for its turn
    queued.count_down();
    for (int i = 4; i < 100; ++i) teller.tell(group(note(i)), i % 3 == 0);
  }
  std::vector<int> expected(99);
  for (int i = 0; i < 99; ++i) expected[static_cast<std::size_t>(i)] = i + 1;
  EXPECT_EQ(order, expected);
}

TEST(Teller, WhatWaitsIsToldBeforeTheEnd) {
  int told = 0;
  {
    Teller teller;
    std::latch queued(1);
    teller.tell(group([&](store::Work&) {
                  queued.wait();
                  ++told;
                }),
                false);
    teller.tell(group([&told](store::Work&) { ++told; }), false);
    queued.count_down();
  }
  EXPECT_EQ(told, 2);
}

}  // namespace
}  // namespace interline::engine
