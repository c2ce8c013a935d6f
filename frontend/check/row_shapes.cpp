// Shape rules of row programs: what each pass reads and writes, and the rows it keeps.
#include <algorithm>

#include "compiler/support/ids.h"
#include "frontend/check/call.h"

namespace wick::frontend::check {
namespace {

using compiler::Shape;

// The common shape of operands and results. A result that has not as many axes as the largest
// lacks the axes worked along, and says nothing about them.
std::optional<Shape> shape_of_rows(const Call& call) {
  std::size_t rank = 0;
  for (const CallOperand& result : call.results) rank = std::max(rank, result.shape().rank());
  for (const CallOperand& operand : call.operands) rank = std::max(rank, operand.shape().rank());
  std::vector<CallOperand> all = call.operands;
  std::ranges::copy_if(call.results, std::back_inserter(all),
                       [&](const CallOperand& result) { return result.shape().rank() == rank; });
  return common_shape(call, all);
}

// The bytes of the rows that a program keeps.
std::int64_t kept_bytes(const RowProgram& rows, std::int64_t row_elements) {
  compiler::Bytes sum;
  for (const RowStatement& statement : rows.statements) {
    if (statement.kind != RowStatement::Kind::kKeep) continue;
    const auto size = static_cast<std::int64_t>(compiler::size_of(statement.kept));
    sum += compiler::round_up(compiler::Bytes{row_elements * size});
  }
  return sum.count;
}

void check_statements(const Call& call) {
  const RowProgram& rows = *call.rows;
  std::vector<char> written(call.results.size(), 0);
  std::uint32_t buffers = 0;
  for (const RowStatement& statement : rows.statements) {
    if (statement.kind == RowStatement::Kind::kKeep && statement.buffer != buffers++) {
      call.fail(statement.place, "row buffer " + std::to_string(statement.buffer) +
                                     " is kept out of order: buffers count from 0");
    }
    if (statement.kind == RowStatement::Kind::kWrite) {
      if (statement.target >= written.size()) {
        call.fail(statement.place,
                  "`" + rows.name + "` writes an operand: only results are written",
                  "the results are the first parameters after `row`");
      } else if (written[statement.target]++ != 0) {
        call.fail(statement.place, "`" + rows.parameters[statement.target] + "` is written twice");
      }
    }
    for (const RowArgument& argument : statement.arguments) {
      if (argument.kind != RowArgument::Kind::kParameter || argument.index >= written.size())
        continue;
      call.fail(argument.place, "`" + rows.parameters[argument.index] +
                                    "` is read, but it is a result: its memory means nothing");
    }
  }
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] != 0) continue;
    call.fail(rows.place, "`" + rows.name + "` never writes its result `" + rows.parameters[i] +
                              "`, which would stay undefined");
  }
}

}  // namespace

void check_rows(const Call& call) {
  const RowProgram& rows = *call.rows;
  if (rows.parameters.size() != call.results.size() + call.operands.size()) {
    call.fail(call.statement->place,
              "`" + rows.name + "` takes " + std::to_string(rows.parameters.size()) +
                  " results and operands, but is given " +
                  std::to_string(call.results.size() + call.operands.size()));
    return;
  }
  check_statements(call);
  const std::optional<Shape> shape = shape_of_rows(call);
  if (!shape) return;
  const auto space = ReducedSpace::make(call, *shape, call.list(0));
  if (!space) return;
  for (const CallOperand& result : call.results) {
    if (result.shape() == *shape || space->is_result(result.shape())) continue;
    call.fail(result.place, result.with_type() + ", has neither the rows' shape " +
                                shape->to_string() + " nor one element per row");
  }
  const std::int64_t wanted = kept_bytes(rows, space->row_elements());
  if (call.scratch >= wanted) return;
  call.fail(call.statement->place,
            "`" + rows.name + "` keeps " + std::to_string(wanted) +
                " bytes of rows, but its workspace has " + std::to_string(call.scratch),
            "make the workspace as large as docs/generated-code.md says");
}

// Operands that share the result's memory are read at the written index: not before the write of
// another row, for each row is all that its passes read, and not after the write of their own.
void check_rows_in_place(const Call& call) {
  check_rows(call);
  const RowProgram& rows = *call.rows;
  for (std::size_t i = 0; i + 1 < rows.statements.size(); ++i) {
    if (rows.statements[i].kind != RowStatement::Kind::kWrite) continue;
    call.fail(rows.statements[i].place,
              "`" + rows.name + "` goes on after its write, over what has been overwritten",
              "in place, the write is the last statement");
  }
  for (const CallOperand& operand : call.operands) {
    if (compiler::broadcasts_to(operand.shape(), call.results[0].shape())) continue;
    call.fail(operand.place,
              operand.with_type() + ", has longer rows than the result " +
                  call.results[0].with_type() + ", which overwrites them",
              "in place, a result has all elements of the rows");
  }
}

}  // namespace wick::frontend::check
