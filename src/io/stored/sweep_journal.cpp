#include "io/stored/sweep_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "io/toml/model_file.hpp"

namespace maggi {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view first_line = "maggi sweep journal 1";
constexpr auto patience = std::chrono::seconds(5);  // between flushes to the disk: what a power failure may take

std::uint32_t checksum(std::string_view text) {
  return static_cast<std::uint32_t>(
      ::crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
}

std::string line_of(const std::string& text) { return fmt::format("{} {:08x}\n", text, checksum(text)); }

/// The text of a line without its checksum; nothing if that is wrong.
std::optional<std::string_view> text_of(std::string_view line) {
  constexpr std::size_t tail = 9;  // blank and eight digits
  if (line.size() < tail || line[line.size() - tail] != ' ') return std::nullopt;
  std::uint32_t sum = 0;
  const char* const end = line.data() + line.size();
  if (std::from_chars(end - tail + 1, end, sum, 16).ptr != end) return std::nullopt;
  line.remove_suffix(tail);
  return checksum(line) == sum ? std::optional(line) : std::nullopt;
}

std::string in_one_line(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\\' ? "\\\\" : c == '\n' ? "\\n" : std::string(1, c);
  return result;
}

std::string in_several_lines(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size();
    if (escaped) ++i;
    result += escaped && text[i] == 'n' ? '\n' : text[i];
  }
  return result;
}

std::string record_of(const RunResult& result) {
  std::string text = fmt::format("{}", result.run);
  if (!result.failure.empty()) return text + " ! " + in_one_line(result.failure);
  for (const double value : result.values) text += fmt::format(" {}", value);
  return text;
}

/// A record as a result; nothing if it is none of this sweep.
std::optional<RunResult> result_of(std::string_view text, std::uint64_t runs, std::size_t columns) {
  RunResult result;
  const char *at = text.data(), *const end = at + text.size();
  const auto number = [&](auto& value) {
    const auto [next, fault] = std::from_chars(at, end, value);
    at = next;
    return fault == std::errc();
  };
  if (!number(result.run) || result.run >= runs) return std::nullopt;
  if (std::string_view(at, end).starts_with(" ! ")) {
    result.failure = in_several_lines({at + 3, end});
    return result;
  }
  for (double value = 0.0; at != end; result.values.push_back(value))
    if (*at++ != ' ' || !number(value)) return std::nullopt;
  return result.values.size() == columns ? std::optional(result) : std::nullopt;
}

Json to_json(const SweepIdentity& identity) {
  Json json = Json::object();
  for (const auto& [name, value] : identity) json[name] = value;
  return json;
}

/// The lines of a file one after the other, without reading it as a whole.
class Lines {
 public:
  explicit Lines(int descriptor) : descriptor_(descriptor) {}

  /// The next line without its end; nothing where no complete one is left.
  std::optional<std::string_view> next() {
    std::size_t end = 0;
    while ((end = buffer_.find('\n', begin_)) == std::string::npos)
      if (!more()) return std::nullopt;
    const std::string_view line = std::string_view(buffer_).substr(begin_, end - begin_);
    position_ += line.size() + 1;
    begin_ = end + 1;
    return line;
  }
  std::uint64_t position() const { return position_; }  ///< behind the last line
  std::string_view rest() const { return std::string_view(buffer_).substr(begin_); }

 private:
  bool more() {
    buffer_.erase(0, std::exchange(begin_, 0));
    char block[1 << 16];
    const ssize_t count = ::read(descriptor_, block, sizeof block);
    if (count > 0) buffer_.append(block, static_cast<std::size_t>(count));
    return count > 0;
  }

  int descriptor_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::uint64_t position_ = 0;
};

/// FNV-1a, 64 bits: tells models apart.
std::uint64_t fingerprint(std::string_view bytes, std::uint64_t hash = 0xCBF29CE484222325u) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash;
}

