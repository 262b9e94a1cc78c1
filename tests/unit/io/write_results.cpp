// Writes the motion of a redundant pendulum as FOLDER/motion.csv and FOLDER/motion.npz, for check_numpy.py to read.
#include <cstdio>
#include <filesystem>

#include "io/csv/csv.hpp"
#include "io/npz/npz.hpp"
#include "support/pendulum.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const std::filesystem::path folder(argv[1]);
  maggi::support::Motion motion(maggi::support::pendulum("again = { position = \"y^2 = 1 - x^2\" }\n",
                                                         "height = { formula = \"y + 1\", unit = \"µm\" }\n"));
  maggi::Trajectory trajectory(motion.system, motion.unique());
  write_npz(folder / "empty.npz", trajectory);
  integrate(motion.dynamics, motion.start.state, trajectory, {.until = 40.0, .output = 0.001});
  write_csv(folder / "motion.csv", trajectory);
  write_npz(folder / "motion.npz", trajectory);
  return 0;
}
