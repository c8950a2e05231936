#include "net/http/framing.hpp"

#include <initializer_list>
#include <utility>

#include <gtest/gtest.h>

namespace interline::net::http {
namespace {

using List = std::initializer_list<std::pair<const char*, const char*>>;

RequestHead request(Method method, List fields, int minor = 1) {
  RequestHead head;
  head.method = method;
  head.minor_version = minor;
  for (const auto& [name, value] : fields) head.fields.add(name, value);
  return head;
}

int refused(const RequestHead& head) {
  const auto framing = request_framing(head);
  return framing ? 0 : static_cast<int>(framing.error().status);
}

TEST(Rfc9112_6_Framing, LengthChunkedOrNothing) {
  EXPECT_EQ(request_framing(request(Method::get, {}))->kind, Framing::Kind::none);
  EXPECT_EQ(request_framing(request(Method::post, {}))->kind, Framing::Kind::none);
  const auto length = request_framing(request(Method::post, {{"content-length", "0042"}}));
  EXPECT_EQ(length->kind, Framing::Kind::length);
  EXPECT_EQ(length->length, 42U);
  EXPECT_EQ(request_framing(request(Method::post, {{"Transfer-Encoding", "CHUNKED"}}))->kind,
            Framing::Kind::chunked);
}

// Each of these has made two servers disagree about where a request ends.
TEST(Rfc9112_11_2_Smuggling, AmbiguousLengthsAreRefused) {
  for (const List& fields : std::initializer_list<List>{
           {{"Content-Length", "5"}, {"Content-Length", "6"}},
           {{"Content-Length", "5"}, {"Content-Length", "5"}},
           {{"Content-Length", "5, 5"}},
           {{"Content-Length", "5"}, {"Transfer-Encoding", "chunked"}},
           {{"Transfer-Encoding", "chunked"}, {"Content-Length", "5"}},
           {{"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "chunked"}},
           {{"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "identity"}},
           {{"Content-Length", "+5"}},
           {{"Content-Length", "-5"}},
           {{"Content-Length", "0x5"}},
           {{"Content-Length", "5 "}},
           {{"Content-Length", ""}},
           {{"Content-Length", "5;"}},
           {{"Content-Length", "18446744073709551616"}},
       }) {
    EXPECT_EQ(refused(request(Method::post, fields)), 400);
  }
}

TEST(Rfc9112_6_1_TransferCodings, OthersAreNotImplemented) {
  for (const char* coding : {"gzip", "gzip, chunked", "chunked, chunked", "identity", "xchunked",
                             "chunked;q=1", "\"chunked\"", ""}) {
    EXPECT_EQ(refused(request(Method::post, {{"Transfer-Encoding", coding}})), 501) << coding;
  }
}

TEST(Rfc9112_6_Framing, Http10HasNoChunksAndNeedsALength) {
  EXPECT_EQ(refused(request(Method::post, {{"Transfer-Encoding", "chunked"}}, 0)), 400);
  EXPECT_EQ(refused(request(Method::post, {}, 0)), 411);
  EXPECT_EQ(refused(request(Method::get, {}, 0)), 0);
}

ResponseHead response(unsigned status, List fields) {
  ResponseHead head;
  head.status = status;
  for (const auto& [name, value] : fields) head.fields.add(name, value);
  return head;
}

TEST(Rfc9112_6_3_ResponseBodies, KindByKind) {
  using Kind = Framing::Kind;
  EXPECT_EQ(response_framing(response(200, {}), false)->kind, Kind::until_close);
  EXPECT_EQ(response_framing(response(200, {{"Content-Length", "3"}}), false)->length, 3U);
  EXPECT_EQ(response_framing(response(200, {{"Content-Length", "3"}}), true)->kind, Kind::none);
  EXPECT_EQ(response_framing(response(204, {{"Content-Length", "3"}}), false)->kind, Kind::none);
  EXPECT_EQ(response_framing(response(304, {{"Transfer-Encoding", "chunked"}}), false)->kind,
            Kind::none);
  EXPECT_FALSE(response_framing(
      response(200, {{"Content-Length", "3"}, {"Transfer-Encoding", "chunked"}}), false));
}

TEST(Rfc9112_9_3_Persistence, ByVersionAndConnection) {
  const auto persistent = [](int minor, const char* connection) {
    Fields fields;
    if (*connection != '\0') fields.add("Connection", connection);
    return is_persistent(minor, fields);
  };
  EXPECT_TRUE(persistent(1, ""));
  EXPECT_FALSE(persistent(1, "Close"));
  EXPECT_FALSE(persistent(1, "keep-alive, close"));
  EXPECT_FALSE(persistent(0, ""));
  EXPECT_TRUE(persistent(0, "Keep-Alive"));
}

}  // namespace
}  // namespace interline::net::http
