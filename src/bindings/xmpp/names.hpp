// Every word of the XMPP wire that this binding reads or writes, in one place.
#pragma once

#include <string_view>

namespace interline::xmpp {

/// Namespaces.
namespace ns {
inline constexpr std::string_view kXml = "http://www.w3.org/XML/1998/namespace";
// RFC 6120, XEP-0114
inline constexpr std::string_view kStream = "http://etherx.jabber.org/streams";
inline constexpr std::string_view kComponent = "jabber:component:accept";
inline constexpr std::string_view kClient = "jabber:client";
inline constexpr std::string_view kServer = "jabber:server";
inline constexpr std::string_view kStreamErrors = "urn:ietf:params:xml:ns:xmpp-streams";
inline constexpr std::string_view kStanzaErrors = "urn:ietf:params:xml:ns:xmpp-stanzas";
// XMPP Agent Gateway
inline constexpr std::string_view kAgentApi = "urn:xmpp:agent-api:0";
inline constexpr std::string_view kAgentTask = "urn:xmpp:agent-task:0";
// XEPs
inline constexpr std::string_view kCaps = "http://jabber.org/protocol/caps";  // 0115
inline constexpr std::string_view kDataForms = "jabber:x:data";               // 0004
inline constexpr std::string_view kDiscoInfo = "http://jabber.org/protocol/disco#info";
inline constexpr std::string_view kDiscoItems = "http://jabber.org/protocol/disco#items";
inline constexpr std::string_view kHashes = "urn:xmpp:hashes:2";                  // 0300
inline constexpr std::string_view kHints = "urn:xmpp:hints";                      // 0334
inline constexpr std::string_view kPing = "urn:xmpp:ping";                        // 0199
inline constexpr std::string_view kPubsub = "http://jabber.org/protocol/pubsub";  // 0060
inline constexpr std::string_view kRsm = "http://jabber.org/protocol/rsm";        // 0059
inline constexpr std::string_view kSearch = "jabber:iq:search";                   // 0055
inline constexpr std::string_view kVcardTemp = "vcard-temp";                      // 0054
inline constexpr std::string_view kVcard4 = "urn:ietf:params:xml:ns:vcard-4.0";   // 0292
}  // namespace ns

/// Service discovery features; those named like their namespace are in ns.
namespace feature {
inline constexpr std::string_view kDirectory = "urn:xmpp:agent-directory:0";
inline constexpr std::string_view kEndpoint = "urn:xmpp:agent-endpoint:0";
inline constexpr std::string_view kManifest = "urn:xmpp:agent-api:0#manifest";
inline constexpr std::string_view kSchema = "urn:xmpp:agent-api:0#schema";
inline constexpr std::string_view kSelfRegister = "urn:xmpp:agent-api:0#self-register";
inline constexpr std::string_view kAdmin = "urn:xmpp:agent-api:0#admin";
inline constexpr std::string_view kTool = "urn:xmpp:agent-tool:0";
inline constexpr std::string_view kTask = "urn:xmpp:agent-task:0";
inline constexpr std::string_view kProgress = "urn:xmpp:agent-task:0#progress";
inline constexpr std::string_view kCancel = "urn:xmpp:agent-task:0#cancel";
inline constexpr std::string_view kInput = "urn:xmpp:agent-task:0#input";
inline constexpr std::string_view kSha256 = "urn:xmpp:hash-function-text-names:sha-256";
}  // namespace feature

/// Service discovery nodes; those of tools are made and read by tool_node.hpp.
namespace node {
inline constexpr std::string_view kDirectory = "urn:xmpp:agent-directory:0";
inline constexpr std::string_view kToolCollectionPrefix = "urn:xmpp:agent-tools:0#";
inline constexpr std::string_view kToolPrefix = "urn:xmpp:agent-tool:0#";
inline constexpr std::string_view kVcard4 = "urn:xmpp:vcard4";
}  // namespace node

/// Values of FORM_TYPE (XEP-0068).
namespace form_type {
inline constexpr std::string_view kEndpointInfo = "urn:xmpp:agent-endpoint-info:0";
inline constexpr std::string_view kToolInfo = "urn:xmpp:agent-tool-info:0";
inline constexpr std::string_view kSearch = "jabber:iq:search";
}  // namespace form_type

/// Service discovery identities: the category, and its types.
namespace identity {
inline constexpr std::string_view kAutomation = "automation";
inline constexpr std::string_view kGateway = "agent-gateway";
inline constexpr std::string_view kDirectory = "agent-directory";
inline constexpr std::string_view kEndpoint = "agent-endpoint";
inline constexpr std::string_view kToolCollection = "agent-tool-collection";
inline constexpr std::string_view kTool = "agent-tool";
}  // namespace identity

/// Local names of payloads and of what is in them.
namespace element {
// Stanzas and the stream
inline constexpr std::string_view kIq = "iq";
inline constexpr std::string_view kMessage = "message";
inline constexpr std::string_view kPresence = "presence";
inline constexpr std::string_view kError = "error";
inline constexpr std::string_view kText = "text";
inline constexpr std::string_view kBody = "body";
inline constexpr std::string_view kHandshake = "handshake";
inline constexpr std::string_view kStream = "stream";
// ns::kAgentApi
inline constexpr std::string_view kRegister = "register";
inline constexpr std::string_view kRegistered = "registered";
inline constexpr std::string_view kActivate = "activate";
inline constexpr std::string_view kActive = "active";
inline constexpr std::string_view kDeactivate = "deactivate";
inline constexpr std::string_view kDeactivated = "deactivated";
inline constexpr std::string_view kRegistrationStatus = "registration-status";
inline constexpr std::string_view kRegistration = "registration";
inline constexpr std::string_view kVersion = "version";
inline constexpr std::string_view kRemoveVersion = "remove-version";
inline constexpr std::string_view kRemoveEndpoint = "remove-endpoint";
inline constexpr std::string_view kRemoved = "removed";
inline constexpr std::string_view kManifestRequest = "manifest-request";
inline constexpr std::string_view kManifest = "manifest";
inline constexpr std::string_view kSchemaRequest = "schema-request";
inline constexpr std::string_view kSchema = "schema";
inline constexpr std::string_view kManifestHash = "manifest-hash";
inline constexpr std::string_view kSchemaHash = "schema-hash";
inline constexpr std::string_view kJson = "json";
// ns::kAgentTask
inline constexpr std::string_view kInvoke = "invoke";
inline constexpr std::string_view kArguments = "arguments";
inline constexpr std::string_view kDeadline = "deadline";
inline constexpr std::string_view kAccepted = "accepted";
inline constexpr std::string_view kEvent = "event";
inline constexpr std::string_view kTaskStateRequest = "task-state-request";
inline constexpr std::string_view kTaskState = "task-state";
inline constexpr std::string_view kPendingInput = "pending-input";
inline constexpr std::string_view kTaskResultRequest = "task-result-request";
inline constexpr std::string_view kTaskResult = "task-result";
inline constexpr std::string_view kProvideInput = "provide-input";
inline constexpr std::string_view kInput = "input";
inline constexpr std::string_view kInputAccepted = "input-accepted";
inline constexpr std::string_view kCancel = "cancel";
inline constexpr std::string_view kReason = "reason";
inline constexpr std::string_view kCancelAccepted = "cancel-accepted";
// XEPs
inline constexpr std::string_view kQuery = "query";
inline constexpr std::string_view kIdentity = "identity";
inline constexpr std::string_view kFeature = "feature";
inline constexpr std::string_view kItem = "item";
inline constexpr std::string_view kItems = "items";
inline constexpr std::string_view kPing = "ping";
inline constexpr std::string_view kHash = "hash";
inline constexpr std::string_view kVcardTemp = "vCard";
inline constexpr std::string_view kVcard4 = "vcard";
inline constexpr std::string_view kPubsub = "pubsub";
inline constexpr std::string_view kCaps = "c";
inline constexpr std::string_view kNoPermanentStore = "no-permanent-store";
}  // namespace element

/// Attributes of payloads in our two namespaces, and of stanzas.
namespace attribute {
inline constexpr std::string_view kFrom = "from";
inline constexpr std::string_view kTo = "to";
inline constexpr std::string_view kId = "id";
inline constexpr std::string_view kType = "type";
inline constexpr std::string_view kJid = "jid";
inline constexpr std::string_view kNode = "node";
inline constexpr std::string_view kName = "name";
inline constexpr std::string_view kVar = "var";
inline constexpr std::string_view kCategory = "category";
inline constexpr std::string_view kAlgorithm = "algo";
inline constexpr std::string_view kMediaType = "media-type";
inline constexpr std::string_view kVersion = "version";
inline constexpr std::string_view kApiVersion = "api-version";
inline constexpr std::string_view kTool = "tool";
inline constexpr std::string_view kDirection = "direction";
inline constexpr std::string_view kActive = "active";
inline constexpr std::string_view kRemovable = "removable";
inline constexpr std::string_view kRequestId = "request-id";
inline constexpr std::string_view kTaskId = "task-id";
inline constexpr std::string_view kEventId = "event-id";
inline constexpr std::string_view kEndpoint = "endpoint";
inline constexpr std::string_view kState = "state";
inline constexpr std::string_view kRevision = "revision";
inline constexpr std::string_view kExpectedRevision = "expected-revision";
inline constexpr std::string_view kCreated = "created";
inline constexpr std::string_view kUpdated = "updated";
inline constexpr std::string_view kDeadline = "deadline";
inline constexpr std::string_view kRetainUntil = "retain-until";
inline constexpr std::string_view kResultAvailable = "result-available";
inline constexpr std::string_view kXmlLang = "xml:lang";
}  // namespace attribute

namespace media_type {
inline constexpr std::string_view kJson = "application/json";
inline constexpr std::string_view kSchema = "application/schema+json";
}  // namespace media_type

/// The hash algorithm of manifests and schemas (XEP-0300).
inline constexpr std::string_view kSha256Algorithm = "sha-256";

}  // namespace interline::xmpp
