// Constants of graphs: inline values, .npy and .safetensors files, and the ways they can be wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <bit>
#include <cmath>
#include <limits>

#include "frontend/json/npy.h"
#include "tests/unit/json/files.h"

namespace wick::frontend {
namespace {

using compiler::DType;
using compiler::HostTensor;
using compiler::Shape;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

Read values(std::string_view dtype, std::string_view shape, std::string_view list) {
  return read(graph_with_constant("\"dtype\": \"" + std::string(dtype) + "\", \"shape\": " +
                                  std::string(shape) + ", \"values\": " + std::string(list)));
}

// ---- Inline ------------------------------------------------------------------------------------

TEST(InlineValues, AreRoundedOnce) {
  // 1 + 2^-24 + 2^-60 is just above the middle of two f32: rounding through f64 would lose that.
  const Read result = values("f32", "[2]", "[1.00000005960464477626, 0.1]");
  ASSERT_TRUE(result.graph) << result.error();
  const HostTensor& data = result.graph->constants[0].data;
  EXPECT_EQ(data.at<float>(0), 1.0f + std::numeric_limits<float>::epsilon());
  EXPECT_EQ(std::bit_cast<std::uint32_t>(data.at<float>(1)), 0x3dcccccdu);
}

TEST(InlineValues, MayBeNonFinite) {
  const Read result = values("f64", "[2, 2]", R"(["inf", "-inf", "nan", -0.0])");
  ASSERT_TRUE(result.graph) << result.error();
  const HostTensor& data = result.graph->constants[0].data;
  EXPECT_EQ(data.at<double>(0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(data.at<double>(1), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(data.at<double>(2)));
  EXPECT_TRUE(std::signbit(data.at<double>(3)));
}

TEST(InlineValues, KeepLongIntegers) {
  const Read result =
      values("i64", "[4]", "[9007199254740993, -9223372036854775808, 9223372036854775807.0, -0]");
  ASSERT_TRUE(result.graph) << result.error();
  const HostTensor& data = result.graph->constants[0].data;
  EXPECT_EQ(data.at<std::int64_t>(0), 9007199254740993);
  EXPECT_EQ(data.at<std::int64_t>(1), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(data.at<std::int64_t>(2), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(data.at<std::int64_t>(3), 0);
}

TEST(InlineValues, OfBool) {
  const Read result = values("bool", "[2]", "[true, false]");
  ASSERT_TRUE(result.graph) << result.error();
  EXPECT_EQ(result.graph->constants[0].data.bytes()[0], std::byte{1});
  EXPECT_EQ(result.graph->constants[0].data.bytes()[1], std::byte{0});
}

TEST(InlineValues, MustBeRepresentable) {
  const struct {
    const char* dtype;
    const char* value;
  } kWrong[] = {{"u8", "256"},         {"u8", "-1"},    {"i8", "-129"},  {"i8", "1.5"},
                {"i32", "2147483648"}, {"i64", "1e19"}, {"i64", "0.5"},  {"f32", "3.5e38"},
                {"f32", "true"},       {"bool", "1"},   {"bool", "0.0"}, {"i32", "\"nan\""}};
  for (const auto& wrong : kWrong) {
    const Read result = values(wrong.dtype, "[2]", std::string("[0, ") + wrong.value + "]");
    const bool first = std::string_view(wrong.dtype) == "bool";
    EXPECT_FALSE(result.graph) << wrong.dtype << " " << wrong.value;
    EXPECT_THAT(result.error(),
                StartsWith(first ? "/constants/0/values/0: " : "/constants/0/values/1: "));
  }
  const Read result = values("u8", "[2]", "[255, 256]");
  ASSERT_FALSE(result.graph);
  const auto& site = result.diagnostics.all()[0].site;
  const std::string text =
      graph_with_constant(R"("dtype": "u8", "shape": [2], "values": [255, 256])");
  EXPECT_EQ(text.substr(site.offset, site.length), "256");
}

TEST(InlineValues, MustBeAsManyAsTheShapeSays) {
  EXPECT_EQ(values("f32", "[2, 3]", "[1, 2]").error(),
            "/constants/0/values: f32[2, 3] takes 6 values, found 2");
  EXPECT_EQ(values("f32", "[]", "[]").error(), "/constants/0/values: f32[] takes 1 value, found 0");
  EXPECT_TRUE(values("f32", "[0, 5]", "[]").graph);
  EXPECT_TRUE(values("f32", "[]", "[5]").graph);
}

TEST(InlineValues, OfAShapeTooLargeTakeNoMemory) {
  EXPECT_THAT(values("f64", "[140737488355328, 140737488355328]", "[1]").error(),
              StartsWith("/constants/0/shape: no tensor is as large"));
  EXPECT_THAT(values("i8", "[140737488355328]", "[1]").error(),
              HasSubstr("takes 140,737,488,355,328 values, found 1"));
}

// ---- .npy --------------------------------------------------------------------------------------

constexpr std::string_view kHeader =
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";

std::string six_floats() {
  std::string data;
  for (int i = 0; i < 6; ++i) {
    data += little_endian(std::bit_cast<std::uint32_t>(static_cast<float>(i)), 4);
  }
  return data;
}

std::string npy_error(std::string_view bytes) {
  const Folder folder;
  const auto result = read_npy(folder.write("a.npy", bytes));
  const auto* error = std::get_if<FileError>(&result);
  if (error == nullptr) return "none";
  const std::size_t end = error->message.find("a.npy\" ");
  return error->message.substr(end == std::string::npos ? 0 : end + 7);
}

std::vector<float> floats(const std::variant<HostTensor, FileError>& read) {
  std::vector<float> list;
  const auto* tensor = std::get_if<HostTensor>(&read);
  for (std::int64_t i = 0; tensor != nullptr && i < tensor->element_count(); ++i) {
    list.push_back(tensor->at<float>(i));
  }
  return list;
}

TEST(Npy, ReadsCOrderWithoutACopy) {
  const Folder folder;
  const std::string path = folder.write("a.npy", npy(kHeader, six_floats()));
  const auto result = read_npy(path);
  EXPECT_THAT(floats(result), ElementsAre(0, 1, 2, 3, 4, 5));
  const auto& tensor = std::get<HostTensor>(result);
  EXPECT_EQ(tensor.dtype(), DType::kF32);
  EXPECT_EQ(tensor.shape(), Shape::of({2, 3}));
  const auto file = MappedFile::open(path);
  const auto mapped = std::get<std::shared_ptr<const MappedFile>>(file);
  const auto again = std::get<HostTensor>(read_npy(path, mapped));
  EXPECT_EQ(again.bytes().data(), mapped->bytes().data() + 10 + kHeader.size());
}

TEST(Npy, TransposesFortranOrder) {
  const Folder folder;
  const std::string header = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }";
  // Column by column: [[0, 2, 4], [1, 3, 5]].
  EXPECT_THAT(floats(read_npy(folder.write("a.npy", npy(header, six_floats())))),
              ElementsAre(0, 2, 4, 1, 3, 5));
  const std::string cube = "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2, 3), }";
  EXPECT_THAT(floats(read_npy(folder.write("b.npy", npy(cube, six_floats())))),
              ElementsAre(0, 2, 4, 1, 3, 5));
}

TEST(Npy, ReadsTheLaterVersions) {
  const Folder folder;
  for (const char version : {'\x02', '\x03'}) {
    const std::string bytes = "\x93NUMPY" + std::string{version, '\0'} +
                              little_endian(kHeader.size(), 4) + std::string(kHeader) +
                              six_floats();
    EXPECT_THAT(floats(read_npy(folder.write("a.npy", bytes))), ElementsAre(0, 1, 2, 3, 4, 5));
  }
}

TEST(Npy, ReadsAllDTypesAndForms) {
  const struct {
    const char* descr;
    DType dtype;
    std::size_t size;
  } kKnown[] = {{"<f4", DType::kF32, 4}, {"<f8", DType::kF64, 8}, {"|i1", DType::kI8, 1},
                {"|u1", DType::kU8, 1},  {"<i4", DType::kI32, 4}, {"<i8", DType::kI64, 8},
                {"|b1", DType::kBool, 1}};
  const Folder folder;
  for (const auto& known : kKnown) {
    const std::string header =
        std::string("{\"shape\":(1,),'fortran_order':False,'descr':'") + known.descr + "'}";
    const auto result =
        read_npy(folder.write("a.npy", npy(header, std::string(known.size, '\x01'))));
    ASSERT_TRUE(std::holds_alternative<HostTensor>(result)) << known.descr;
    EXPECT_EQ(std::get<HostTensor>(result).dtype(), known.dtype);
  }
  const auto scalar =
      read_npy(folder.write("s.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': ()}",
                                         std::string_view("\0\0\x80\x3f", 4))));
  EXPECT_THAT(floats(scalar), ElementsAre(1.0f));
}

TEST(Npy, RefusesWhatIsBroken) {
  const std::string data = six_floats();
  EXPECT_EQ(npy_error(""), "is no .npy file: it does not start as one");
  EXPECT_EQ(npy_error("PK\x03\x04 a zip file"), "is no .npy file: it does not start as one");
  EXPECT_EQ(npy_error("\x93NUMPY"), "ends within its header");
  EXPECT_EQ(npy_error(npy(kHeader, data).substr(0, 40)), "ends within its header");
  EXPECT_EQ(npy_error("\x93NUMPY\x04" + std::string(9, '\0')),
            "is of .npy version 4.0; versions 1.0 to 3.0 are known");
  EXPECT_EQ(npy_error("\x93NUMPY\x02" + std::string(1, '\0') + "\xFF\xFF\xFF\xFF"),
            "has a header of more than 1 MiB");
  EXPECT_EQ(npy_error(npy(kHeader, data.substr(1))),
            "has 23 bytes of data, but f32[2, 3] takes 24");
  EXPECT_EQ(npy_error(npy(kHeader, data + "x")), "has 25 bytes of data, but f32[2, 3] takes 24");
  EXPECT_EQ(npy_error(npy("{'descr': '>f4', 'fortran_order': False, 'shape': (6,)}", data)),
            "is big-endian");
  EXPECT_EQ(npy_error(npy("{'descr': '<f2', 'fortran_order': False, 'shape': (12,)}", data)),
            "holds elements of NumPy's type \"<f2\"");
  EXPECT_EQ(npy_error(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", "\1\1\2")),
            "is wrong: element 2 is 2; a bool is 0 or 1");
  EXPECT_EQ(npy_error(npy("{'descr': '<f4', 'fortran_order': False, "
                          "'shape': (4611686018427387904, 4611686018427387904)}",
                          data)),
            "has a shape that no tensor can have");
}

TEST(Npy, RefusesHeadersThatAreNone) {
  const std::string_view kWrong[] = {
      "",
      "{",
      "{}",
      "{'descr'}",
      "{'descr': }",
      "{'descr': '<f4'",
      "[1, 2]",
      "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': [2, 3]}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
      "{'descr': '<f4', 'fortran_order': False}",
      "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'more': 1}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} more",
      "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3)}"};
  for (const std::string_view header : kWrong) {
    EXPECT_THAT(npy_error(npy(header, six_floats())), StartsWith("is no .npy file: its header "))
        << header;
  }
}

TEST(Npy, WritesWhatItReads) {
  const Folder folder;
  const auto tensor = HostTensor::of<float>(Shape::of({2, 1}), std::vector<float>{1.5f, -2.0f});
  ASSERT_FALSE(write_npy(folder.path("out.npy"), tensor));
  const std::string bytes = file_bytes(folder.path("out.npy"));
  EXPECT_EQ(bytes.size() % 64, 8u);  // the header fills 128 bytes
  EXPECT_THAT(bytes, HasSubstr("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }"));
  EXPECT_EQ(bytes.substr(128), std::string("\0\0\xc0\x3f\0\0\0\xc0", 8));
  const auto back = read_npy(folder.path("out.npy"));
  ASSERT_TRUE(std::holds_alternative<HostTensor>(back));
  EXPECT_TRUE(same_values(std::get<HostTensor>(back), tensor));
  // Nothing but the file is left.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(Npy, WritesEveryRank) {
  const Folder folder;
  for (std::size_t rank = 0; rank <= compiler::kMaxRank; ++rank) {
    const std::vector<std::int64_t> extents(rank, 2);
    const HostTensor tensor(DType::kI64, Shape::of(extents));
    ASSERT_FALSE(write_npy(folder.path("out.npy"), tensor));
    const auto back = read_npy(folder.path("out.npy"));
    ASSERT_TRUE(std::holds_alternative<HostTensor>(back)) << rank;
    EXPECT_EQ(std::get<HostTensor>(back).shape(), tensor.shape());
  }
}

TEST(Npy, WritingIntoNowhereIsAnError) {
  const Folder folder;
  const HostTensor tensor(DType::kF32, Shape());
  const auto error = write_npy(folder.path("missing/out.npy"), tensor);
  ASSERT_TRUE(error);
  EXPECT_THAT(error->message, HasSubstr("No such file or directory"));
}

// ---- .safetensors ------------------------------------------------------------------------------

constexpr std::string_view kTwo = R"({"__metadata__": {"format": "pt"},
  "b": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
  "a": {"dtype": "BF16", "shape": [3], "data_offsets": [8, 14]}}   )";

Read from_safetensors(std::string_view bytes, std::string_view tensor = "b") {
  const Folder folder;
  folder.write("w.safetensors", bytes);
  return read(
      graph_with_constant(R"("dtype": "f32", "shape": [2], "file": "w.safetensors", "tensor": ")" +
                          std::string(tensor) + "\""),
      folder.path());
}

std::string safetensors_error(std::string_view header, std::size_t bytes) {
  return from_safetensors(safetensors(header, std::string(bytes, '\0'))).error();
}

TEST(Safetensors, ReadsATensor) {
  const Read result = from_safetensors(
      safetensors(kTwo, std::string_view("\0\0\x80\x3f\0\0\0\xc0\0\0\0\0\0\0", 14)));
  ASSERT_TRUE(result.graph) << result.error();
  const HostTensor& data = result.graph->constants[0].data;
  EXPECT_EQ(data.at<float>(0), 1.0f);
  EXPECT_EQ(data.at<float>(1), -2.0f);
  EXPECT_EQ(result.files.constants.at("c").tensor, "b");
  EXPECT_EQ(result.files.paths.size(), 1u);
}

TEST(Safetensors, RefusesOtherDTypesOnlyWhereTheyAreUsed) {
  const std::string bytes = safetensors(kTwo, std::string(14, '\0'));
  EXPECT_EQ(from_safetensors(bytes, "a").error(),
            "/constants/0/tensor: \"w.safetensors\" holds tensor \"a\" in dtype \"BF16\"");
  EXPECT_EQ(from_safetensors(bytes, "bb").error(),
            "/constants/0/tensor: \"w.safetensors\" has no tensor \"bb\"");
}

TEST(Safetensors, RefusesWrongLengths) {
  EXPECT_THAT(from_safetensors("\x01\0\0").error(), HasSubstr("ends within its first 8 bytes"));
  EXPECT_THAT(from_safetensors(little_endian(100'000'001, 8)).error(),
              HasSubstr("its header would have more than 100 MB"));
  EXPECT_THAT(from_safetensors(std::string(8, '\xFF')).error(),
              HasSubstr("its header would have more than 100 MB"));
  EXPECT_THAT(from_safetensors(little_endian(3, 8) + "{}").error(),
              HasSubstr("ends within its header"));
  EXPECT_THAT(safetensors_error(kTwo, 13),
              HasSubstr("the data has 13 bytes, the tensor ends at 14"));
  EXPECT_THAT(safetensors_error(kTwo, 15), HasSubstr("goes on after its last tensor, for 1 byte"));
}

TEST(Safetensors, RefusesTensorsThatDoNotFit) {
  const auto two = [](std::string_view first, std::string_view second) {
    return R"({"b": {"dtype": "F32", "shape": [2], "data_offsets": )" + std::string(first) +
           R"(}, "a": {"dtype": "F32", "shape": [2], "data_offsets": )" + std::string(second) +
           "}}";
  };
  EXPECT_EQ(safetensors_error(two("[0, 8]", "[8, 16]"), 16), "none");
  EXPECT_EQ(safetensors_error(two("[8, 16]", "[0, 8]"), 16), "none");
  EXPECT_THAT(safetensors_error(two("[0, 8]", "[4, 12]"), 12),
              HasSubstr("has an overlap before tensor \"a\""));
  EXPECT_THAT(safetensors_error(two("[0, 8]", "[12, 20]"), 20),
              HasSubstr("has a gap before tensor \"a\""));
  EXPECT_THAT(safetensors_error(two("[0, 8]", "[16, 8]"), 16),
              HasSubstr("no begin and end for \"a\""));
  EXPECT_THAT(safetensors_error(two("[0, 8]", "[8, 12]"), 12),
              HasSubstr("has 4 bytes for tensor \"a\""));
  EXPECT_THAT(safetensors_error(two("[0, 8]", "[8, 18446744073709551615]"), 16),
              HasSubstr("where a size is due"));
}

TEST(Safetensors, RefusesHeadersThatAreNone) {
  const std::string_view kWrong[] = {
      " {}",
      "[]",
      "{\"b\": 1}",
      "{\"b\": []}",
      "{\"b\": {}}",
      "{\"b\": null}",
      "nul",
      R"({"b": {"dtype": 5, "shape": [], "data_offsets": [0, 4]}})",
      R"({"b": {"dtype": "F32", "shape": [1.5], "data_offsets": [0, 4]}})",
      R"({"b": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}})",
      R"({"b": {"dtype": "F32", "shape": [[1]], "data_offsets": [0, 4]}})",
      R"({"b": {"dtype": "F32", "shape": [1], "data_offsets": [0]}})",
      R"({"b": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4, 8]}})",
      R"({"b": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4], "more": 1}})",
      R"({"b": {"dtype": "F32", "dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})",
      R"({"b": {"dtype": "F32", "shape": [1], "data_offsets": {"a": 1}}})",
      R"({"__metadata__": {"a": 1}})",
      R"({"__metadata__": {"a": {}}})",
      R"({"b": {"dtype": "F32", "shape": [], "data_offsets": [0, 4]},
          "b": {"dtype": "F32", "shape": [], "data_offsets": [4, 8]}})"};
  for (const std::string_view header : kWrong) {
    EXPECT_THAT(safetensors_error(header, 4), HasSubstr("is no .safetensors file: its header "))
        << header;
  }
}

