// Follows the statements of one function, and of the functions it calls, through memory.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/check/effects.h"
#include "frontend/check/memory.h"
#include "frontend/check/program.h"

namespace wick::frontend::check {

class Walk {
 public:
  Walk(const Program& program, std::vector<Finding>& findings);

  // Follows run from its first statement to its last.
  void run();

 private:
  // What a name stands for in the function that is walked through.
  struct Meaning {
    bool is_known = false;
    bool is_broken = false;  // reported: nothing that follows from it is
    bool is_used = false;
    std::uint32_t root = 0;   // the name it is a view of, itself if it is none
    std::int64_t offset = 0;  // elements from the root's first
    StorageIndex storage = kNoStorage;
    ValueIndex value = kNoValue;
    std::uint32_t scratch_step = 0;  // heap workspace: the statement that used it
    bool is_freed = false;           // heap workspace
  };

  struct Frame {
    const Function* function = nullptr;
    std::uint32_t index = 0;  // in Program::functions
    bool is_prepare = false;
    std::vector<Meaning> meanings;
  };

  void walk(std::uint32_t function, bool is_prepare);
  void statement(std::size_t at);
  void call(const Statement& statement, bool is_once);

  void declare(std::uint32_t index);
  Meaning& meaning(std::uint32_t index);
  void find_slot(const Name& name, Meaning& meaning);
  const Name& name(std::uint32_t index) const { return frame_.function->names[index]; }
  std::string_view label(std::uint32_t index) const;
  Actor actor(std::uint32_t index, Place place) const;

  void kernel(const Statement& statement);
  StorageIndex read(const Use& use);
  void use_scratch(const Use& use);
  void write(const Use& use);
  void write_in_place(const Use& use, const Effects& effects,
                      const std::vector<StorageIndex>& read);
  void check_shared(const Use& use, const Use& operand);
  bool may_write(const Use& use);

  void free(std::size_t at, Storage::End how);
  void free_scratch(const Statement& statement, bool directly);
  bool is_direct(std::size_t at) const;
  void finish_function();
  void fail(Place place, std::string message, std::string hint);

  const Program& program_;
  std::vector<Finding>& findings_;
  Memory memory_;
  std::unordered_map<std::string_view, StorageIndex> parameters_;  // of run that are written
  std::vector<char> is_called_;                                    // by function
  Frame frame_;
  std::uint32_t step_ = 0;
  bool follows_empty_ = false;  // slots without bytes are told apart by their names alone
};

}  // namespace wick::frontend::check
