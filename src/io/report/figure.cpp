#include "io/report/figure.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/file/file.hpp"

namespace maggi {

namespace {

namespace fs = std::filesystem;

constexpr double width = 640, panel_height = 230, left = 74, right = 14, top = 26, bottom = 40;
constexpr double plot_width = width - left - right, plot_height = panel_height - top - bottom;

struct Look {
  const char *colour, *dash;
};
/// From dark to light, each with its own dashes.
constexpr Look looks[] = {{"#1b1b3a", ""},        {"#c1440e", "7 3"}, {"#0072b2", "2 2"},
                          {"#4d8f5b", "9 3 2 3"}, {"#a05195", "4 2"}, {"#d9a21b", "12 3"}};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return result;
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name.empty() ? "[" + unit + "]" : name + " [" + unit + "]";
}

std::string with_minus(std::string text) {
  for (std::size_t at = 0; (at = text.find('-', at)) != std::string::npos; at += 3) text.replace(at, 1, "−");
  return text;
}

/// One direction of a panel: which values it covers, and where round numbers lie.
struct FigureAxis {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void cover(double value) {
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  }
  void widen(double part) {
    if (!(low <= high)) low = 0.0, high = 1.0;
    const double size = std::max(std::abs(low), std::abs(high));
    const double room = high - low > 1e-12 * size ? part * (high - low) : size > 0.0 ? 0.1 * size : 1.0;
    low -= room, high += room;
  }
  double part(double value) const { return (value - low) / (high - low); }

  std::vector<double> ticks(int count, bool whole) const {
    const double raw = (high - low) / count, power = std::pow(10.0, std::floor(std::log10(raw)));
    double step = 10.0 * power;
    for (const double factor : {5.0, 2.0, 1.0})
      if (factor * power >= raw) step = factor * power;
    if (whole) step = std::max(1.0, std::ceil(step));
    std::vector<double> result;
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
      result.push_back(k == 0.0 ? 0.0 : k * step);
    return result;
  }
};

/// The curves of one unit.
class Panel {
 public:
  Panel(const Figure& figure, std::string unit, double offset) : figure_(figure), unit_(std::move(unit)), y0_(offset) {
    for (std::size_t i = 0; i < figure.curves.size(); ++i)
      if (figure.curves[i].channel.unit == unit_) members_.push_back(i);
    for (const double x : figure.over.values) x_.cover(x);
    if (!(x_.low < x_.high)) x_.widen(0.0);
    for (const std::size_t i : members_)
      for (const double y : figure.curves[i].values) y_.cover(shown(y));
    y_.widen(0.06);
  }

  std::string draw(bool last) const {
    std::string text = grid(last);
    for (const std::size_t i : members_) text += curve(i);
    return text + legend() + titles(last);
  }

 private:
  double shown(double y) const { return figure_.log ? std::log10(std::abs(y)) : y; }
  double px(double x) const { return left + x_.part(x) * plot_width; }
  double py(double y) const { return y0_ + top + (1.0 - y_.part(y)) * plot_height; }

