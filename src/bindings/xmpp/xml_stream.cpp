#include "bindings/xmpp/xml_stream.hpp"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <expat.h>
#include <stdexcept>
#include <utility>

#include "bindings/xmpp/expanded_names.hpp"
#include "bindings/xmpp/expat_memory.hpp"
#include "bindings/xmpp/namespace_scopes.hpp"
#include "bindings/xmpp/tag_rest.hpp"
#include "bindings/xmpp/tag_scanner.hpp"

namespace interline::xmpp {
namespace {

constexpr std::array<std::string_view, 5> kConditions = {
    "bad-format", "not-well-formed", "policy-violation", "restricted-xml", "unsupported-encoding"};
static_assert(kConditions.size() ==
              static_cast<std::size_t>(XmlCondition::unsupported_encoding) + 1);

// The bounds hold to the byte whatever the pieces: no piece given to expat crosses one.
constexpr std::size_t kPiece = 16'384;
/// Bytes of a long tag in which the value that it is cut in has to begin.
constexpr std::size_t kToNextValue = 65'536;

/// Debian's expat 2.5 has it since a security update, with a header that may be older.
void turn_reparse_deferral_off(XML_Parser parser) {
  using Set = XML_Bool (*)(XML_Parser, XML_Bool);
  static const auto set =
      reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "XML_SetReparseDeferralEnabled"));
  if (set != nullptr) set(parser, XML_FALSE);
}

