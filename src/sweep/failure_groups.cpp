#include "sweep/failure_groups.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace maggi::sweep {

namespace {

/// A text as the words between numbers, and the numbers. Digits of a name (x1) and of a place in a file (:21:1) belong
/// to the words.
struct Sentence {
  std::vector<std::string> words, numbers;  // words: one more

  explicit Sentence(const std::string& text) : words(1) {
    const auto is = [](char c, auto kind) { return kind(static_cast<unsigned char>(c)) != 0; };
    const auto digit = [&](char c) { return is(c, [](int i) { return std::isdigit(i); }); };
    const auto name = [&](char c) {
      return c == '_' || c == ':' || c == '.' || is(c, [](int i) { return std::isalnum(i); });
    };
    for (std::size_t i = 0; i < text.size();) {
      const bool begins = digit(text[i]) && (i == 0 || !name(text[i - 1]));
      if (!begins) {
        words.back() += text[i++];
        continue;
      }
      std::size_t end = i;
      const auto goes_on = [&](std::size_t k) {
        if (digit(text[k])) return true;
        const bool followed = k + 1 < text.size() && digit(text[k + 1]);
        const bool exponent = text[k] == 'e' && k + 2 < text.size() && (followed || digit(text[k + 2]));
        return exponent || ((text[k] == '.' || ((text[k] == '-' || text[k] == '+') && text[k - 1] == 'e')) && followed);
      };
      while (end < text.size() && goes_on(end)) ++end;
      std::string number = text.substr(i, end - i);
      if (words.back().ends_with('-')) number.insert(0, 1, '-'), words.back().pop_back();
      numbers.push_back(std::move(number));
      words.emplace_back();
      i = end;
    }
  }
};

}  // namespace

FailureGroups group_failures(const std::map<std::uint64_t, std::string>& failures) {
  FailureGroups result;
  std::vector<Sentence> sentences;  // of the groups, "…" where numbers differ
  std::map<std::vector<std::string>, std::size_t> known;
  for (const auto& [run, reason] : failures) {
    Sentence sentence(reason);
    const auto [found, is_new] = known.try_emplace(sentence.words, sentences.size());
    const std::size_t index = found->second;
    if (is_new) {
      sentences.push_back(std::move(sentence));
      result.groups.emplace_back();
    } else {
      for (std::size_t i = 0; i < sentence.numbers.size(); ++i)
        if (sentences[index].numbers[i] != sentence.numbers[i]) sentences[index].numbers[i] = "…";
    }
    FailureGroup& group = result.groups[index];
    ++group.count;
    if (!group.ranges.empty() && group.ranges.back().second + 1 == run)
      group.ranges.back().second = run;
    else
      group.ranges.emplace_back(run, run);
    result.group_of.emplace(run, index);
  }
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const auto& [words, numbers] = sentences[i];
    for (std::size_t k = 0; k < words.size(); ++k)
      result.groups[i].reason += words[k] + (k < numbers.size() ? numbers[k] : "");
  }

  std::vector<std::size_t> order(result.groups.size()), place(result.groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return result.groups[i].count; });
  std::vector<FailureGroup> sorted;
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[order[k]] = k;
    sorted.push_back(std::move(result.groups[order[k]]));
  }
  result.groups = std::move(sorted);
  for (auto& [run, index] : result.group_of) index = place[index];
  return result;
}

}  // namespace maggi::sweep
