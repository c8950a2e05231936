#include "bindings/xmpp/stanza_builder.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <new>
#include <utility>

#include "bindings/xmpp/stanza_storage.hpp"

namespace interline::xmpp {
namespace {

struct SplitName {
  std::string_view ns;
  std::string_view local;
};

SplitName split(std::string_view expanded_name) {
  const std::size_t at = expanded_name.find(kNameSeparator);
  if (at == std::string_view::npos) return {{}, expanded_name};
  return {expanded_name.substr(0, at), expanded_name.substr(at + 1)};
}

/// What a stanza is answered by: kept whatever the number of attributes around it.
bool is_addressing(const SplitName& name) {
  constexpr std::array<std::string_view, 4> kAddressing = {"from", "to", "id", "type"};
  return name.ns.empty() && std::ranges::find(kAddressing, name.local) != kAddressing.end();
}

}  // namespace

StanzaBuilder::StanzaBuilder(const StanzaBounds& bounds) : bounds_(bounds) {}
StanzaBuilder::~StanzaBuilder() = default;

void StanzaBuilder::start(std::string_view expanded_name, const char* const* attributes) {
  if (depth_ == 0) storage_ = std::make_unique<Stanza::Storage>();
  ++depth_;
  flush_text();
  count_node();
  check_shape(expanded_name, attributes);
  if (depth_ == 1) {
    root_ = make_element(expanded_name, attributes);
    open_.push_back({root_, nullptr});
  } else if (!cut_) {
    XmlNode* element = make_element(expanded_name, attributes);
    append(element);
    open_.push_back({element, nullptr});
  } else if (depth_ == 2 && root_->first_child == nullptr) {
    root_->first_child = make_element(expanded_name, attributes);
  }
}

void StanzaBuilder::text(std::string_view piece) {
  if (!in_text_) {
    in_text_ = true;
    count_node();
  }
  if (!cut_) pending_text_ += piece;
}

void StanzaBuilder::end() {
  assert(depth_ > 0);
  flush_text();
  --depth_;
  if (!cut_) open_.pop_back();
}

void StanzaBuilder::mark_oversized() {
  oversized_ = true;
  cut_down();
}

void StanzaBuilder::misshapen() {
  misshapen_ = true;
  cut_down();
}

Stanza StanzaBuilder::take(std::size_t wire_size) {
  assert(depth_ == 0 && root_ != nullptr);
  Stanza stanza(std::move(storage_), *root_);
  stanza.wire_size_ = wire_size;
  stanza.oversized_ = oversized_;
  stanza.misshapen_ = misshapen_;
  root_ = nullptr;
  open_.clear();
  namespaces_.clear();
  nodes_ = 0;
  in_text_ = cut_ = oversized_ = misshapen_ = false;
  return stanza;
}

void StanzaBuilder::count_node() {
  if (++nodes_ > bounds_.nodes) misshapen();
}

// Looks at every element, also while only counting, so that the verdict does not depend on when
// the stanza was found to be too large.
void StanzaBuilder::check_shape(std::string_view expanded_name, const char* const* attributes) {
  const auto fits = [this](const SplitName& name) {
    return name.local.size() <= bounds_.name && name.ns.size() <= bounds_.name &&
           intern(name.ns).has_value();
  };
  bool good = depth_ <= bounds_.depth && fits(split(expanded_name));
  std::size_t count = 0;
  for (; *attributes != nullptr; attributes += 2, ++count) {
    good = fits(split(attributes[0])) && good;
    good = good && std::strlen(attributes[1]) <= bounds_.attribute_value;
  }
  if (!good || count > bounds_.attributes) misshapen();
}

XmlNode* StanzaBuilder::make_element(std::string_view expanded_name,
                                     const char* const* attributes) {
  auto* node = new (storage_->arena.allocate(sizeof(XmlNode), alignof(XmlNode))) XmlNode();
  const SplitName name = split(expanded_name);
  node->ns = intern(name.ns).value_or(std::string_view());
  node->name = keep(name.local.substr(0, bounds_.name));
  copy_attributes(*node, attributes);
  return node;
}

void StanzaBuilder::copy_attributes(XmlNode& node, const char* const* attributes) {
  std::vector<Attribute> kept;
  for (; *attributes != nullptr; attributes += 2) {
    const SplitName name = split(attributes[0]);
    const std::string_view value = attributes[1];
    const auto ns = intern(name.ns);
    if (!ns || name.local.size() > bounds_.name || value.size() > bounds_.attribute_value ||
        (kept.size() >= bounds_.attributes && !is_addressing(name))) {
      continue;
    }
    kept.push_back({*ns, keep(name.local), keep(value)});
  }
  if (kept.empty()) return;
  void* memory = storage_->arena.allocate(kept.size() * sizeof(Attribute), alignof(Attribute));
  std::memcpy(memory, kept.data(), kept.size() * sizeof(Attribute));
  node.attributes = static_cast<const Attribute*>(memory);
  node.attribute_count = kept.size();
}

void StanzaBuilder::append(XmlNode* child) {
  Frame& parent = open_.back();
  (parent.last_child == nullptr ? parent.element->first_child : parent.last_child->next) = child;
  parent.last_child = child;
}

void StanzaBuilder::flush_text() {
  in_text_ = false;
  if (pending_text_.empty()) return;
  auto* node = new (storage_->arena.allocate(sizeof(XmlNode), alignof(XmlNode))) XmlNode();
  node->text = keep(pending_text_);
  append(node);
  pending_text_.clear();
}

void StanzaBuilder::cut_down() {
  if (cut_) return;
  cut_ = true;
  pending_text_.clear();
  open_.clear();
  const auto whole = std::exchange(storage_, std::make_unique<Stanza::Storage>());
  for (std::string_view& ns : namespaces_) ns = keep(ns);
  if (root_ == nullptr) return;
  const XmlNode* first = root_->first_child;
  while (first != nullptr && !first->is_element()) first = first->next;
  root_ = copy_start(*root_);
  if (first != nullptr) root_->first_child = copy_start(*first);
}

/// The element without what is in it, in the present arena.
XmlNode* StanzaBuilder::copy_start(const XmlNode& from) {
  auto* node = new (storage_->arena.allocate(sizeof(XmlNode), alignof(XmlNode))) XmlNode();
  node->ns = intern(from.ns).value_or(std::string_view());
  node->name = keep(from.name);
  node->attribute_count = from.attribute_count;
  if (from.attribute_count == 0) return node;
  void* memory =
      storage_->arena.allocate(from.attribute_count * sizeof(Attribute), alignof(Attribute));
  auto* copies = static_cast<Attribute*>(memory);
  for (std::size_t i = 0; i < from.attribute_count; ++i) {
    const Attribute& each = from.attributes[i];
    new (copies + i)
        Attribute{intern(each.ns).value_or(std::string_view()), keep(each.name), keep(each.value)};
  }
  node->attributes = copies;
  return node;
}

std::optional<std::string_view> StanzaBuilder::intern(std::string_view ns) {
  if (ns.empty()) return std::string_view();
  if (ns.size() > bounds_.name) return std::nullopt;
  const auto known = std::ranges::find(namespaces_, ns);
  if (known != namespaces_.end()) return *known;
  if (namespaces_.size() >= bounds_.namespaces) return std::nullopt;
  return namespaces_.emplace_back(keep(ns));
}

std::string_view StanzaBuilder::keep(std::string_view text) {
  if (text.empty()) return {};
  auto* memory = static_cast<char*>(storage_->arena.allocate(text.size(), 1));
  std::memcpy(memory, text.data(), text.size());
  return {memory, text.size()};
}

}  // namespace interline::xmpp