bool is_utf8(std::string_view encoding) {
  constexpr std::string_view kUtf8 = "utf-8";
  return std::ranges::equal(encoding, kUtf8, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

}  // namespace

std::string_view to_string(XmlCondition condition) {
  return kConditions.at(static_cast<std::size_t>(condition));
}

/// Expat and its callbacks. None of these may throw: C code lies between them and feed().
class XmlStream::Parser {
 public:
  Parser(const StreamBounds& bounds, std::uint64_t hash_salt)
      : bounds_(bounds),
        hash_salt_(static_cast<unsigned long>(hash_salt | 1)),  // 0 would be "choose one"
        memory_(bounds.parser_memory),
        builder_(bounds.shape),
        scopes_(bounds.shape.name),
        names_(bounds.shape.attributes + 1) {
    const ExpatMemory::Use use(memory_);
    make_expat();
  }
  ~Parser() { XML_ParserFree(expat_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  void feed(std::string_view bytes, std::vector<StreamEvent>& out) {
    out_ = &out;
    while (!bytes.empty() && !done_) {
      if (rest_.open()) {
        bytes.remove_prefix(skip(bytes));
        continue;
      }
      const std::string_view piece = bytes.substr(0, next_piece());
      bytes.remove_prefix(piece.size());
      take(piece);
    }
    out_ = nullptr;
  }

  void finish(std::vector<StreamEvent>& out) {
    out_ = &out;
    if (!done_) parse_held();
    out_ = nullptr;
  }

  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  /// Without its namespaces: see NamespaceScopes.
  void make_expat() {
    expat_ = XML_ParserCreate_MM("UTF-8", &ExpatMemory::suite(), nullptr);
    if (expat_ == nullptr) throw std::runtime_error("no memory for an XML parser");
    XML_SetHashSalt(expat_, hash_salt_);
    turn_reparse_deferral_off(expat_);
    set_handlers();
  }

  /// Expat keeps each name that it has seen as long as it lives: one that has grown is replaced
  /// between two stanzas, by one that has read the root's name. With the budget in use.
  void renew_expat() {
    XML_ParserFree(std::exchange(expat_, nullptr));
    make_expat();
    in_root_ = true;
    XML_Parse(expat_, root_.data(), static_cast<int>(root_.size()), 0);
    in_root_ = false;
    base_ = parsed_ - root_.size();
  }

  void set_handlers() {
    XML_SetUserData(expat_, this);
    XML_SetElementHandler(
        expat_,
        [](void* self, const XML_Char* name, const XML_Char** attributes) noexcept {
          static_cast<Parser*>(self)->start(name, attributes);
        },
        [](void* self, const XML_Char*) noexcept { static_cast<Parser*>(self)->end(); });
    XML_SetCharacterDataHandler(expat_, [](void* self, const XML_Char* text, int size) noexcept {
      static_cast<Parser*>(self)->text({text, static_cast<std::size_t>(size)});
    });
    XML_SetXmlDeclHandler(
        expat_, [](void* self, const XML_Char* version, const XML_Char* encoding, int) noexcept {
          static_cast<Parser*>(self)->declaration(version, encoding);
        });
    set_restrictions();
  }

  /// RFC 6120 section 11.1.
  void set_restrictions() {
    XML_SetStartDoctypeDeclHandler(expat_, [](void* self, const XML_Char*, const XML_Char*,
                                              const XML_Char*, int) noexcept {
      static_cast<Parser*>(self)->stop(XmlCondition::restricted_xml, "document type declaration");
    });
    XML_SetEntityDeclHandler(
        expat_, [](void* self, const XML_Char*, int, const XML_Char*, int, const XML_Char*,
                   const XML_Char*, const XML_Char*, const XML_Char*) noexcept {
          static_cast<Parser*>(self)->stop(XmlCondition::restricted_xml, "entity declaration");
        });
    XML_SetProcessingInstructionHandler(
        expat_, [](void* self, const XML_Char*, const XML_Char*) noexcept {
          static_cast<Parser*>(self)->stop(XmlCondition::restricted_xml, "processing instruction");
        });
    XML_SetCommentHandler(expat_, [](void* self, const XML_Char*) noexcept {
      static_cast<Parser*>(self)->stop(XmlCondition::restricted_xml, "comment");
    });
  }

  // --- bytes -----------------------------------------------------------------------------------

  [[nodiscard]] std::uint64_t token_at() const {
    return base_ +
           static_cast<std::uint64_t>(std::max<XML_Index>(XML_GetCurrentByteIndex(expat_), 0));
  }
  [[nodiscard]] std::uint64_t token_end() const {
    return token_at() + static_cast<std::uint64_t>(XML_GetCurrentByteCount(expat_));
  }
  [[nodiscard]] std::uint64_t received() const { return parsed_ + held_.size(); }
  /// Bytes of the token that is not complete yet.
  [[nodiscard]] std::size_t pending() const {
    return static_cast<std::size_t>(received() - token_at());
  }
  [[nodiscard]] bool in_stanza() const { return builder_.depth() > 0; }

  [[nodiscard]] std::size_t next_piece() const {
    if (pending() > bounds_.tag) return 1;  // to the first byte at which it can be cut
    return static_cast<std::size_t>(
        std::min({std::uint64_t{kPiece}, std::uint64_t{bounds_.tag} + 1 - pending()}));
  }

  /// Expat follows the marks of UTF-16 even when told that it reads UTF-8.
  [[nodiscard]] bool looks_like_utf16(std::string_view piece) const {
    constexpr std::string_view kMarks("\0\xFE\xFF", 3);
    const auto first = piece.substr(0, received() < 2 ? 2 - received() : 0);
    return first.find_first_of(kMarks) != std::string_view::npos;
  }

  void take(std::string_view piece) {
    if (looks_like_utf16(piece)) {
      return fault(XmlCondition::unsupported_encoding, "encoding is not UTF-8");
    }
    work_ += piece.size();
    const bool unfinished = scanner_.open() && !scanner_.ends_in(piece);
    held_ += piece;
    if (!unfinished) parse_held();
    if (!done_ && pending() > bounds_.tag) cut_tag();
  }

  /// Of a tag that is not at its end beyond the bound: ends the value that it is in, and begins to
  /// skip.
  void cut_tag() {
    const char quote = scanner_.open() && opened_ ? scanner_.closing_quote() : '\0';
    if (quote != '\0') {
      held_ += quote;
      parse_held();
      scanner_.stop();
      rest_.begin(quote);
    } else if (!scanner_.open() || !opened_ || pending() > bounds_.tag + kToNextValue) {
      parse_held();
      if (!done_) fault(XmlCondition::policy_violation, "tag too long");
    }
  }

  /// Returns how many bytes were skipped of the long tag.
  std::size_t skip(std::string_view bytes) {
    const std::size_t taken = rest_.take(bytes);
    work_ += taken;
    if (rest_.broken()) {
      fault(XmlCondition::not_well_formed, "XML is not well-formed");
    } else if (!rest_.open()) {
      held_ = rest_.replacement();
      // What expat was given is not what came: the quote, and this in place of the rest.
      skipped_ = std::int64_t(rest_.size()) - 1 - std::int64_t(held_.size());
      cut_attribute_ = rest_.attributes() + 1;
      parse_held();
      base_ += static_cast<std::uint64_t>(skipped_);
      parsed_ += static_cast<std::uint64_t>(skipped_);
      skipped_ = 0;
    }
    return taken;
  }

  void parse_held() {
    scanner_.stop();
    const std::string bytes = std::exchange(held_, {});
    if (bytes.empty()) return;
    std::string_view rest = bytes;
    const ExpatMemory::Use use(memory_);
    while (!rest.empty()) {
      work_ += pending() + rest.size();
      parsed_ += rest.size();
      const XML_Status status = XML_Parse(expat_, rest.data(), static_cast<int>(rest.size()), 0);
      if (status == XML_STATUS_ERROR) return report_parser_error();
      if (status == XML_STATUS_OK) break;
      const auto left = static_cast<std::size_t>(parsed_ - token_end());
      rest.remove_prefix(rest.size() - left);
      parsed_ -= left;
      renew_expat();
    }
    if (in_stanza() && received() - stanza_at_ > bounds_.stanza) builder_.mark_oversized();
    watch_unfinished_tag(bytes);
  }

  /// `bytes` are the last ones given to expat; what it did not finish began in them, or with a `<`
  /// just before them.
  void watch_unfinished_tag(std::string_view bytes) {
    const std::size_t size = pending();
    std::string token;
    if (size <= bytes.size()) {
      token = bytes.substr(bytes.size() - size);
    } else if (lone_bracket_ && size == bytes.size() + 1) {
      token = '<';
      token += bytes;
    }
    lone_bracket_ = token == "<";
    if (TagScanner::is_tag(token)) scanner_.begin(token);
  }

  void report_parser_error() {
    if (done_) return;  // stopped by a handler, which has said why
    switch (XML_GetErrorCode(expat_)) {
      case XML_ERROR_NO_MEMORY:
        return fault(XmlCondition::policy_violation, "XML needs too much memory");
      case XML_ERROR_UNDEFINED_ENTITY:
        return fault(XmlCondition::restricted_xml, "entity reference");
      case XML_ERROR_UNKNOWN_ENCODING:
      case XML_ERROR_INCORRECT_ENCODING:
        return fault(XmlCondition::unsupported_encoding, "encoding is not UTF-8");
      default:
        return fault(XmlCondition::not_well_formed, "XML is not well-formed");
    }
  }

  // --- expat's reports -------------------------------------------------------------------------

  void start(const XML_Char* name, const XML_Char** attributes) {
    if (done_ || in_root_) return;
    const bool cut = std::cmp_greater(XML_GetCurrentByteCount(expat_), bounds_.tag);
    attributes = without_cut_one(attributes);
    const bool declared = scopes_.enter(attributes);
    if (builder_.depth() >= 2 && builder_.is_misshapen()) {  // nothing of it is kept
      builder_.start("", kNoAttributes.data());
      return;
    }
    const bool known = names_.expand(scopes_, name, attributes);
    if (!opened_) return open(name);
    if (!in_stanza()) stanza_at_ = token_at();
    builder_.start(names_.name(), names_.attributes());
    if (!declared || !known || cut) builder_.mark_misshapen();
  }

  /// Of a tag that was cut: its attributes without the one that the cut went through.
  const XML_Char** without_cut_one(const XML_Char** attributes) {
    const std::size_t from_end = std::exchange(cut_attribute_, 0);
    if (from_end == 0) return attributes;
    whole_attributes_.clear();
    while (*attributes != nullptr) whole_attributes_.push_back(*attributes++);
    const auto at = whole_attributes_.end() - static_cast<std::ptrdiff_t>(2 * from_end);
    whole_attributes_.erase(at, at + 2);
    whole_attributes_.push_back(nullptr);
    return whole_attributes_.data();
  }

  void text(std::string_view piece) {
    if (done_) return;
    if (in_stanza()) return builder_.text(piece);
    if (!is_xml_space(piece)) stop(XmlCondition::bad_format, "text between stanzas");
  }

  void end() {
    if (done_) return;
    if (!in_stanza()) {
      done_ = true;
      out_->emplace_back(StreamClosed());
      XML_StopParser(expat_, XML_FALSE);
      return;
    }
    builder_.end();
    scopes_.leave();
    if (in_stanza()) return;
    const auto size =
        static_cast<std::size_t>(token_end() - stanza_at_ + static_cast<std::uint64_t>(skipped_));
    if (size > bounds_.stanza) builder_.mark_oversized();
    out_->emplace_back(builder_.take(size));
    if (memory_.used() > bounds_.parser_memory / 8) XML_StopParser(expat_, XML_TRUE);
  }

  void open(std::string_view as_written) {
    opened_ = true;
    root_.assign("<").append(as_written).append(">");
    const std::string_view name = names_.name();
    const char* const* attributes = names_.attributes();
    const std::size_t at = name.find(kNameSeparator);
    StreamOpened header;
    if (at != std::string_view::npos) header.ns = name.substr(0, at);
    header.name = name.substr(at == std::string_view::npos ? 0 : at + 1);
    header.default_ns = scopes_.default_namespace();
    for (; *attributes != nullptr; attributes += 2) {
      const std::string_view attribute = attributes[0];
      if (attribute == "id") header.id = attributes[1];
      if (attribute == "from") header.from = attributes[1];
    }
    out_->emplace_back(std::move(header));
  }

  void declaration(const XML_Char* version, const XML_Char* encoding) {
    if (encoding != nullptr && !is_utf8(encoding)) {
      stop(XmlCondition::unsupported_encoding, "encoding is not UTF-8");
    } else if (version == nullptr || std::string_view(version) != "1.0") {
      stop(XmlCondition::not_well_formed, "XML version is not 1.0");
    }
  }

  void fault(XmlCondition condition, std::string_view why) {
    done_ = true;
    out_->emplace_back(StreamFault{condition, why});
  }

  void stop(XmlCondition condition, std::string_view why) {
    if (done_) return;
    fault(condition, why);
    XML_StopParser(expat_, XML_FALSE);
  }

  static constexpr std::array<const char*, 1> kNoAttributes = {nullptr};

  StreamBounds bounds_;
  unsigned long hash_salt_;
  ExpatMemory memory_;  // outlives expat_
  XML_Parser expat_ = nullptr;
  StanzaBuilder builder_;
  NamespaceScopes scopes_;
  ExpandedNames names_;
  std::vector<StreamEvent>* out_ = nullptr;  // set while fed
  std::string root_;                         // its tag, without attributes
  std::uint64_t base_ = 0;                   // what expat_ counts from
  std::uint64_t parsed_ = 0;                 // bytes given to expat
  std::uint64_t stanza_at_ = 0;              // byte index of the stanza being read
  std::string held_;                         // bytes not given to expat yet
  TagScanner scanner_;
  TagRest rest_;                   // of a tag that was cut
  std::int64_t skipped_ = 0;       // of it, while its end is parsed
  std::size_t cut_attribute_ = 0;  // the same: which one, from the end; 0 for none
  std::vector<const XML_Char*> whole_attributes_;
  bool lone_bracket_ = false;  // all that is pending is a "<"
  std::uint64_t work_ = 0;
  bool in_root_ = false;  // a new parser reads root_
  bool opened_ = false;
  bool done_ = false;
};

XmlStream::XmlStream(const StreamBounds& bounds, std::uint64_t hash_salt)
    : parser_(std::make_unique<Parser>(bounds, hash_salt)) {}
XmlStream::~XmlStream() = default;

void XmlStream::feed(std::string_view bytes, std::vector<StreamEvent>& out) {
  parser_->feed(bytes, out);
}
void XmlStream::finish(std::vector<StreamEvent>& out) {
  parser_->finish(out);
}
std::uint64_t XmlStream::work() const {
  return parser_->work();
}

}  // namespace interline::xmpp
