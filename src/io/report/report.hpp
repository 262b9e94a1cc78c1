#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "maggi/expert/shape.hpp"
#include "maggi/motion.hpp"

namespace maggi {

/// The report for a program, which is the page: title, facts, summary (as in summary.json), cpu, states, channels:
/// [{name, unit, group, base, scale, values}], left_out, certificate, scene: {dimension, points, lines, circles,
/// bodies} by names of channels.
///
///     value = base + scale · x,  x from `values`: numbers of 32 bits in base 64; empty if the channel is constant
///
/// A motion of more than 5000 states is reduced to every second, third ... state; the facts say so.
std::string run_report_json(const Motion& motion);

/// A motion of what is drawn and of nothing else: states, channels (time and drawing), scene, as above. `drawing`: the
/// values of System::drawing() at each time.
std::string drawn_motion_json(const Shape& shape, const std::vector<double>& times,
                              const std::vector<std::vector<double>>& drawing);

/// The page that shows a report, as text.
std::string report_page(std::string_view report_json);

/// One page that shows a report: opens from the disk, needs no network and no other file.
void write_report(const std::filesystem::path& path, std::string_view report_json);

}  // namespace maggi
