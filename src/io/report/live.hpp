#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "maggi/model.hpp"

namespace maggi {

/// What the page of `maggi view` is given, as text.

/// The page itself; it asks for everything else.
std::string live_page(std::string_view file);
/// A text for the page.
std::string live_text(std::string_view text);

/// {version, sliders, report, free_motions}, with the error, at its place in the file, instead of what it prevents.
/// `values`: those of the sliders that were moved, a JSON object by "kind name". Without `whole_motion` the model is
/// assembled only. `cancelled` is asked after every step. Nothing if `values` is no JSON object.
std::optional<std::string> live_report(const std::function<Model()>& read, std::string_view values,
                                       std::string_view version, bool whole_motion,
                                       const std::function<bool()>& cancelled);

}  // namespace maggi
