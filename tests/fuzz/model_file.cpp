// Any bytes as a model file: read or refused with an Error, up to the equations, and what was read is written and read
// again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "io/toml/model_file.hpp"
#include "maggi/error.hpp"
#include "system/formulas/equation_system.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  maggi::Model model;
  std::string written;
  try {
    model = maggi::parse_model(text, "model.toml");
    written = maggi::write_model(model);  // refuses what breaks a rule of validate()
  } catch (const maggi::Error&) { return 0; }
  if (maggi::write_model(maggi::parse_model(written, "again.toml")) != written) std::abort();
  try {
    const maggi::EquationSystem system(model);
  } catch (const maggi::Error&) {}
  return 0;
}
