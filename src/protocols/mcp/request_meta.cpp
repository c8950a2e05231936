#include "protocols/mcp/request_meta.hpp"

#include <string>

namespace interline::protocols::mcp {
namespace {

std::unexpected<Error> wrong(std::string what) {
  return fail(ErrorKind::malformed, std::move(what));
}

const json::Value* text_member(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value != nullptr && value->is_string() ? value : nullptr;
}

bool is_token(const json::Value& value) {
  if (value.source().size() > kMaxProgressToken) return false;
  return value.is_string() ||
         (value.is_number() && value.source().find_first_of(".eE") == std::string_view::npos);
}

/// For display and logs only, so that nothing in it is worth refusing a request.
void read_client_info(const json::Value& meta, RequestMeta& read) {
  const json::Value* info = meta.find(meta_key::kClientInfo);
  if (info == nullptr) return;
  if (const json::Value* name = text_member(*info, "name")) read.client_name = name->as_string();
  if (const json::Value* own = text_member(*info, "version")) {
    read.client_version = own->as_string();
  }
}

Result<void> read_opt_ins(const json::Value& meta, RequestMeta& read) {
  if (const json::Value* level = meta.find(meta_key::kLogLevel)) {
    if (level->is_string()) read.log_level = log_level_named(level->as_string());
    if (!read.log_level) return wrong("The log level is none of the eight.");
  }
  if (const json::Value* token = meta.find(meta_key::kProgressToken)) {
    if (!is_token(*token)) {
      return wrong("A progress token is a string or an integer of at most 256 bytes.");
    }
    read.progress_token = token->source();
  }
  if (const json::Value* key = meta.find(meta_key::kRequestId)) {
    if (!key->is_string() || key->as_string().empty() || key->as_string().size() > kMaxRequestKey) {
      return wrong("interline/requestId is a string of 1 to 128 bytes.");
    }
    read.request_key = key->as_string();
  }
  return {};
}

}  // namespace

std::optional<LogLevel> log_level_named(std::string_view name) {
  for (std::size_t i = 0; i < kLogLevels.size(); ++i) {
    if (kLogLevels[i] == name) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

const json::Value* meta_of(const json::Value& params) {
  const json::Value* meta = params.find("_meta");
  return meta != nullptr && meta->is_object() ? meta : nullptr;
}

bool is_stamped(const json::Value& params) {
  const json::Value* meta = meta_of(params);
  return meta != nullptr && meta->find(meta_key::kProtocolVersion) != nullptr;
}

Result<RequestMeta> read_modern_meta(const json::Value& params) {
  const json::Value* meta = meta_of(params);
  if (meta == nullptr) return wrong("Every request has an object params._meta.");
  const json::Value* version = text_member(*meta, meta_key::kProtocolVersion);
  const json::Value* capabilities = meta->find(meta_key::kClientCapabilities);
  if (version == nullptr) {
    return wrong("params._meta names its revision in io.modelcontextprotocol/protocolVersion.");
  }
  if (capabilities == nullptr) {
    return wrong("params._meta has the object io.modelcontextprotocol/clientCapabilities.");
  }
  auto declared = read_capabilities(*capabilities);
  if (!declared) return std::unexpected(declared.error());
  RequestMeta read;
  read.version = version->as_string();
  read.capabilities = *declared;
  read.whole = *meta;
  read_client_info(*meta, read);
  if (auto done = read_opt_ins(*meta, read); !done) return std::unexpected(done.error());
  return read;
}

RequestMeta read_legacy_meta(const json::Value& params) {
  RequestMeta read;
  const json::Value* meta = meta_of(params);
  if (meta == nullptr) return read;
  read.whole = *meta;
  const json::Value* token = meta->find(meta_key::kProgressToken);
  if (token != nullptr && is_token(*token)) read.progress_token = token->source();
  const json::Value* key = text_member(*meta, meta_key::kRequestId);
  if (key != nullptr && key->as_string().size() <= kMaxRequestKey) {
    read.request_key = key->as_string();
  }
  return read;
}

}  // namespace interline::protocols::mcp
