// ProtoXEP "Listing Agent Endpoints" and "Agent Search"; XEP-0059.
#include "catalog/directory.hpp"

#include <gtest/gtest.h>

namespace interline::catalog {
namespace {

using policy::Principal;
using Anchor = PageRequest::Anchor;

const Principal kEverything("key:everything");
const Principal kSome("key:some");
const Principal kNothing("key:nothing");

policy::Policy rules() {
  policy::Configuration configuration;
  policy::Grant all;
  all.principals = {"key:everything"};
  all.endpoints = {"*"};
  all.visible = true;
  policy::Grant some = all;
  some.principals = {"key:some"};
  some.endpoints = {"*", "!hidden*"};
  configuration.grants = {all, some};
  return *policy::Policy::compile(std::move(configuration));
}

PageRequest page(Anchor anchor, std::string id = {}, std::size_t maximum = 50) {
  PageRequest request;
  request.anchor = anchor;
  request.id = std::move(id);
  request.maximum = maximum;
  return request;
}

std::vector<std::string> names(const Result<DirectoryPage>& found) {
  std::vector<std::string> all;
  if (!found) return {"error"};
  for (const DirectoryEntry& entry : found->entries) all.push_back(entry.name);
  return all;
}

using Names = std::vector<std::string>;

class Directories : public ::testing::Test {
 protected:
  Directories() {
    for (const auto name : {"clock", "desk", "hidden", "weather", "attic"}) {
      directory_.activate(name, std::string(name) + " title");
    }
  }
  [[nodiscard]] Result<DirectoryPage> list(const Principal& who, const PageRequest& request) const {
    return directory_.list(rules_.visibility_class(who), request);
  }
  [[nodiscard]] Result<DirectoryPage> search(const Principal& who, std::string_view words,
                                             const PageRequest& request = {}) const {
    return directory_.search(rules_.visibility_class(who), words, request);
  }

