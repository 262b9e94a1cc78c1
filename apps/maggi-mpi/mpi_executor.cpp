#include "mpi_executor.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <thread>

#include "io/stored/sweep_journal.hpp"
#include "maggi/error.hpp"
#include "output.hpp"
#include "text/words.hpp"

namespace maggi::app {

namespace {

enum Tag { hello, group, results, trouble };

constexpr auto pause = std::chrono::microseconds(50);  // between looks for messages, while a thread makes runs

/// Numbers and texts one after the other.
struct Message {
  std::string bytes;
  std::size_t read = 0;

  template <class Number>
  Message& put(Number number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    return *this;
  }
  void put(const RunResult& result) {
    put(result.run).put<std::uint64_t>(result.values.size());
    for (const double value : result.values) put(value);
    put<std::uint64_t>(result.failure.size());
    bytes += result.failure;
  }
  template <class Number>
  Number get() {
    Number number;
    std::memcpy(&number, bytes.data() + read, sizeof number);
    read += sizeof number;
    return number;
  }
  RunResult get_result() {
    RunResult result{get<std::uint64_t>(), {}};
    result.values.resize(get<std::uint64_t>());
    for (double& value : result.values) value = get<double>();
    const auto length = get<std::uint64_t>();
    result.failure = bytes.substr(read, length);
    read += length;
    return result;
  }
};

void send(const std::string& bytes, int rank, Tag tag) {
  MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, rank, tag, MPI_COMM_WORLD);
}

Message receive(const MPI_Status& probed) {
  int length = 0;
  MPI_Get_count(&probed, MPI_BYTE, &length);
  Message message{std::string(static_cast<std::size_t>(length), '\0')};
  MPI_Recv(message.bytes.data(), length, MPI_BYTE, probed.MPI_SOURCE, probed.MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return message;
}

std::string identity_text(const Sweep& sweep) {
  std::string text;
  for (const auto& [name, value] : identity(sweep)) text += fmt::format("{}: {}\n", name, value);
  return text;
}

}  // namespace

MpiExecutor::MpiExecutor(int& argc, char**& argv) {
  int granted = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &granted);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank_ == 0) others_.resize(size - 1);
}

MpiExecutor::~MpiExecutor() {
  for (std::size_t i = 0; i < others_.size(); ++i)
    if (!others_[i].home) send_home(static_cast<int>(i) + 1);  // something went wrong before they could work
  MPI_Finalize();
}

std::string MpiExecutor::text() const { return text::count(static_cast<long>(others_.size()) + 1, "rank"); }

void MpiExecutor::send_home(int rank) {
  send(Message().put(RunGroup{}).bytes, rank, group);
  others_[rank - 1].home = true;
}

void MpiExecutor::deal_to(int rank, const std::optional<RunGroup>& next) {
  if (others_[rank - 1].home) return;
  if (!next) return send_home(rank);
  send(Message().put(*next).bytes, rank, group);
  ++others_[rank - 1].under_way;
}

void MpiExecutor::run_all(const Sweep& sweep, RunQueue& queue, const AcceptRuns& accept,
                          const std::atomic<bool>& interrupt) {
  std::mutex mutex;
  const auto one_at_a_time = [&](std::vector<RunResult> results) {
    const std::lock_guard lock(mutex);
    accept(std::move(results));
  };
  std::atomic<bool> stop = false, finished = false;
  std::exception_ptr fault;
  std::thread own([&] {  // FUNNELED: this thread makes runs and sends nothing
    try {
      maggi::run_all(sweep, queue, 1, one_at_a_time, &stop);
    } catch (...) {
      fault = std::current_exception();
      stop = true;
    }
    finished = true;
  });

  const std::string expected = identity_text(sweep);
  std::string complaint;
  const auto listen = [&](int rank, int tag, Message message) {
    const auto next = [&] { return stop ? std::nullopt : queue.next(); };
    if (tag == hello && message.bytes == expected) {
      deal_to(rank, next());
      deal_to(rank, next());
    } else if (tag == results) {
      --others_[rank - 1].under_way;
      std::vector<RunResult> made;
      while (message.read < message.bytes.size()) made.push_back(message.get_result());
      one_at_a_time(std::move(made));
      deal_to(rank, next());
    } else {
      complaint = fmt::format("rank {}: {}", rank,
                              tag == trouble ? message.bytes : "it reads another model, or has other options");
      stop = true;
      if (tag == hello)
        send_home(rank);
      else
        others_[rank - 1] = {0, true};
    }
  };
  const auto all_home = [&] {
    return std::ranges::all_of(others_, [](const Other& other) { return other.home && other.under_way == 0; });
  };
  try {
    while (!finished || !all_home()) {
      if (interrupt) stop = true;
      int there = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
      if (there == 0)
        std::this_thread::sleep_for(pause);
      else
        listen(status.MPI_SOURCE, status.MPI_TAG, receive(status));
    }
  } catch (...) {
    fault = std::current_exception();
    stop = true;
  }
  own.join();
  if (fault) std::rethrow_exception(fault);
  if (!complaint.empty()) throw Error(Errc::io, {}, complaint, "all ranks need the same files at the same place");
}

void MpiExecutor::follow(const Sweep& sweep) {
  send(identity_text(sweep), 0, hello);
  SweepWorker worker(sweep);
  while (true) {
    MPI_Status status;
    MPI_Probe(0, group, MPI_COMM_WORLD, &status);
    const auto next = receive(status).get<RunGroup>();
    if (next.count == 0) return;
    Message done;
    worker.make(next, [&](const std::vector<RunResult>& made) {
      for (const RunResult& result : made) done.put(result);
    });
    send(done.bytes, 0, results);
  }
}

void MpiExecutor::report(const std::string& why) { send(why, 0, trouble); }

}  // namespace maggi::app
