#include "system/formulas/derive_powers.hpp"

#include <algorithm>

#include "expression/substitute.hpp"

namespace maggi {

namespace {

using expression::Graph;
using expression::Id;

class Powers {
 public:
  Powers(Shape& shape, DerivedEquations& equations) : shape_(shape), e_(equations), g_(equations.graph) {
    for (const Id v : e_.v) rest_.emplace_back(v, g_.constant(0.0));
  }

  void add() {
    for (const int i : shape_.constraints())
      if (may_work(i)) add(shape_.rows[i].owner, g_.multiply(e_.lambda[i], speed(i)), shape_.rows[i].where);
    const std::size_t controls = shape_.controls.size();
    for (std::size_t j = 0; j < controls; ++j) {
      Id speed = g_.constant(0.0);
      for (std::size_t i = 0; i < e_.v.size(); ++i) speed = g_.add(speed, g_.multiply(e_.B[i * controls + j], e_.v[i]));
      add(shape_.controls[j].name, g_.multiply(e_.p[j], speed), shape_.controls[j].where);
    }
  }

 private:
  bool may_work(int i) const {
    if (!shape_.rows[i].has_multiplier()) return false;
    if (i < shape_.s_p) return g_.depends_on(e_.f[i], {e_.t});
    if (i >= shape_.s_p + shape_.s_v || shape_.rows[i].nonlinear) return true;
    return !g_.is_zero(expression::substitute(g_, e_.phi[i], rest_));
  }

  /// (C v)_i
  Id speed(int i) const {
    Id sum = g_.constant(0.0);
    for (std::size_t j = 0; j < e_.v.size(); ++j) sum = g_.add(sum, g_.multiply(e_.C[i * e_.v.size() + j], e_.v[j]));
    return sum;
  }

  void add(const std::string& owner, Id power, const Where& where) {
    const std::string name = owner + ".power";
    const auto known = std::ranges::find(shape_.outputs, name, &Channel::name);
    if (known != shape_.outputs.end()) {
      Id& sum = e_.outputs[known - shape_.outputs.begin()];
      sum = g_.add(sum, power);
      return;
    }
    shape_.outputs.push_back({name, "W", where});
    e_.outputs.push_back(power);
  }

  Shape& shape_;
  DerivedEquations& e_;
  Graph& g_;
  std::vector<std::pair<Id, Id>> rest_;
};

}  // namespace

void derive_powers(Shape& shape, DerivedEquations& equations) { Powers(shape, equations).add(); }

}  // namespace maggi
