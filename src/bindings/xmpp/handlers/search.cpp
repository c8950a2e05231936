// Jabber Search (XEP-0055) over the directory, as a data form and in its legacy form. Section 4.9.
#include <array>

#include "bindings/xmpp/data_form.hpp"
#include "bindings/xmpp/handlers/guards.hpp"
#include "bindings/xmpp/handlers/handlers.hpp"
#include "bindings/xmpp/handlers/paging.hpp"
#include "bindings/xmpp/names.hpp"

namespace interline::xmpp {
namespace {

constexpr std::string_view kNick = "nick";
constexpr std::string_view kFormType = "FORM_TYPE";
constexpr std::array kFields = {kFormType, kNick};
constexpr std::string_view kTitle = "Search for agents";
constexpr std::string_view kInstructions =
    "Give words of an agent's name or title. Leave it empty to list all.";

struct Wanted {
  std::string words;
  bool form = false;
  bool cancelled = false;
};

Result<Wanted> read_form_search(Element x) {
  const auto form = read_form(x, kFields);
  if (!form) return std::unexpected(form.error());
  Wanted wanted;
  wanted.form = true;
  if (form->type == Form::Type::cancel) {
    wanted.cancelled = true;
    return wanted;
  }
  if (form->type != Form::Type::submit) {
    return fail(ErrorKind::malformed, "a search is a submitted form");
  }
  if (form->has(kFormType) && form->value(kFormType) != form_type::kSearch) {
    return fail(ErrorKind::not_acceptable, "the form is of another protocol");
  }
  wanted.words = std::string(form->value(kNick));
  return wanted;
}

Result<Wanted> read_search(Element query) {
  std::optional<Element> form;
  for (const Element child : query.children()) {
    if (!child.is(ns::kDataForms, "x")) continue;
    if (form) return fail(ErrorKind::malformed, "more than one form");
    form = child;
  }
  if (form) return read_form_search(*form);
  Wanted wanted;
  if (const auto nick = query.child(ns::kSearch, kNick)) wanted.words = nick->text();
  return wanted;
}

OutgoingStanza search_form(const Call& call) {
  OutgoingStanza stanza = call.result();
  XmlWriter& w = stanza.xml();
  w.begin(element::kQuery, ns::kSearch);
  w.attribute(attribute::kXmlLang, "en");
  w.leaf("instructions", kInstructions);
  w.begin(kNick);
  w.end();
  FormWriter form(w, "form", form_type::kSearch, kTitle);
  form.question(kNick, "text-single", "Name or title");
  form.end();
  w.end();
  return stanza;
}

void write_form_items(const Services& services, XmlWriter& w,
                      const std::vector<catalog::DirectoryEntry>& entries) {
  FormWriter form(w, "result");
  form.reported({{"jid", "jid-single", "Address"}, {kNick, "text-single", "Name"}});
  for (const catalog::DirectoryEntry& entry : entries) {
    form.begin_item();
    form.field("jid", std::string_view(jid_of(services, entry.name)));
    form.field(kNick, std::string_view(entry.title.empty() ? entry.name : entry.title));
    form.end_item();
  }
  form.end();
}

void write_legacy_items(const Services& services, XmlWriter& w,
                        const std::vector<catalog::DirectoryEntry>& entries) {
  for (const catalog::DirectoryEntry& entry : entries) {
    w.begin(element::kItem);
    w.attribute(attribute::kJid, jid_of(services, entry.name));
    w.leaf("first", "");
    w.leaf("last", "");
    w.leaf(kNick, entry.title.empty() ? entry.name : entry.title);
    w.leaf("email", "");
    w.end();
  }
}

}  // namespace

awaitable<Answer> search(Services& services, const Call& call) {
  if (!call.request.set) {
    auto known = co_await for_acquaintances(services, call);
    if (!known) co_return std::unexpected(std::move(known.error()));
    co_return search_form(call);
  }
  auto wanted = read_search(call.payload());
  if (!wanted) co_return std::unexpected(std::move(wanted.error()));
  const auto asked = read_page_request(call.payload());
  if (!asked) co_return std::unexpected(asked.error());
  OutgoingStanza stanza = call.result();
  if (wanted->cancelled) co_return stanza;
  auto page_request = to_directory(services, *asked);
  if (!page_request) co_return std::unexpected(std::move(page_request.error()));
  auto found =
      co_await services.engine.search(call.who, std::move(wanted->words), *std::move(page_request));
  if (!found) co_return std::unexpected(std::move(found.error()));
  const Page page = fit_page(services, *asked, *found);

  XmlWriter& w = stanza.xml();
  w.begin(element::kQuery, ns::kSearch);
  if (found->count > 0) {
    if (wanted->form) {
      write_form_items(services, w, found->entries);
    } else {
      write_legacy_items(services, w, found->entries);
    }
  }
  const bool none = found->entries.empty();
  write_page(w, *asked, page, none ? "" : jid_of(services, found->entries.front().name),
             none ? "" : jid_of(services, found->entries.back().name));
  w.end();
  co_return stanza;
}

}  // namespace interline::xmpp