// ---- Files -------------------------------------------------------------------------------------

class FileNames : public testing::Test {
 protected:
  FileNames() {
    std::filesystem::create_directories(folder_.path("graph/below"));
    folder_.write("graph/a.npy", npy(kHeader, six_floats()));
    folder_.write("graph/below/b.npy", npy(kHeader, six_floats()));
    folder_.write("outside.npy", npy(kHeader, six_floats()));
  }

  Read from(std::string_view file, const ReadOptions& options = {},
            std::string_view more = "") const {
    return read(graph_with_constant(R"("dtype": "f32", "shape": [2, 3], "file": ")" +
                                    std::string(file) + "\"" + std::string(more)),
                folder_.path("graph"), options);
  }

  Folder folder_;
};

TEST_F(FileNames, AreRelativeToTheGraph) {
  EXPECT_TRUE(from("a.npy").graph);
  EXPECT_TRUE(from("below/b.npy").graph);
  EXPECT_TRUE(from("below/../a.npy").graph);
  EXPECT_THAT(from("./below/b.npy").files.paths, ElementsAre(folder_.path("graph/below/b.npy")));
}

TEST_F(FileNames, DoNotLeaveTheFolder) {
  const std::string absolute = folder_.path("outside.npy");
  EXPECT_THAT(from("../outside.npy").error(), HasSubstr("leaves the graph's folder"));
  EXPECT_THAT(from("below/../../outside.npy").error(), HasSubstr("leaves the graph's folder"));
  EXPECT_THAT(from(absolute).error(), HasSubstr("is absolute"));
  std::filesystem::create_symlink("../outside.npy", folder_.path("graph/link.npy"));
  EXPECT_THAT(from("link.npy").error(), HasSubstr("leads out of the graph's folder"));
  std::filesystem::create_directory_symlink(folder_.path(), folder_.path("graph/up"));
  EXPECT_THAT(from("up/outside.npy").error(), HasSubstr("leads out of the graph's folder"));
  std::filesystem::create_symlink("below/b.npy", folder_.path("graph/inside.npy"));
  EXPECT_TRUE(from("inside.npy").graph);
}

