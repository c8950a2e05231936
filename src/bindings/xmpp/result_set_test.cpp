#include "bindings/xmpp/result_set.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/testing.hpp"

namespace interline::xmpp {
namespace {

using Anchor = PageRequest::Anchor;

/// A sorted list, and names of which the place is known although they are gone.
class ListSource final : public PageSource {
 public:
  explicit ListSource(std::vector<std::string> ids, std::set<std::string> gone = {},
                      std::size_t item_size = 100)
      : ids_(std::move(ids)), gone_(std::move(gone)), item_size_(item_size) {}

  std::size_t size() const override { return ids_.size(); }
  std::optional<Place> find(std::string_view id) const override {
    const auto at = std::ranges::lower_bound(ids_, id);
    const bool present = at != ids_.end() && *at == id;
    if (!present && !gone_.contains(std::string(id))) return std::nullopt;
    return Place{static_cast<std::size_t>(at - ids_.begin()), present};
  }
  std::size_t wire_size(std::size_t) const override { return item_size_; }
  const std::string& id(std::size_t position) const { return ids_.at(position); }

 private:
  std::vector<std::string> ids_;
  std::set<std::string> gone_;
  std::size_t item_size_;
};

Result<std::optional<PageRequest>> request_of(std::string_view set) {
  return read_page_request(
      testing::read_stanza("<query xmlns='http://jabber.org/protocol/disco#items'>" +
                           std::string(set) + "</query>")
          .root());
}

std::string rsm(std::string_view content) {
  return "<set xmlns='http://jabber.org/protocol/rsm'>" + std::string(content) + "</set>";
}

PageRequest good(std::string_view content) {
  return request_of(rsm(content)).value().value();
}

// --- requests ------------------------------------------------------------------------------------

TEST(Xep0059_Requests, TheTableOfSection42) {
  EXPECT_FALSE(request_of("").value().has_value());
  EXPECT_FALSE(request_of("<set xmlns='urn:other'/>").value().has_value());
  EXPECT_EQ(good("").anchor, Anchor::start);
  EXPECT_EQ(good("").max, std::nullopt);
  EXPECT_EQ(good("<max>10</max>").max, 10U);
  EXPECT_EQ(good("<max>0</max>").max, 0U);
  EXPECT_EQ(good("<max>2147483647</max>").max, 2'147'483'647U);
  EXPECT_EQ(good("<after>a@b</after>").anchor, Anchor::after);
  EXPECT_EQ(good("<after>a@b</after>").id, "a@b");
  EXPECT_EQ(good("<after/>").anchor, Anchor::start);
  EXPECT_EQ(good("<before>a@b</before><max>3</max>").anchor, Anchor::before);
  EXPECT_EQ(good("<before/>").anchor, Anchor::end);
  EXPECT_EQ(good("<index>371</index>").anchor, Anchor::index);
  EXPECT_EQ(good("<index>371</index>").index, 371U);
  EXPECT_EQ(good("<max>1</max><x xmlns='urn:x'/><count/>").max, 1U);
}

TEST(Xep0059_Requests, BadOnesAreMalformed) {
  for (const char* bad :
       {"<max/>", "<max>-1</max>", "<max>+1</max>", "<max> 1</max>", "<max>1.0</max>",
        "<max>2147483648</max>", "<max>0x1</max>", "<max>1</max><max>1</max>", "<index/>",
        "<index>x</index>", "<index>1</index><after>a</after>", "<after>a</after><before/>",
        "<after/><before/>", "<after>a</after><after>b</after>", "<max><b/>1</max>",
        "<before/><index>0</index>"}) {
    const auto request = request_of(rsm(bad));
    ASSERT_FALSE(request) << bad;
    EXPECT_EQ(request.error().kind, ErrorKind::malformed);
  }
  EXPECT_FALSE(request_of(rsm("") + rsm("")));
}

// --- pages ---------------------------------------------------------------------------------------

std::string answer(const std::optional<PageRequest>& request, const ListSource& source,
                   const PageLimits& limits = {}) {
  const auto page = find_page(request, source, limits);
  if (!page) return std::string(to_string(page.error().kind));
  std::string out;
  for (std::size_t i = page->begin; i < page->end; ++i) out += source.id(i) + " ";
  XmlWriter w(out, ns::kDiscoItems);
  const std::string_view first = page->empty() ? std::string_view() : source.id(page->begin);
  const std::string_view last = page->empty() ? std::string_view() : source.id(page->end - 1);
  write_page(w, request, *page, first, last);
  return out;
}

std::string set_of(std::string_view content) {
  return rsm(content);
}

const ListSource kFive({"b", "d", "f", "h", "j"}, {"a", "e", "k"});

TEST(BriefSection42_Pages, WithoutASetOnlyACutPageSaysSo) {
  EXPECT_EQ(answer(std::nullopt, kFive), "b d f h j ");
  PageLimits limits;
  limits.most = 2;
  EXPECT_EQ(answer(std::nullopt, kFive, limits),
            "b d " + set_of("<first index='0'>b</first><last>d</last><count>5</count>"));
}

TEST(BriefSection42_Pages, Forward) {
  EXPECT_EQ(answer(good("<max>2</max>"), kFive),
            "b d " + set_of("<first index='0'>b</first><last>d</last><count>5</count>"));
  EXPECT_EQ(answer(good("<max>2</max><after>d</after>"), kFive),
            "f h " + set_of("<first index='2'>f</first><last>h</last><count>5</count>"));
  EXPECT_EQ(answer(good("<after/>"), kFive),
            "b d f h j " + set_of("<first index='0'>b</first><last>j</last><count>5</count>"));
  EXPECT_EQ(answer(good("<after>j</after>"), kFive), set_of("<count>5</count>"));
}

TEST(BriefSection42_Pages, BackwardPagesAscendToo) {
  EXPECT_EQ(answer(good("<max>2</max><before/>"), kFive),
            "h j " + set_of("<first index='3'>h</first><last>j</last><count>5</count>"));
  EXPECT_EQ(answer(good("<max>2</max><before>f</before>"), kFive),
            "b d " + set_of("<first index='0'>b</first><last>d</last><count>5</count>"));
  EXPECT_EQ(answer(good("<before>b</before>"), kFive), set_of("<count>5</count>"));
}

TEST(BriefSection42_Pages, ByIndex) {
  EXPECT_EQ(answer(good("<max>1</max><index>4</index>"), kFive),
            "j " + set_of("<first index='4'>j</first><last>j</last><count>5</count>"));
  EXPECT_EQ(answer(good("<index>5</index>"), kFive), set_of("<count>5</count>"));
  EXPECT_EQ(answer(good("<index>2147483647</index>"), kFive), set_of("<count>5</count>"));
}

TEST(BriefSection42_Pages, CountAlone) {
  EXPECT_EQ(answer(good("<max>0</max>"), kFive), set_of("<count>5</count>"));
  EXPECT_EQ(answer(good("<max>0</max>"), ListSource({})), set_of("<count>0</count>"));
}

TEST(BriefSection42_Pages, OfAnEmptySetNothingIsSaid) {
  EXPECT_EQ(answer(std::nullopt, ListSource({})), "");
  EXPECT_EQ(answer(good("<max>10</max>"), ListSource({})), "");
}

TEST(BriefSection42_Pages, UnknownItemsAreNotFoundRemovedOnesKeepTheirPlace) {
  EXPECT_EQ(answer(good("<after>c</after>"), kFive), "not_found");
  EXPECT_EQ(answer(good("<before>c</before>"), kFive), "not_found");
  EXPECT_EQ(answer(good("<max>1</max><after>e</after>"), kFive),
            "f " + set_of("<first index='2'>f</first><last>f</last><count>5</count>"));
  EXPECT_EQ(answer(good("<max>1</max><before>e</before>"), kFive),
            "d " + set_of("<first index='1'>d</first><last>d</last><count>5</count>"));
  EXPECT_EQ(answer(good("<after>k</after>"), kFive), set_of("<count>5</count>"));
  EXPECT_EQ(answer(good("<before>a</before>"), kFive), set_of("<count>5</count>"));
}

TEST(BriefSection42_Pages, DefaultFiftyMostAHundred) {
  std::vector<std::string> ids;
  for (int i = 1000; i < 1300; ++i) ids.push_back(std::to_string(i));
  const ListSource source(ids);
  const auto size = [&](const std::optional<PageRequest>& request) {
    return find_page(request, source, {})->size();
  };
  EXPECT_EQ(size(std::nullopt), 100U);
  EXPECT_EQ(size(good("")), 50U);
  EXPECT_EQ(size(good("<max>100</max>")), 100U);
  EXPECT_EQ(size(good("<max>101</max>")), 100U);
  EXPECT_EQ(size(good("<max>99</max><before/>")), 99U);
}

TEST(BriefSection42_Pages, BytesCutTheFarEndAndLeaveAtLeastOneItem) {
  PageLimits limits;
  limits.bytes = 250;
  EXPECT_EQ(find_page(good(""), kFive, limits).value(), (Page{0, 2, 5}));
  EXPECT_EQ(find_page(good("<before/>"), kFive, limits).value(), (Page{3, 5, 5}));
  limits.bytes = 1;
  EXPECT_EQ(find_page(good("<after>d</after>"), kFive, limits).value(), (Page{2, 3, 5}));
  EXPECT_EQ(find_page(std::nullopt, kFive, limits).value(), (Page{0, 1, 5}));
}

// Checklist 24 and 51: every form against a list that is filtered the slow way.
TEST(Checklist24_Model, EveryFormAgainstAList) {
  std::mt19937 random(59);
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  for (int round = 0; round < 2'000; ++round) {
    std::set<std::string> all;
    for (std::size_t n = below(12); n > 0; --n) all.insert(std::string(1, char('a' + below(26))));
    const std::vector<std::string> ids(all.begin(), all.end());
    std::set<std::string> gone;
    for (char c = 'a'; c <= 'z'; ++c) gone.insert(std::string(1, c));
    const ListSource source(ids, gone);

    PageRequest request;
    request.anchor = static_cast<Anchor>(below(5));
    request.id = std::string(1, char('a' + below(26)));
    request.index = below(14);
    if (below(3) > 0) request.max = below(8);
    const PageLimits limits = {.usual = 4, .most = 6, .bytes = 100 * (1 + below(10))};

    std::vector<std::string> wanted;
    const bool backward = request.anchor == Anchor::before || request.anchor == Anchor::end;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (request.anchor == Anchor::after && ids[i] <= request.id) continue;
      if (request.anchor == Anchor::before && ids[i] >= request.id) continue;
      if (request.anchor == Anchor::index && i < request.index) continue;
      wanted.push_back(ids[i]);
    }
    const std::size_t most =
        std::min({request.max.value_or(limits.usual), limits.most, limits.bytes / 100});
    if (wanted.size() > most) {
      if (backward) {
        wanted.erase(wanted.begin(), wanted.end() - static_cast<std::ptrdiff_t>(most));
      } else {
        wanted.resize(most);
      }
    }
    const auto page = find_page(request, source, limits);
    ASSERT_TRUE(page);
    EXPECT_EQ(page->total, ids.size());
    EXPECT_EQ(std::vector<std::string>(ids.begin() + static_cast<std::ptrdiff_t>(page->begin),
                                       ids.begin() + static_cast<std::ptrdiff_t>(page->end)),
              wanted);
  }
}

TEST(Checklist24_Model, WalkingForwardAndBackwardMeetsEveryItemOnce) {
  std::vector<std::string> ids;
  for (int i = 1000; i < 1203; ++i) ids.push_back(std::to_string(i));
  const ListSource source(ids);
  std::vector<std::string> seen;
  PageRequest request;
  request.max = 7;
  for (auto page = find_page(request, source, {}); !page->empty();
       page = find_page(request, source, {})) {
    for (std::size_t i = page->begin; i < page->end; ++i) seen.push_back(ids[i]);
    request.anchor = Anchor::after;
    request.id = ids[page->end - 1];
  }
  EXPECT_EQ(seen, ids);

  seen.clear();
  request.anchor = Anchor::end;
  for (auto page = find_page(request, source, {}); !page->empty();
       page = find_page(request, source, {})) {
    for (std::size_t i = page->end; i > page->begin; --i) seen.push_back(ids[i - 1]);
    request.anchor = Anchor::before;
    request.id = ids[page->begin];
  }
  std::ranges::reverse(seen);
  EXPECT_EQ(seen, ids);
}

}  // namespace
}  // namespace interline::xmpp
