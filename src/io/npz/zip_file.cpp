#include "io/npz/zip_file.hpp"

#include <zlib.h>

#include <cassert>

namespace maggi::io {

namespace {

/// Little-endian numbers one after the other.
class Record {
 public:
  Record& u16(std::uint32_t value) { return bytes(value, 2); }
  Record& u32(std::uint32_t value) { return bytes(value, 4); }
  const std::string& text() const { return text_; }

 private:
  Record& bytes(std::uint32_t value, int count) {
    for (int i = 0; i < count; ++i) text_ += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
    return *this;
  }
  std::string text_;
};

constexpr std::uint32_t version = 20, utf8_names = 1u << 11, stored = 0;
constexpr std::uint32_t midnight = 0, first_of_january_1980 = 0x21;  // the same input gives the same bytes

/// What local and central header have in common.
void describe(Record& record, std::uint32_t checksum, std::uint32_t size, const std::string& name) {
  record.u16(version).u16(utf8_names).u16(stored).u16(midnight).u16(first_of_january_1980);
  record.u32(checksum).u32(size).u32(size).u16(static_cast<std::uint32_t>(name.size())).u16(0);
}

}  // namespace

void ZipFile::put(std::string_view bytes) {
  file_.write(bytes);
  offset_ += bytes.size();
}

void ZipFile::add(const std::string& name, const std::function<void(const Write&)>& produce) {
  std::uint64_t size = 0;
  uLong checksum = crc32(0, nullptr, 0);
  produce([&](std::string_view bytes) {
    checksum = crc32_z(checksum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    size += bytes.size();
  });
  assert(offset_ + size <= max_bytes);

  const Entry entry{name, static_cast<std::uint32_t>(checksum), static_cast<std::uint32_t>(size),
                    static_cast<std::uint32_t>(offset_)};
  Record local;
  local.u32(0x04034b50);
  describe(local, entry.checksum, entry.size, name);
  put(local.text());
  put(name);
  produce([&](std::string_view bytes) { put(bytes); });
  entries_.push_back(entry);
}

void ZipFile::commit() {
  const std::uint64_t begin = offset_;
  for (const Entry& entry : entries_) {
    Record central;
    central.u32(0x02014b50).u16(version);
    describe(central, entry.checksum, entry.size, entry.name);
    central.u16(0).u16(0).u16(0).u32(0).u32(entry.offset);  // no comment, first disk, no attributes
    put(central.text());
    put(entry.name);
  }
  const auto count = static_cast<std::uint32_t>(entries_.size());
  const std::uint64_t size = offset_ - begin;
  Record end;
  end.u32(0x06054b50).u16(0).u16(0).u16(count).u16(count);
  end.u32(static_cast<std::uint32_t>(size)).u32(static_cast<std::uint32_t>(begin)).u16(0);
  put(end.text());
  file_.commit();
}

}  // namespace maggi::io
