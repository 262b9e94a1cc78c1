#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "maggi/model.hpp"
#include "maggi/simulation.hpp"

namespace maggi {

/// What the page of `maggi view` is given, as text.

/// The page itself; it asks for everything else.
std::string live_page(std::string_view file);
/// A text for the page.
std::string live_text(std::string_view text);

/// A model that is looked at while its numbers and its file change. The file is read again when it was written; numbers
/// that are changed by sliders derive nothing again.
class LiveSimulation {
 public:
  /// `read`: the model as it is in the file now.
  explicit LiveSimulation(std::function<Model()> read) : read_(std::move(read)) {}

  /// {version, sliders, report, free_motions}, with the error, at its place in the file, instead of what it prevents.
  /// `values`: those of the sliders that were moved, a JSON object by "kind name". `version`: of the file. Without
  /// `whole_motion` the model is assembled only. `cancelled` is asked after every step. Nothing if `values` is no JSON
  /// object.
  std::optional<std::string> report(std::string_view values, std::string_view version, bool whole_motion,
                                    const std::function<bool()>& cancelled);

 private:
  const Simulation& as_written(std::string_view version);

  std::function<Model()> read_;
  std::string version_;
  std::optional<Simulation> as_written_;  // with the numbers of the file
};

}  // namespace maggi
