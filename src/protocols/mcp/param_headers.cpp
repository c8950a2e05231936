#include "protocols/mcp/param_headers.hpp"

#include <algorithm>
#include <cstddef>

#include "base/ascii.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "protocols/mcp/header_value.hpp"

namespace interline::protocols::mcp {
namespace {

constexpr std::string_view kAnnotation = "x-mcp-header";
constexpr std::int64_t kLargestInteger = (std::int64_t{1} << 53) - 1;

enum class Holds : std::uint8_t { schema, schema_or_array, array, map };

struct Applicator {
  std::string_view keyword;
  Holds holds;
};

// Keywords whose values are subschemas, of 2020-12 and of the drafts before it. `properties` is not
// among them: it alone leads on to arguments.
constexpr Applicator kApplicators[] = {
    {"$defs", Holds::map},
    {"additionalItems", Holds::schema},
    {"additionalProperties", Holds::schema},
    {"allOf", Holds::array},
    {"anyOf", Holds::array},
    {"contains", Holds::schema},
    {"contentSchema", Holds::schema},
    {"definitions", Holds::map},
    {"dependencies", Holds::map},
    {"dependentSchemas", Holds::map},
    {"else", Holds::schema},
    {"if", Holds::schema},
    {"items", Holds::schema_or_array},
    {"not", Holds::schema},
    {"oneOf", Holds::array},
    {"patternProperties", Holds::map},
    {"prefixItems", Holds::array},
    {"propertyNames", Holds::schema},
    {"then", Holds::schema},
    {"unevaluatedItems", Holds::schema},
    {"unevaluatedProperties", Holds::schema},
};

struct TypeName {
  std::string_view name;
  ParamHeader::Type type;
};
constexpr TypeName kTypes[] = {{"string", ParamHeader::Type::string},
                               {"integer", ParamHeader::Type::integer},
                               {"boolean", ParamHeader::Type::boolean}};

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_token_character);
}

/// A subschema that was met: where it stands is told by the way to it, so that many places below a
/// long name cost no more than one.
struct Place {
  const json::Value* schema = nullptr;
  std::size_t parent = 0;                  ///< index; the root's is its own
  std::string_view keyword;                ///< of the parent; "" at the root
  std::optional<std::string_view> member;  ///< of the keyword's map
  std::optional<std::size_t> index;        ///< in the keyword's array
  bool reached = false;                    ///< from the root through `properties` alone
};

/// Depth-first through all subschemas, in the order of the text, with a stack of its own.
class Reader {
 public:
  ParamHeaders read(const json::Value& root) {
    waiting_.push_back({&root, 0, "", {}, {}, true});
    while (!waiting_.empty()) {
      const Place place = waiting_.back();
      waiting_.pop_back();
      if (!place.schema->is_object()) continue;
      met_.push_back(place);
      look_at(met_.size() - 1);
    }
    drop_repeated();
    return std::move(found_);
  }

 private:
  void look_at(std::size_t here) {
    const json::Value& schema = *met_[here].schema;
    if (const json::Value* name = schema.find(kAnnotation)) annotate(here, *name);
    // Last in, first out: the later members first, so that the earlier are met first.
    const auto members = schema.members();
    for (auto member = members.rbegin(); member != members.rend(); ++member) {
      if (member->name() == "properties") {
        map(here, *member, met_[here].reached);
        continue;
      }
      const auto* const row = std::ranges::find(kApplicators, member->name(), &Applicator::keyword);
      if (row != std::end(kApplicators)) apply(here, *member, row->holds);
    }
  }

  void apply(std::size_t here, const json::Member& keyword, Holds holds) {
    if (holds == Holds::map) return map(here, keyword, false);
    if (keyword.value.is_array() && holds != Holds::schema) return array(here, keyword);
    if (holds != Holds::array) {
      waiting_.push_back({&keyword.value, here, keyword.name(), {}, {}, false});
    }
  }

  void map(std::size_t here, const json::Member& keyword, bool reached) {
    if (!keyword.value.is_object()) return;
    const auto members = keyword.value.members();
    for (auto member = members.rbegin(); member != members.rend(); ++member) {
      waiting_.push_back({&member->value, here, keyword.name(), member->name(), {}, reached});
    }
  }

  void array(std::size_t here, const json::Member& keyword) {
    for (std::size_t i = keyword.value.items().size(); i-- > 0;) {
      waiting_.push_back({&keyword.value.items()[i], here, keyword.name(), {}, i, false});
    }
  }

  void annotate(std::size_t here, const json::Value& name) {
    const Place& place = met_[here];
    if (!name.is_string() || !is_token(name.as_string())) {
      return fault(here, "The name of a header is a token of RFC 9110.");
    }
    if (!place.reached || here == 0) {
      return fault(here, "A header is of a property, reached through properties alone.");
    }
    const json::Value* type = place.schema->find("type");
    const auto* row = std::end(kTypes);
    if (type != nullptr && type->is_string()) {
      row = std::ranges::find(kTypes, type->as_string(), &TypeName::name);
    }
    if (row == std::end(kTypes)) {
      return fault(here, "A header is of a string, an integer or a boolean.");
    }
    if (found_.headers.size() == kMaxParamHeaders) {
      return fault(here, "The tool has too many headers.");
    }
    found_.headers.push_back({std::string(name.as_string()), path_to(here), row->type});
    places_.push_back(here);
  }

