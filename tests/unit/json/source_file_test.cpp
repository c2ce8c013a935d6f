#include "frontend/json/source_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <limits>

#include "frontend/json/number.h"
#include "tests/unit/json/files.h"

namespace wick::frontend {
namespace {

using testing::HasSubstr;

std::string fault(const std::variant<SourceFile, FileError>& opened) {
  const auto* error = std::get_if<FileError>(&opened);
  return error != nullptr ? error->message : "none";
}

TEST(SourceFile, MapsAFile) {
  const Folder folder;
  const auto opened = SourceFile::open(folder.write("g.json", "{}\n"));
  ASSERT_TRUE(std::holds_alternative<SourceFile>(opened)) << fault(opened);
  const auto& source = std::get<SourceFile>(opened);
  EXPECT_EQ(source.text(), "{}\n");
  EXPECT_EQ(source.name(), folder.path("g.json"));
  EXPECT_EQ(source.folder(), folder.path());
}

TEST(SourceFile, MayBeEmpty) {
  const Folder folder;
  const auto opened = SourceFile::open(folder.write("g.json", ""));
  ASSERT_TRUE(std::holds_alternative<SourceFile>(opened)) << fault(opened);
  EXPECT_EQ(std::get<SourceFile>(opened).text(), "");
}

TEST(SourceFile, MustBeARegularFile) {
  const Folder folder;
  EXPECT_THAT(fault(SourceFile::open(folder.path("none.json"))), HasSubstr("does not exist"));
  EXPECT_THAT(fault(SourceFile::open(folder.path())), HasSubstr("is a folder"));
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(fault(SourceFile::open(folder.path("pipe"))), HasSubstr("is not a regular file"));
  EXPECT_THAT(fault(SourceFile::open("/dev/zero")), HasSubstr("is not a regular file"));
}

TEST(SourceFile, ReadsStandardInputToItsEnd) {
  const std::string text(100'000, 'x');  // more than a pipe holds at once
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int kept = ::dup(STDIN_FILENO);
  ::dup2(ends[0], STDIN_FILENO);
  const pid_t writer = ::fork();
  if (writer == 0) {
    ::close(ends[0]);
    std::size_t done = 0;
    while (done < text.size()) {
      const auto count = ::write(ends[1], text.data() + done, text.size() - done);
      if (count <= 0) ::_exit(1);
      done += static_cast<std::size_t>(count);
    }
    ::_exit(0);
  }
  ::close(ends[0]);
  ::close(ends[1]);
  const auto opened = SourceFile::open("-");
  ::dup2(kept, STDIN_FILENO);
  ::close(kept);
  ASSERT_TRUE(std::holds_alternative<SourceFile>(opened)) << fault(opened);
  EXPECT_EQ(std::get<SourceFile>(opened).text(), text);
  EXPECT_EQ(std::get<SourceFile>(opened).name(), "<stdin>");
  EXPECT_EQ(std::get<SourceFile>(opened).folder(), ".");
}

TEST(Number, IntegersInEveryForm) {
  EXPECT_EQ(read_integer("0"), 0);
  EXPECT_EQ(read_integer("-0.0e5"), 0);
  EXPECT_EQ(read_integer("12.50e1"), 125);
  EXPECT_EQ(read_integer("-3000E-3"), -3);
  EXPECT_EQ(read_integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(read_integer("-922337203685477580.8e1"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(read_integer("9223372036854775808"), std::nullopt);
  EXPECT_EQ(read_integer("0.5"), std::nullopt);
  EXPECT_EQ(read_integer("1e-400"), std::nullopt);
  EXPECT_EQ(read_integer("1e300"), std::nullopt);
  EXPECT_EQ(read_integer("1.0000000000000000000001"), std::nullopt);
}

}  // namespace
}  // namespace wick::frontend
