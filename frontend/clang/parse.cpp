#include "frontend/clang/parse.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Support/thread.h>

#include <optional>
#include <string>

#include "frontend/clang/context.h"
#include "frontend/clang/places.h"
#include "frontend/clang/shims.h"
#include "frontend/embed/runtime_headers.h"

namespace wick::frontend::check {
namespace {

// Enough for the deepest nesting that the check of tokens lets through.
constexpr unsigned kStackBytes = 64u << 20;

constexpr const char* kArguments[] = {"-triple",
                                      "x86_64-unknown-linux-gnu",
                                      "-target-cpu",
                                      "x86-64",
                                      "-x",
                                      "c++",
                                      "-std=c++17",
                                      "-fgnuc-version=4.2.1",
                                      "-fsyntax-only",
                                      "-nostdsysteminc",
                                      "-nobuiltininc",
                                      "-I",
                                      "/runtime",
                                      "-I",
                                      "/std",
                                      "-w",
                                      "-fno-spell-checking",
                                      "-fno-caret-diagnostics",
                                      "-ferror-limit",
                                      "20",
                                      "-ftemplate-depth=256",
                                      "-fconstexpr-steps=100000",
                                      "-fconstexpr-depth=64",
                                      kSourcePath};

// Collects errors. One inside the runtime is told at the place in the file that led there, which
// Clang names in a note.
class Errors : public clang::DiagnosticConsumer {
 public:
  explicit Errors(std::vector<Finding>& findings) : findings_(findings) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    const bool is_error = level >= clang::DiagnosticsEngine::Error;
    if (!is_error && !is_unplaced_) return;
    Place place;
    if (info.hasSourceManager()) place = place_in(info.getSourceManager(), info.getLocation());
    if (is_error) {
      llvm::SmallString<128> message;
      info.FormatDiagnostic(message);
      findings_.push_back({place, message.str().split('\n').first.str(), {}, {}});
      is_unplaced_ = place.line == 0;
    } else if (place.line != 0) {
      findings_.back().place = place;
      is_unplaced_ = false;
    }
  }

 private:
  std::vector<Finding>& findings_;
  bool is_unplaced_ = false;
};

class Consumer : public clang::SemaConsumer {
 public:
  explicit Consumer(const std::function<void(clang::Sema&)>& use) : use_(use) {}

  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }

  bool shouldSkipFunctionBody(clang::Decl* function) override {
    return place_in(sema_->getSourceManager(), function->getLocation()).line == 0;
  }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (!context.getDiagnostics().hasErrorOccurred()) use_(*sema_);
  }

 private:
  const std::function<void(clang::Sema&)>& use_;
  clang::Sema* sema_ = nullptr;
};

class Action : public clang::ASTFrontendAction {
 public:
  Action(const std::vector<Finding>& findings, const std::function<void(clang::Sema&)>& use)
      : findings_(findings), use_(use) {}

  // Clang goes on after its limit of errors, silently, and some errors cost more the more there
  // are. The text ends for it where the limit is reached.
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& clang,
                                                        llvm::StringRef) override {
    clang.getPreprocessor().setTokenWatcher([this](const clang::Token& token) {
      if (findings_.size() < kMostFindings) return;
      auto& end = const_cast<clang::Token&>(token);  // the parser's own
      const clang::SourceLocation location = token.getLocation();
      end.startToken();
      end.setKind(clang::tok::eof);
      end.setLocation(location);
    });
    return std::make_unique<Consumer>(use_);
  }

 private:
  const std::vector<Finding>& findings_;
  const std::function<void(clang::Sema&)>& use_;
};

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_of(const SourceText& source,
                                                         const SourceText& header) {
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  const auto add = [&](const std::string& path, std::string_view text) {
    files->addFile(path, 0, llvm::MemoryBuffer::getMemBuffer({text.data(), text.size()}, path));
  };
  add(kSourcePath, source.text);
  add(kEmittedFolder + header.name, header.text);
  for (const RuntimeHeader& part : runtime_headers()) {
    add(std::string(kRuntimeFolder) + "wick/" + std::string(part.name), part.text);
  }
  for (const Shim& shim : standard_shims()) add("/std/" + std::string(shim.name), shim.text);
  return files;
}

void run_clang(const SourceText& source, const SourceText& header, std::vector<Finding>& findings,
               const std::function<void(clang::Sema&)>& use) {
  Errors errors(findings);
  clang::CompilerInstance clang;
  clang.createDiagnostics(&errors, false);
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  clang::CompilerInvocation::CreateFromArgs(*invocation, kArguments, clang.getDiagnostics());
  invocation->getFrontendOpts().SkipFunctionBodies = true;
  invocation->getFrontendOpts().DisableFree = false;
  clang.setInvocation(std::move(invocation));
  clang.createDiagnostics(&errors, false);
  clang.setVerboseOutputStream(llvm::nulls());
  clang.createFileManager(files_of(source, header));
  Action action(findings, use);
  clang.ExecuteAction(action);
}

}  // namespace

void parse(const SourceText& source, const SourceText& header, std::vector<Finding>& findings,
           const std::function<void(clang::Sema&)>& use) {
  llvm::thread worker(std::optional<unsigned>(kStackBytes),
                      [&] { run_clang(source, header, findings, use); });
  worker.join();
  for (Finding& finding : findings) {
    if (finding.place.line == 0) finding.place = {1, 1, Place::File::kSource};
  }
}

}  // namespace wick::frontend::check
