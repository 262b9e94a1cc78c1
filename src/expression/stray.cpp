#include "expression/stray.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace maggi::expression {

namespace {
struct Stray {
  std::string_view character, help;
};

constexpr Stray strays[] = {
    // ASCII
    {"!", "write != for \"not equal\""},
    {"&", "write (a < b)*(c < d) for \"and\""},
    {"|", "write max(a < b, c < d) for \"or\", abs(x) for a magnitude"},
    {"\"", "write '' for a second derivative"},
    {"`", "write '"},
    {"[", "write ("},
    {"]", "write )"},
    {"{", "write ("},
    {"}", "write )"},
    {":", "write / to divide"},
    {"\\", "write / to divide"},
    // operators
    {"−", "write -"},
    {"–", "write -"},
    {"—", "write -"},
    {"‐", "write -"},
    {"×", "write *"},
    {"·", "write *"},
    {"⋅", "write *"},
    {"∙", "write *"},
    {"•", "write *"},
    {"∗", "write *"},
    {"÷", "write /"},
    {"∕", "write /"},
    {"⁄", "write /"},
    {"√", "write sqrt(x)"},
    {"≤", "write <="},
    {"≥", "write >="},
    {"≠", "write !="},
    {"≈", "write == or ="},
    {"（", "write ("},
    {"）", "write )"},
    // exponents
    {"⁰", "write ^0"},
    {"¹", "write ^1"},
    {"²", "write ^2"},
    {"³", "write ^3"},
    {"⁴", "write ^4"},
    {"⁵", "write ^5"},
    {"⁶", "write ^6"},
    {"⁷", "write ^7"},
    {"⁸", "write ^8"},
    {"⁹", "write ^9"},
    {"⁻", "write ^-"},
    {"½", "write 1/2"},
    {"¼", "write 1/4"},
    {"¾", "write 3/4"},
    // primes and dots
    {"’", "write '"},
    {"‘", "write '"},
    {"′", "write '"},
    {"´", "write '"},
    {"ʹ", "write '"},
    {"ʼ", "write '"},
    {"″", "write ''"},
    {"“", "write ''"},
    {"”", "write ''"},
    {"‴", "write '''"},
    {"ẋ", "write x'"},
    {"ẏ", "write y'"},
    {"ż", "write z'"},
    {"ẍ", "write x''"},
    {"ÿ", "write y''"},
    {"\u0307", "write ' for d/dt"},
    {"\u0308", "write '' for the second derivative"},
    // spaces and units
    {"\u00a0", "write an ordinary space"},
    {"\u2009", "write an ordinary space"},
    {"\u202f", "write an ordinary space"},
    {"\u200b", "delete it"},
    {"\ufeff", "delete it"},
    {"°", "write *pi/180"},
    // Greek
    {"π", "write pi"},
    {"α", "write alpha"},
    {"β", "write beta"},
    {"γ", "write gamma"},
    {"δ", "write delta"},
    {"ε", "write epsilon"},
    {"ζ", "write zeta"},
    {"η", "write eta"},
    {"θ", "write theta"},
    {"ϑ", "write theta"},
    {"κ", "write kappa"},
    {"λ", "write lambda"},
    {"μ", "write mu"},
    {"µ", "write mu"},
    {"ν", "write nu"},
    {"ξ", "write xi"},
    {"ρ", "write rho"},
    {"σ", "write sigma"},
    {"τ", "write tau"},
    {"φ", "write phi"},
    {"ϕ", "write phi"},
    {"χ", "write chi"},
    {"ψ", "write psi"},
    {"ω", "write omega"},
    {"Δ", "write Delta"},
    {"Ω", "write Omega"},
};

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

/// Bytes of the character at the start; 0 if it is not UTF-8.
std::size_t character_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
  if (length > text.size()) return 0;
  return std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(length, 1)),
                     continues)
             ? length
             : 0;
}

/// U+00A0 and the like are invisible; they are named by their number.
std::string show(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (first < 0x20 || first == 0x7f) return fmt::format("U+{:04X}", first);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> invisible{{{"\u00a0", "U+00A0"},
                                                                                    {"\u2009", "U+2009"},
                                                                                    {"\u202f", "U+202F"},
                                                                                    {"\u200b", "U+200B"},
                                                                                    {"\ufeff", "U+FEFF"},
                                                                                    {"\u0307", "U+0307"},
                                                                                    {"\u0308", "U+0308"}}};
  for (const auto& [text, name] : invisible)
    if (character == text) return std::string(name);
  return fmt::format("\"{}\"", character);
}
}  // namespace

Advice advise_on_stray(std::string_view text) {
  const std::size_t length = character_length(text);
  if (length == 0)
    return {fmt::format("the byte 0x{:02x} is not UTF-8 text", static_cast<unsigned char>(text[0])),
            "save the file as UTF-8"};
  const std::string_view character = text.substr(0, length);
  std::string cause = fmt::format("the character {} has no meaning in a formula", show(character));
  for (const Stray& stray : strays)
    if (stray.character == character) return {std::move(cause), std::string(stray.help)};
  return {std::move(cause), length > 1 ? "names are made of a-z, A-Z, 0-9 and _" : ""};
}

int count_characters(std::string_view text) {
  return static_cast<int>(text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues)));
}

}  // namespace maggi::expression