std::uint64_t fingerprint(const Model& model) {
  std::uint64_t hash = fingerprint(write_model(model));
  for (const TableFile& file : model.tables)
    for (const std::vector<double>* column : {&file.table->x, &file.table->y})
      hash = fingerprint({reinterpret_cast<const char*>(column->data()), column->size() * sizeof(double)}, hash);
  return hash;
}

template <class Items, class Text>
std::string joined(const Items& items, Text text) {
  std::string result;
  for (const auto& item : items) result += (result.empty() ? "" : "; ") + text(item);
  return result;
}

}  // namespace

SweepIdentity identity(const Sweep& sweep) {
  return {{"model", fmt::format("{} {:016x}", sweep.model().file, fingerprint(sweep.model()))},
          {"over", joined(sweep.design().axes(), [](const Axis& axis) { return axis.text(); })},
          {"draws", sweep.design().text()},
          {"keep", joined(sweep.measures(), [](const Measure& measure) { return measure.text; })},
          {"lanes", sweep.in_lanes() ? "on" : "off"}};
}

SweepJournal::SweepJournal(fs::path path, const SweepIdentity& identity, const Sweep& sweep,
                           const std::function<void(RunResult)>& found)
    : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(errno);
  lock();
  if (read(identity, sweep, found)) return;
  if (::ftruncate(descriptor_, 0) != 0) fail(errno);
  write(std::string(first_line) + "\n" + line_of(to_json(identity).dump()));
}

SweepJournal::~SweepJournal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void SweepJournal::lock() {
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(std::exchange(descriptor_, -1));
  throw Error(Errc::io, {path_.string()}, "another maggi is working on this sweep",
              "wait for it, or take another --out");
}

/// false if there is no head yet: whoever began it was killed at once.
bool SweepJournal::read(const SweepIdentity& identity, const Sweep& sweep,
                        const std::function<void(RunResult)>& found) {
  Lines lines(descriptor_);
  const auto first = lines.next();
  if (!(first ? *first == first_line : first_line.starts_with(lines.rest())))
    throw Error(Errc::io, {path_.string()}, "this is not the journal of a sweep that this maggi knows",
                "--restart writes a new one in its place, --out DIR takes another folder");
  const auto head = lines.next();
  if (!head) return false;
  check(*head, identity);
  while (const auto line = lines.next()) {
    const auto content = text_of(*line);
    if (auto result = content ? result_of(*content, sweep.design().size(), sweep.columns().size()) : std::nullopt)
      found(std::move(*result));
    else
      ++damaged_;
  }
  // what follows the last complete line was being written when the process ended
  if (!lines.rest().empty() && ::ftruncate(descriptor_, static_cast<off_t>(lines.position())) != 0) fail(errno);
  return true;
}

void SweepJournal::check(std::string_view head, const SweepIdentity& identity) const {
  const auto content = text_of(head);
  if (!content)
    throw Error(Errc::io, {path_.string()}, "the journal is damaged: it does not say of which sweep it is",
                "--restart writes a new one in its place");
  const Json before = Json::parse(*content, nullptr, false);
  for (const auto& [name, value] : identity)
    if (const std::string was = before.is_object() ? before.value(name, "") : ""; was != value)
      throw Error(Errc::model, {path_.string()},
                  fmt::format("it belongs to another sweep: \"{}\" is {} there and {} now", name, was, value),
                  "the command it was begun with goes on; --restart forgets it, --out DIR takes another folder");
}

void SweepJournal::append(std::span<const RunResult> results) {
  std::string lines;
  for (const RunResult& result : results) lines += line_of(record_of(result));
  write(lines);
  const auto now = std::chrono::steady_clock::now();
  if (now - flushed_ < patience) return;
  ::fdatasync(descriptor_);
  flushed_ = now;
}

void SweepJournal::write(std::string_view rest) {
  while (!rest.empty()) {
    const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno);
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

void SweepJournal::remove() {
  if (::unlink(path_.c_str()) != 0) fail(errno);
}

void SweepJournal::fail(int error) const {
  throw Error(Errc::io, {path_.string()}, fmt::format("cannot be written: {}", std::strerror(error)),
              "--out DIR takes another folder");
}

}  // namespace maggi
