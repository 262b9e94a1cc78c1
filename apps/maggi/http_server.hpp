#pragma once
#include <atomic>
#include <functional>
#include <string>

namespace maggi::app {

struct Request {
  std::string method, path, body;  ///< "GET", "/motion"; no query
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body{};
};

/// A server for the browser on this machine: 127.0.0.1 only, one request a connection, one after the other. Refuses
/// (403) whoever calls it by another name (a page of someone else whose name was bent to this address) and whoever
/// comes from another page; what is too large or too slow is dropped.
class HttpServer {
 public:
  using Answer = std::function<Response(const Request&)>;

  /// At the first free port from `port` on. Error (io) if there is none among the next hundred.
  explicit HttpServer(int port);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const { return port_; }
  void serve(const Answer& answer, const std::atomic<bool>& stop);  ///< until `stop`, which it sees within 0.2 s
  bool asker_is_gone() const;  ///< while an answer is made: does nobody wait for it any more?

 private:
  void converse(const Answer& answer) const;
  bool is_ours(const std::string& head) const;

  int socket_ = -1, port_ = 0;
  int client_ = -1;  // who asked last
};

}  // namespace maggi::app
