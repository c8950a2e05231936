#include "protocols/mcp/results.hpp"

#include <algorithm>

#include "json/writer.hpp"
#include "protocols/mcp/feature_members.hpp"
#include "protocols/mcp/request_meta.hpp"
#include "protocols/mcp/server_hello.hpp"

namespace interline::protocols::mcp {
namespace {

constexpr std::string_view kResultType = "resultType";
constexpr std::string_view kComplete = "complete";

/// A result that we write ourselves: the envelope around what the caller of writer() puts in.
class Built {
 public:
  explicit Built(const Envelope& envelope, std::string_view type = kComplete)
      : envelope_(envelope), writer_(text_) {
    writer_.begin_object();
    if (envelope.modern()) writer_.member(kResultType, type);
  }
  [[nodiscard]] json::Writer& writer() { return writer_; }
  void cache(const Cache& cache) {
    if (!envelope_.modern()) return;
    writer_.member("ttlMs", cache.ttl_ms);
    writer_.member("cacheScope", cache.is_public ? "public" : "private");
  }
  /// `subscription`: JSON text, or "".
  [[nodiscard]] std::string end(std::string_view subscription = {}) {
    const bool says_who = envelope_.modern() && !envelope_.server_info.empty();
    if (says_who || !subscription.empty()) {
      writer_.name("_meta");
      writer_.begin_object();
      if (!subscription.empty()) writer_.raw_member(meta_key::kSubscriptionId, subscription);
      if (says_who) writer_.raw_member(meta_key::kServerInfo, envelope_.server_info);
      writer_.end_object();
    }
    writer_.end_object();
    return std::move(text_);
  }

 private:
  const Envelope& envelope_;
  std::string text_;
  json::Writer writer_;
};

/// The `_meta` of a result of somebody else's: who answers is us, whoever it was there. "" if
/// nothing is left of it, or it was none.
std::string own_meta(const Envelope& envelope, const json::Value* meta) {
  const bool says_who = envelope.modern() && !envelope.server_info.empty();
  if (meta == nullptr || !meta->is_object()) {
    if (!says_who) return "";
    std::string text;
    json::Writer writer(text);
    writer.begin_object();
    writer.raw_member(meta_key::kServerInfo, envelope.server_info);
    writer.end_object();
    return text;
  }
  ObjectEdit edit(*meta);
  if (says_who) {
    edit.set(meta_key::kServerInfo, std::string(envelope.server_info));
  } else {
    edit.drop(meta_key::kServerInfo);
  }
  std::string text = edit.text();
  const bool emptied = text == "{}" && meta->size() > 0;
  return emptied ? std::string() : text;
}

}  // namespace

std::string implementation_text(const Implementation& implementation) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("name", implementation.name);
  if (!implementation.title.empty()) writer.member("title", implementation.title);
  writer.member("version", implementation.version);
  if (!implementation.website_url.empty()) {
    writer.member("websiteUrl", implementation.website_url);
  }
  writer.end_object();
  return text;
}

std::string own_result(const Envelope& envelope, std::string_view members,
                       std::string_view result_type) {
  const std::string around = Built(envelope, result_type).end();
  if (members.empty()) return around;
  // What is around begins with resultType, if with anything, and ends with _meta, if it has one.
  const auto meta = around.find(",\"_meta\"");
  const std::string_view head = std::string_view(around).substr(0, meta);
  std::string text(meta == std::string::npos ? head.substr(0, head.size() - 1) : head);
  if (text.size() > 1) text += ',';
  text += members;
  text += meta == std::string::npos ? std::string_view("}") : std::string_view(around).substr(meta);
  return text;
}

std::string empty_result(const Envelope& envelope) {
  return Built(envelope).end();
}

std::string list_result(const Envelope& envelope, std::string_view member,
                        std::span<const std::string> items,
                        const std::optional<std::string>& next_cursor, const Cache& cache) {
  Built result(envelope);
  result.writer().name(member);
  result.writer().begin_array();
  for (const std::string& item : items) result.writer().raw(item);
  result.writer().end_array();
  if (next_cursor) result.writer().member("nextCursor", *next_cursor);
  result.cache(cache);
  return result.end();
}