  /// Two of one name are both wrong: neither is the one that is meant.
  void drop_repeated() {
    std::vector<ParamHeader> unique;
    for (std::size_t i = 0; i < found_.headers.size(); ++i) {
      const auto again = [&](const ParamHeader& other) {
        return &other != &found_.headers[i] &&
               equals_without_case(other.name, found_.headers[i].name);
      };
      if (std::ranges::any_of(found_.headers, again)) {
        fault(places_[i], "The name of a header is there once, in any case of letters.");
      } else {
        unique.push_back(found_.headers[i]);
      }
    }
    found_.headers = std::move(unique);
  }

  void fault(std::size_t here, std::string_view reason) {
    if (found_.faults.size() >= kMaxParamHeaderFaults) return;
    found_.faults.push_back({location_of(here), std::string(reason)});
  }

  [[nodiscard]] std::vector<std::size_t> way_to(std::size_t here) const {
    std::vector<std::size_t> way;
    for (; here != 0; here = met_[here].parent) way.push_back(here);
    std::ranges::reverse(way);
    return way;
  }

  [[nodiscard]] std::vector<std::string> path_to(std::size_t here) const {
    std::vector<std::string> path;
    for (const std::size_t step : way_to(here)) path.emplace_back(*met_[step].member);
    return path;
  }

  [[nodiscard]] std::string location_of(std::size_t here) const {
    std::string location;
    for (const std::size_t step : way_to(here)) {
      json::append_token(location, met_[step].keyword);
      if (met_[step].member) json::append_token(location, *met_[step].member);
      if (met_[step].index) json::append_index(location, *met_[step].index);
    }
    return location;
  }

  std::vector<Place> waiting_;
  std::vector<Place> met_;
  ParamHeaders found_;
  std::vector<std::size_t> places_;  ///< of found_.headers
};

const json::Value* at(const json::Value& arguments, const std::vector<std::string>& path) {
  const json::Value* value = &arguments;
  for (const std::string& name : path) {
    value = value->find(name);
    if (value == nullptr) return nullptr;
  }
  return value->is_null() ? nullptr : value;
}

/// The text that stands for a value of the type; nothing if it is of another.
std::optional<std::string> text_of(const json::Value& value, ParamHeader::Type type) {
  switch (type) {
    case ParamHeader::Type::string:
      if (value.is_string()) return std::string(value.as_string());
      break;
    case ParamHeader::Type::boolean:
      if (value.is_boolean()) return value.as_bool() ? "true" : "false";
      break;
    case ParamHeader::Type::integer:
      if (const auto number = value.get_int64()) return std::to_string(*number);
      break;
  }
  return std::nullopt;
}

/// `42.0` and `42` are one number.
bool same_value(std::string_view header, const std::string& expected, ParamHeader::Type type) {
  if (type != ParamHeader::Type::integer || header == expected) return header == expected;
  const auto number = json::parse_borrowed(header);
  if (!number) return false;
  const auto integer = number->root().get_int64();
  return integer && std::to_string(*integer) == expected;
}

}  // namespace

ParamHeaders read_param_headers(const json::Value& input_schema) {
  return Reader().read(input_schema);
}

Result<std::vector<std::pair<std::string, std::string>>> mirrored_headers(
    const ParamHeaders& headers, const json::Value& arguments) {
  std::vector<std::pair<std::string, std::string>> mirrored;
  for (const ParamHeader& header : headers.headers) {
    const json::Value* value = at(arguments, header.path);
    if (value == nullptr) continue;
    const auto text = text_of(*value, header.type);
    if (!text) continue;
    const auto integer = value->get_int64();
    if (integer && (*integer > kLargestInteger || *integer < -kLargestInteger)) {
      return fail(ErrorKind::malformed, "An integer is too large for the header it goes into.");
    }
    mirrored.emplace_back(header.header(), encode_header_value(*text));
  }
  return mirrored;
}

std::optional<std::string> param_header_mismatch(const ParamHeaders& headers,
                                                 const json::Value& arguments,
                                                 const HeaderLookup& lookup) {
  for (const ParamHeader& header : headers.headers) {
    const std::string name = header.header();
    const json::Value* value = at(arguments, header.path);
    const auto raw = lookup(name);
    if (value == nullptr) {
      if (raw) return name + " is there, and the argument it mirrors is not.";
      continue;
    }
    const auto expected = text_of(*value, header.type);
    if (!raw) {
      // An argument of another type has no header; its schema is what refuses it.
      if (expected) return name + " is missing.";
      continue;
    }
    const auto said = decode_header_value(*raw);
    if (!said) return name + " is not well-formed.";
    if (!expected || !same_value(*said, *expected, header.type)) {
      return name + " differs from the argument it mirrors.";
    }
  }
  return std::nullopt;
}

}  // namespace interline::protocols::mcp