TEST_F(FileNames, MayLeaveTheFolderIfAllowed) {
  const ReadOptions options{.allow_outside = true};
  EXPECT_TRUE(from("../outside.npy", options).graph);
  EXPECT_TRUE(from(folder_.path("outside.npy"), options).graph);
}

TEST_F(FileNames, MustBeRegularFiles) {
  EXPECT_EQ(from("missing.npy").error(), "/constants/0/file: \"missing.npy\" does not exist");
  std::filesystem::create_directory(folder_.path("graph/folder.npy"));
  EXPECT_EQ(from("folder.npy").error(), "/constants/0/file: \"folder.npy\" is a folder");
  ASSERT_EQ(::mkfifo(folder_.path("graph/pipe.npy").c_str(), 0600), 0);
  EXPECT_EQ(from("pipe.npy").error(), "/constants/0/file: \"pipe.npy\" is not a regular file");
  std::filesystem::create_symlink("/dev/zero", folder_.path("graph/zero.npy"));
  EXPECT_THAT(from("zero.npy", {.allow_outside = true}).error(),
              HasSubstr("is not a regular file"));
  std::filesystem::create_symlink("loop.npy", folder_.path("graph/loop.npy"));
  EXPECT_THAT(from("loop.npy").error(), HasSubstr("cannot open \"loop.npy\""));
  EXPECT_THAT(from(std::string(5000, 'x') + ".npy").error(), HasSubstr("File name too long"));
  EXPECT_THAT(from("a.npy\\u0000.npy").error(), HasSubstr("has no NUL character"));
}