  std::string grid(bool last) const {
    const double under = y0_ + top + plot_height;
    std::string text;
    for (const double x : x_.ticks(8, false)) {
      text += fmt::format("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#e4e4e4\"/>\n", px(x), y0_ + top, under);
      if (last)
        text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", px(x), under + 15,
                            with_minus(fmt::format("{:.6g}", x)));
    }
    for (const double y : y_.ticks(5, figure_.log && y_.high - y_.low > 2.0)) {
      const std::string name = fmt::format("{:.6g}", figure_.log ? std::pow(10.0, y) : y);
      text += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#e4e4e4\"/>\n", left, py(y), left + plot_width);
      text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 6, py(y) + 4,
                          with_minus(name));
    }
    return text + fmt::format(
                      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" "
                      "stroke=\"#333\"/>\n",
                      left, y0_ + top, plot_width, plot_height);
  }

  std::string curve(std::size_t i) const {
    const auto& [colour, dash] = looks[i % std::size(looks)];
    const std::vector<double>& values = figure_.curves[i].values;
    std::string path;
    bool pen_down = false;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double y = shown(values[k]);
      if (std::isfinite(y))
        path += fmt::format("{}{:.2f} {:.2f}", pen_down ? "L" : "M", px(figure_.over.values[k]), py(y));
      pen_down = std::isfinite(y);
    }
    return fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\" stroke-linejoin=\"round\" "
        "stroke-dasharray=\"{}\"/>\n",
        path, colour, dash);
  }

  std::string legend() const {
    constexpr double letter = 6.6;  // about, of a sans serif of 12
    double x = left;
    std::string text;
    for (const std::size_t i : members_) {
      const auto& [colour, dash] = looks[i % std::size(looks)];
      const std::string& name = figure_.curves[i].channel.name;
      text += fmt::format(
          "<path d=\"M{:.1f} {:.1f}h24\" stroke=\"{}\" stroke-width=\"1.6\" stroke-dasharray=\"{}\"/>\n"
          "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
          x, y0_ + top - 11, colour, dash, x + 29, y0_ + top - 7, escaped(name));
      x += 48 + letter * static_cast<double>(name.size());
    }
    return text;
  }

  std::string titles(bool last) const {
    const std::string name = members_.size() == 1 ? figure_.curves[members_[0]].channel.name : "";
    const std::string label = with_unit(figure_.log && !name.empty() ? "|" + name + "|" : name, unit_);
    const double middle = y0_ + top + plot_height / 2;
    std::string text = fmt::format(
        "<text x=\"15\" y=\"{0:.1f}\" text-anchor=\"middle\" transform=\"rotate(-90 15 {0:.1f})\">{1}</text>\n", middle,
        escaped(label));
    if (last)
      text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", left + plot_width / 2,
                          y0_ + top + plot_height + 32,
                          escaped(with_unit(figure_.over.channel.name, figure_.over.channel.unit)));
    return text;
  }

  const Figure& figure_;
  std::string unit_;
  double y0_;
  std::vector<std::size_t> members_;
  FigureAxis x_, y_;
};

std::vector<std::string> units(const Figure& figure) {
  std::vector<std::string> result;
  for (const StoredRun::Column& curve : figure.curves)
    if (std::ranges::find(result, curve.channel.unit) == result.end()) result.push_back(curve.channel.unit);
  return result;
}

/// Runs a program of Debian's to its end.
bool run_program(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  return posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) == 0 &&
         waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::string svg(const Figure& figure) {
  const std::vector<std::string> panels = units(figure);
  const double head = figure.title.empty() ? 0.0 : 24.0;
  const double height = head + panel_height * static_cast<double>(panels.size());
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#111\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, height);
  if (!figure.title.empty())
    text += fmt::format("<text x=\"{}\" y=\"18\" text-anchor=\"middle\" font-size=\"14\">{}</text>\n", width / 2,
                        escaped(figure.title));
  for (std::size_t i = 0; i < panels.size(); ++i)
    text += Panel(figure, panels[i], head + panel_height * static_cast<double>(i)).draw(i + 1 == panels.size());
  return text + "</svg>\n";
}

void write_figure(const fs::path& path, const Figure& figure) {
  if (path.extension() == ".svg") return write_file(path, svg(figure));
  if (path.extension() != ".png")
    throw Error(Errc::model, {path.string()}, "a figure is written as .svg or .png", "choose one of these endings");
  const fs::path vector = fs::path(path).replace_extension(fmt::format(".{}.svg", ::getpid()));
  write_file(vector, svg(figure));
  const bool converted = run_program({"rsvg-convert", "--zoom", "3", "--output", path.string(), vector.string()});
  std::error_code ignored;
  fs::remove(vector, ignored);
  if (!converted)
    throw Error(Errc::io, {path.string()}, "a .png needs the program rsvg-convert, which is missing or failed",
                "write an .svg, or install it: apt-get install librsvg2-bin");
}

}  // namespace maggi
