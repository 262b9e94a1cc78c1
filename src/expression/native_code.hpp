#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace maggi::expression {

/// Functions compiled from C by the compiler of the machine (cc, or $CC), in memory as long as this object lives.
///
/// They are kept in $XDG_CACHE_HOME/maggi (~/.cache/maggi) under a name that is a hash of the text, the compiler's
/// file, the flags and the processor. An entry is written beside and renamed, so that it is complete or absent, also
/// with several processes at it; it carries a check sum, and one that is damaged is made again. Only files of the user
/// himself are loaded.
class NativeCode {
 public:
  using Function = void (*)(double*);

  /// What became of an attempt: code, or why there is none.
  struct Result {
    std::shared_ptr<const NativeCode> code;
    bool cached = false;
    std::string why_not;
  };
  static Result from_cache(std::string_view text);  ///< never compiles
  static Result compile(std::string_view text);     ///< from the cache if it is there

  ~NativeCode();
  NativeCode(const NativeCode&) = delete;
  NativeCode& operator=(const NativeCode&) = delete;

  Function function(const std::string& name) const;  ///< null if there is none of that name

 private:
  explicit NativeCode(void* handle) : handle_(handle) {}
  friend class NativeCodeCache;
  void* handle_;
};

}  // namespace maggi::expression