TEST_F(FileNames, SayWhatTheyHold) {
  EXPECT_EQ(from("a.txt").error(),
            "/constants/0/file: \"a.txt\" ends in neither .npy nor .safetensors");
  EXPECT_THAT(from("a.npy", {}, R"(, "tensor": "t")").error(),
              StartsWith("/constants/0/tensor: a .npy file has a single tensor"));
  folder_.write("graph/w.safetensors", safetensors("{}", ""));
  EXPECT_EQ(from("w.safetensors").error(), "/constants/0/file: which tensor of \"w.safetensors\"?");
}

TEST_F(FileNames, MustAgreeWithWhatIsStated) {
  const Read result =
      read(graph_with_constant(R"("dtype": "f64", "shape": [3, 2], "file": "a.npy")"),
           folder_.path("graph"));
  EXPECT_EQ(result.error(),
            "/constants/0/file: this constant is stated as f64[3, 2], but \"a.npy\" is f32[2, 3]");
}

TEST_F(FileNames, AreListedOnce) {
  const Read result = read(graph_with(R"("constants": [
        {"name": "p", "dtype": "f32", "shape": [2, 3], "file": "a.npy"},
        {"name": "q", "dtype": "f32", "shape": [2, 3], "file": "below/b.npy"},
        {"name": "r", "dtype": "f32", "shape": [2, 3], "file": "./a.npy"}])"),
                           folder_.path("graph"));
  ASSERT_TRUE(result.graph) << result.error();
  EXPECT_THAT(result.files.paths,
              ElementsAre(folder_.path("graph/a.npy"), folder_.path("graph/below/b.npy")));
}

}  // namespace
}  // namespace wick::frontend
