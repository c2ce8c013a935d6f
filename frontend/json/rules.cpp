#include "frontend/json/rules.h"

#include <array>

#include "compiler/support/check.h"

namespace wick::frontend {
namespace {

constexpr std::uint8_t kScalarKinds = kTextKind | kNumberKind | kFlagKind;

constexpr std::array kGraphKeys = {
    Key{"wick", Expect::kVersion, true},  Key{"name", Expect::kName, true},
    Key{"description", Expect::kText},    Key{"inputs", Expect::kInputs},
    Key{"constants", Expect::kConstants}, Key{"nodes", Expect::kNodes, true},
    Key{"outputs", Expect::kNames, true},
};
constexpr std::array kInputKeys = {
    Key{"name", Expect::kName, true},     Key{"dtype", Expect::kDType, true},
    Key{"shape", Expect::kExtents, true}, Key{"role", Expect::kRole},
    Key{"donate", Expect::kFlag},         Key{"description", Expect::kText},
};
constexpr std::array kConstantKeys = {
    Key{"name", Expect::kName, true},     Key{"dtype", Expect::kDType, true},
    Key{"shape", Expect::kExtents, true}, Key{"values", Expect::kValues},
    Key{"file", Expect::kName},           Key{"tensor", Expect::kText},
    Key{"description", Expect::kText},
};
constexpr std::array kNodeKeys = {
    Key{"name", Expect::kName},       Key{"op", Expect::kName, true},
    Key{"inputs", Expect::kOperands}, Key{"outputs", Expect::kNames},
    Key{"dtype", Expect::kDType},     Key{"shape", Expect::kWantedExtents},
    Key{"cache", Expect::kFlag},      Key{"description", Expect::kText},
};

constexpr KeySet kGraphSet{"the graph", kGraphKeys};
constexpr KeySet kInputSet{"an input", kInputKeys};
constexpr KeySet kConstantSet{"a constant", kConstantKeys};
constexpr KeySet kNodeSet{"a node", kNodeKeys};

// In the order of Expect.
constexpr std::array kRules = {
    Rule{kObjectKind, "an object"},                                 // kGraph
    Rule{kNumberKind, "the number 1"},                              // kVersion
    Rule{kTextKind, "a string"},                                    // kName
    Rule{kTextKind, "a string"},                                    // kText
    Rule{kTextKind, "a dtype, as a string"},                        // kDType
    Rule{kTextKind, "the string \"parameter\""},                    // kRole
    Rule{kFlagKind, "true or false"},                               // kFlag
    Rule{kArrayKind, "a list of inputs", Expect::kInput},           // kInputs
    Rule{kObjectKind, "an object"},                                 // kInput
    Rule{kArrayKind, "a list of constants", Expect::kConstant},     // kConstants
    Rule{kObjectKind, "an object"},                                 // kConstant
    Rule{kArrayKind, "a list of nodes", Expect::kNode},             // kNodes
    Rule{kObjectKind, "an object"},                                 // kNode
    Rule{kArrayKind, "a list of names", Expect::kName},             // kNames
    Rule{kArrayKind, "a list of operands", Expect::kOperand},       // kOperands
    Rule{kScalarKinds, "the name of a value, or a number"},         // kOperand
    Rule{kArrayKind, "a list of integers", Expect::kExtent},        // kExtents
    Rule{kNumberKind, "an integer"},                                // kExtent
    Rule{kArrayKind, "a list of integers", Expect::kWantedExtent},  // kWantedExtents
    Rule{kNumberKind, "an integer"},                                // kWantedExtent
    Rule{kArrayKind, "a list of numbers", Expect::kElement},        // kValues
    Rule{kScalarKinds, "a number"},                                 // kElement
    Rule{kScalarKinds | kArrayKind, "a number, a string, true, false or a list",
         Expect::kAttributeItem},  // kAttribute
    Rule{kNumberKind | kNullKind | kArrayKind, "an integer, a list or null",
         Expect::kRangePart},                             // kAttributeItem
    Rule{kNumberKind | kNullKind, "an integer or null"},  // kRangePart
    Rule{0xff, "anything"},                               // kAnything
};
static_assert(kRules.size() == static_cast<std::size_t>(Expect::kAnything) + 1);

}  // namespace

const Rule& rule_of(Expect expect) { return kRules[static_cast<std::size_t>(expect)]; }

const KeySet& keys_of(Expect object) {
  switch (object) {
    case Expect::kGraph:
      return kGraphSet;
    case Expect::kInput:
      return kInputSet;
    case Expect::kConstant:
      return kConstantSet;
    case Expect::kNode:
      return kNodeSet;
    default:
      throw compiler::InternalError("only graph, inputs, constants and nodes have keys");
  }
}

}  // namespace wick::frontend