  policy::Policy rules_ = rules();
  Directory directory_{"agents.example.test"};
};

TEST_F(Directories, AFirstPageIsInOrderWithTheExactCount) {
  const auto found = list(kEverything, page(Anchor::start, "", 2));
  EXPECT_EQ(names(found), (Names{"attic", "clock"}));
  EXPECT_EQ(found->count, 5U);
  EXPECT_EQ(found->first_index, 0U);
  EXPECT_EQ(found->entries[0].title, "attic title");
}

TEST_F(Directories, OnlyVisibleEntriesAreListedAndCounted) {
  const auto found = list(kSome, page(Anchor::after, "desk"));
  EXPECT_EQ(names(found), (Names{"weather"}));
  EXPECT_EQ(found->count, 4U);
  EXPECT_EQ(found->first_index, 3U);
  const auto none = list(kNothing, page(Anchor::start));
  EXPECT_EQ(names(none), Names());
  EXPECT_EQ(none->count, 0U);
}

TEST_F(Directories, PagesBeforeAnEntryEndThereAndAscend) {
  const auto found = list(kEverything, page(Anchor::before, "hidden", 2));
  EXPECT_EQ(names(found), (Names{"clock", "desk"}));
  EXPECT_EQ(found->first_index, 1U);
  EXPECT_EQ(names(list(kEverything, page(Anchor::last, "", 2))), (Names{"hidden", "weather"}));
  EXPECT_EQ(names(list(kEverything, page(Anchor::before, "attic"))), Names());
}

TEST_F(Directories, APageMayBeginAtAPosition) {
  PageRequest request = page(Anchor::index, "", 2);
  request.index = 3;
  EXPECT_EQ(names(list(kEverything, request)), (Names{"hidden", "weather"}));
  request.index = 5;
  EXPECT_EQ(names(list(kEverything, request)), Names());
  request.index = 2'147'483'647;
  EXPECT_EQ(names(list(kEverything, request)), Names());
}

TEST_F(Directories, ZeroEntriesAskForTheCountAlone) {
  const auto found = list(kEverything, page(Anchor::start, "", 0));
  EXPECT_EQ(names(found), Names());
  EXPECT_EQ(found->count, 5U);
}

TEST_F(Directories, AnUnknownAnchorIsNotFound) {
  for (const Anchor anchor : {Anchor::after, Anchor::before}) {
    const auto found = list(kEverything, page(anchor, "nowhere"));
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().kind, ErrorKind::not_found);
  }
}

TEST_F(Directories, AHiddenAnchorIsAsUnknownAsAnAbsentOne) {
  const auto hidden = list(kSome, page(Anchor::after, "hidden"));
  const auto absent = list(kSome, page(Anchor::after, "hiddem"));
  ASSERT_FALSE(hidden);
  ASSERT_FALSE(absent);
  EXPECT_EQ(hidden.error(), absent.error());
  directory_.deactivate("hidden");
  EXPECT_FALSE(list(kSome, page(Anchor::after, "hidden")));
}

TEST_F(Directories, AnAnchorThatDisappearedKeepsItsPosition) {
  directory_.deactivate("desk");
  EXPECT_EQ(names(list(kEverything, page(Anchor::after, "desk", 1))), (Names{"hidden"}));
  EXPECT_EQ(names(list(kEverything, page(Anchor::before, "desk", 1))), (Names{"clock"}));
  EXPECT_EQ(list(kEverything, page(Anchor::after, "desk"))->first_index, 2U);
  directory_.activate("desk", "again");
  EXPECT_EQ(names(list(kEverything, page(Anchor::before, "hidden", 1))), (Names{"desk"}));
}

TEST_F(Directories, ANewTitleIsSeenAtOnce) {
  ASSERT_EQ(list(kEverything, page(Anchor::start, "", 1))->entries[0].title, "attic title");
  directory_.activate("attic", "Under the Roof");
  EXPECT_EQ(list(kEverything, page(Anchor::start, "", 1))->entries[0].title, "Under the Roof");
  EXPECT_EQ(names(search(kEverything, "roof")), (Names{"attic"}));
}

TEST_F(Directories, TheOrderIsThatOfTheAddressesNotOfTheNames) {
  directory_.activate("desk-2", "");  // "-" and "." are less than "@"
  directory_.activate("desk.b", "");
  directory_.activate("deskb", "");  // letters are greater
  EXPECT_EQ(names(list(kEverything, page(Anchor::after, "clock", 4))),
            (Names{"desk-2", "desk.b", "desk", "deskb"}));
}

TEST_F(Directories, ForeignAddressesStandWhereTheirOctetsSay) {
  directory_.activate("desk@example.test", "");  // after desk@agents.example.test
  directory_.activate("desk@aa.test", "");       // before it
  directory_.activate("desk-2", "");
  EXPECT_EQ(names(list(kEverything, page(Anchor::after, "clock", 4))),
            (Names{"desk-2", "desk@aa.test", "desk", "desk@example.test"}));
  EXPECT_EQ(names(list(kEverything, page(Anchor::after, "desk@aa.test", 1))), (Names{"desk"}));
}

TEST_F(Directories, EveryWordMustBeFoundInNameOrTitle) {
  directory_.activate("help", "Stra\u00DFenmeisterei \u03A3\u03BF\u03C6\u03AF\u03B1");
  EXPECT_EQ(names(search(kEverything, "STRASSEN")), (Names{"help"}));
  EXPECT_EQ(names(search(kEverything, "\u03C3\u03BF\u03C6  HEL")), (Names{"help"}));
  EXPECT_EQ(names(search(kEverything, "help nothing")), Names());
  EXPECT_EQ(names(search(kEverything, "o")), (Names{"clock"}));
  EXPECT_EQ(search(kEverything, "title")->count, 5U);
  EXPECT_EQ(names(search(kEverything, "helpstra")), Names()) << "a word never spans name and title";
}

TEST_F(Directories, AnAgentIsFoundByItsOwnNameWhateverItsTitle) {
  directory_.activate("bot-7", "Front Desk", "Reception");
  EXPECT_EQ(names(search(kEverything, "recep")), (Names{"bot-7"}));
  EXPECT_EQ(names(search(kEverything, "RECEPTION front")), (Names{"bot-7"}));
  EXPECT_EQ(search(kEverything, "reception")->entries.front().title, "Front Desk");
  directory_.activate("bot-7", "Front Desk", "");
  EXPECT_EQ(names(search(kEverything, "recep")), Names());
}

TEST_F(Directories, ASearchOfNothingFindsAllThatIsVisible) {
  EXPECT_EQ(search(kSome, "")->count, 4U);
  EXPECT_EQ(search(kSome, " \t\n\u3000")->count, 4U);
}

TEST_F(Directories, ASearchIsPagedLikeAList) {
  const auto found = search(kSome, "title", page(Anchor::after, "clock", 1));
  EXPECT_EQ(names(found), (Names{"desk"}));
  EXPECT_EQ(found->count, 4U);
  EXPECT_EQ(found->first_index, 2U);
  EXPECT_EQ(names(search(kSome, "t", page(Anchor::last, "", 1))), (Names{"weather"}));
  EXPECT_EQ(names(search(kSome, "clock", page(Anchor::after, "desk"))), Names())
      << "an anchor that the words do not match has a position all the same";
  EXPECT_FALSE(search(kSome, "t", page(Anchor::after, "hidden")));
}

TEST_F(Directories, AForeignDomainIsNotWhatWordsAreLookedForIn) {
  directory_.activate("bot@example.test", "");
  EXPECT_EQ(names(search(kEverything, "example")), Names());
  EXPECT_EQ(names(search(kEverything, "bot")), (Names{"bot@example.test"}));
}

TEST_F(Directories, ALongSearchTextIsMalformed) {
  std::string words;
  for (int i = 0; i < 256; ++i) words.append("\u00E9");
  EXPECT_TRUE(search(kEverything, words));
  const auto refused = search(kEverything, words + "e");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::malformed);
}

TEST_F(Directories, APageOfAKnownClassLooksAtNothingElse) {
  for (int i = 0; i < 10'000; ++i) directory_.activate("endpoint" + std::to_string(i), "");
  ASSERT_TRUE(list(kEverything, page(Anchor::start)));
  const auto before = directory_.entries_looked_at();
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(list(kEverything, page(Anchor::after, "endpoint" + std::to_string(i * 97))));
  }
  directory_.activate("late", "");
  directory_.deactivate("endpoint5");
  EXPECT_EQ(list(kEverything, page(Anchor::start))->count, 10'005U);
  EXPECT_EQ(directory_.entries_looked_at(), before);
}

TEST_F(Directories, ClassesOfTwoPoliciesAreNeverMistakenForEachOther) {
  ASSERT_EQ(list(kSome, page(Anchor::start))->count, 4U);
  policy::Configuration stricter;
  policy::Grant grant;
  grant.principals = {"key:*"};
  grant.endpoints = {"clock"};
  grant.visible = true;
  stricter.grants = {grant};
  const auto next = *policy::Policy::compile(std::move(stricter));
  EXPECT_EQ(directory_.list(next.visibility_class(kSome), page(Anchor::start))->count, 1U);
  EXPECT_EQ(list(kSome, page(Anchor::start))->count, 4U) << "a call that began before the reload";
  directory_.forget_classes();
  EXPECT_EQ(directory_.list(next.visibility_class(kSome), page(Anchor::start))->count, 1U);
}

}  // namespace
}  // namespace interline::catalog
