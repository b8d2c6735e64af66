//===- OutputFileTest.cpp - Tests of files that appear whole --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/OutputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

using namespace uma;
namespace fs = llvm::sys::fs;

namespace {
class OutputFileTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("uma-output-file", folder));
  }
  void TearDown() override { (void)fs::remove_directories(folder); }

  std::string getPath(llvm::StringRef name) const {
    return (folder + "/" + name).str();
  }
  std::vector<std::string> list() const {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end;
         !error && entry != end; entry.increment(error))
      names.push_back(entry->path());
    return names;
  }
  static std::string read(llvm::StringRef path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

  llvm::SmallString<128> folder;
};
} // namespace

TEST_F(OutputFileTest, ReplacesAFile) {
  std::string path = getPath("file");
  for (const char *contents : {"older and longer", "newer"}) {
    ASSERT_FALSE(writeFileAtomically(path, contents));
    EXPECT_EQ(read(path), contents);
    EXPECT_EQ(list(), std::vector<std::string>{path});
  }
}

TEST_F(OutputFileTest, NamesTheFile) {
  std::string path = getPath("missing/file");
  EXPECT_EQ(llvm::toString(writeFileAtomically(path, "text")),
            path + ": cannot be written: No such file or directory");
  EXPECT_TRUE(list().empty());
}

TEST_F(OutputFileTest, WritesToWhatIsNoFile) {
  // Replacing it by a file would break its other users.
  std::string link = getPath("null");
  ASSERT_EQ(symlink("/dev/null", link.c_str()), 0);
  ASSERT_FALSE(writeFileAtomically(link, "text"));
  fs::file_status status;
  ASSERT_FALSE(fs::status(link, status));
  EXPECT_EQ(status.type(), fs::file_type::character_file);
}

TEST_F(OutputFileTest, VanishesWithTheProcess) {
  // Where files have no names, not even a killed process leaves one.
  bool isUnnamed = false;
  {
    auto file = StagedFile::create(getPath("package"));
    ASSERT_TRUE(bool(file));
    isUnnamed = list().empty();
  }
  // Send the signal at different times: sometimes its removal is probably not
  // registered yet.
  for (int turn = 0; turn < 100; ++turn) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      close(ready[0]);
      (void)!::write(ready[1], "", 1);
      auto file = StagedFile::create(getPath("package"));
      while (file)
        pause();
      _exit(1);
    }
    close(ready[1]);
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    close(ready[0]);
    usleep(turn * 20);
    int signal = isUnnamed && turn % 2 != 0 ? SIGKILL : SIGTERM;
    kill(child, signal);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal);
    ASSERT_TRUE(list().empty()) << "in turn " << turn;
  }
}