std::string server_capabilities(const Features& features, Revision revision) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  std::string_view open;
  for (const FeatureMember& row : kFeatureMembers) {
    if (row.member.empty()) {
      if (!open.empty()) writer.end_object();
      open = features.*row.feature ? row.group : std::string_view();
      if (open.empty()) continue;
      writer.name(row.group);
      writer.begin_object();
    } else if (open == row.group && features.*row.feature) {
      writer.member(row.member, true);
    }
  }
  if (!open.empty()) writer.end_object();
  if (features.tasks && is_modern(revision)) {
    writer.name("extensions");
    writer.begin_object();
    writer.raw_member(kTasksExtension, "{}");
    writer.raw_member(kRequestKeysExtension, "{}");  // each call with a key happens once
    writer.end_object();
  }
  writer.end_object();
  return text;
}

std::string discover_result(const Envelope& envelope, const Features& features,
                            std::string_view instructions, const Cache& cache) {
  Built result(envelope);
  result.writer().name("supportedVersions");
  result.writer().begin_array();
  for (const Revision revision : kModernRevisions) result.writer().value(to_string(revision));
  result.writer().end_array();
  result.writer().raw_member("capabilities", server_capabilities(features, envelope.revision));
  if (!instructions.empty()) result.writer().member("instructions", instructions);
  result.cache(cache);
  return result.end();
}

std::string initialize_result(const Envelope& envelope, const Features& features,
                              std::string_view instructions) {
  Built result(envelope);
  result.writer().member("protocolVersion", to_string(envelope.revision));
  result.writer().raw_member("capabilities", server_capabilities(features, envelope.revision));
  result.writer().raw_member("serverInfo", envelope.server_info);
  if (!instructions.empty()) result.writer().member("instructions", instructions);
  return result.end();
}

std::string complete_result(const Envelope& envelope, const json::Value& result,
                            const std::optional<Cache>& cache) {
  return complete_result(envelope, ObjectEdit(result), cache);
}

std::string complete_result(const Envelope& envelope, ObjectEdit edit,
                            const std::optional<Cache>& cache) {
  if (envelope.modern()) {
    edit.set_first(kResultType, "\"complete\"");
  } else {
    edit.drop(kResultType);
  }
  if (envelope.modern() && cache) {
    edit.set("ttlMs", std::to_string(cache->ttl_ms));
    edit.set("cacheScope", cache->is_public ? "\"public\"" : "\"private\"");
  } else {
    edit.drop("ttlMs");
    edit.drop("cacheScope");
  }
  if (std::string meta = own_meta(envelope, edit.object().find("_meta")); meta.empty()) {
    edit.drop("_meta");
  } else {
    edit.set("_meta", std::move(meta));
  }
  return edit.text();
}

std::string input_required_result(const Envelope& envelope, std::string_view requests,
                                  const std::optional<std::string>& state) {
  Built result(envelope, "input_required");
  if (!requests.empty()) result.writer().raw_member("inputRequests", requests);
  if (state) result.writer().member("requestState", *state);
  return result.end();
}

std::string completion_result(const Envelope& envelope, std::span<const std::string> values) {
  Built result(envelope);
  json::Writer& writer = result.writer();
  writer.name("completion");
  writer.begin_object();
  writer.name("values");
  writer.begin_array();
  for (const std::string& value : values.first(std::min(values.size(), kMaxCompletions))) {
    writer.value(value);
  }
  writer.end_array();
  writer.member("total", static_cast<std::uint64_t>(values.size()));
  writer.member("hasMore", values.size() > kMaxCompletions);
  writer.end_object();
  return result.end();
}

std::string listen_result(const Envelope& envelope, std::string_view id) {
  return Built(envelope).end(id);
}

}  // namespace interline::protocols::mcp
