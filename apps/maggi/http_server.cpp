#include "http_server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "maggi/error.hpp"

namespace maggi::app {

namespace {

constexpr int ports_tried = 100;
constexpr std::size_t most_head = 16'384, most_body = 1'048'576;
constexpr int request_patience = 2000;  // [ms] for the next bytes of a request
constexpr int look_around = 200;        // [ms] between looks at `stop`

std::string_view reason(int status) {
  switch (status) {
    case 200: return "OK";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 413: return "Content Too Large";
    default: return "Bad Request";
  }
}

/// Value of a header, without blanks; nothing if it is absent.
std::optional<std::string> header(std::string_view head, std::string_view name) {
  for (std::size_t at = head.find("\r\n"); at != std::string_view::npos; at = head.find("\r\n", at)) {
    at += 2;
    std::string_view line = head.substr(at, head.find("\r\n", at) - at);
    const std::size_t colon = line.find(':');
    const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    if (colon == std::string_view::npos || !std::ranges::equal(line.substr(0, colon), name, same)) continue;
    line.remove_prefix(std::min(line.find_first_not_of(" \t", colon + 1), line.size()));
    line.remove_suffix(line.size() - (line.find_last_not_of(" \t") + 1));
    return std::string(line);
  }
  return std::nullopt;
}

/// More of the request; false if nothing comes.
bool receive(int client, std::string& text) {
  pollfd wait{client, POLLIN, 0};
  if (poll(&wait, 1, request_patience) <= 0) return false;
  char buffer[8192];
  const ssize_t got = recv(client, buffer, sizeof buffer, 0);
  if (got <= 0) return false;
  text.append(buffer, static_cast<std::size_t>(got));
  return true;
}

void send_all(int client, std::string_view text) {
  while (!text.empty()) {
    pollfd wait{client, POLLOUT, 0};
    if (poll(&wait, 1, request_patience) <= 0) return;
    const ssize_t sent = send(client, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void respond(int client, const Response& response) {
  send_all(client, fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}; charset=utf-8\r\nContent-Length: {}\r\n"
                               "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
                               "Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n",
                               response.status, reason(response.status), response.type, response.body.size()));
  send_all(client, response.body);
  shutdown(client, SHUT_WR);
}

}  // namespace

HttpServer::HttpServer(int port) {
  for (port_ = port; port_ < std::min(port + ports_tried, 65536); ++port_) {
    socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int yes = 1;
    setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 && listen(socket_, 16) == 0)
      return;
    const int fault = errno;
    close(socket_);
    if (fault != EADDRINUSE)
      throw Error(Errc::io, {fmt::format("127.0.0.1:{}", port_)},
                  fmt::format("cannot listen there: {}", std::strerror(fault)), "--port N takes another port");
  }
  throw Error(Errc::io, {"127.0.0.1"}, fmt::format("no port from {} to {} is free", port, port_ - 1),
              "--port N begins elsewhere");
}

HttpServer::~HttpServer() { close(socket_); }

bool HttpServer::asker_is_gone() const {
  pollfd wait{client_, POLLRDHUP, 0};
  return poll(&wait, 1, 0) > 0;
}

void HttpServer::serve(const Answer& answer, const std::atomic<bool>& stop) {
  while (!stop) {
    pollfd wait{socket_, POLLIN, 0};
    if (poll(&wait, 1, look_around) <= 0) continue;
    client_ = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client_ < 0) continue;
    converse(answer);
    close(client_);
  }
}

bool HttpServer::is_ours(const std::string& head) const {
  const auto our_name = [&](std::string_view name) {
    return name == fmt::format("127.0.0.1:{}", port_) || name == fmt::format("localhost:{}", port_);
  };
  const std::optional<std::string> host = header(head, "host"), origin = header(head, "origin");
  const std::string site = header(head, "sec-fetch-site").value_or("none");
  return host && our_name(*host) &&
         (!origin || (origin->starts_with("http://") && our_name(std::string_view(*origin).substr(7)))) &&
         (site == "none" || site == "same-origin");
}

void HttpServer::converse(const Answer& answer) const {
  const int client = client_;
  std::string text;
  std::size_t end = std::string::npos;
  while ((end = text.find("\r\n\r\n")) == std::string::npos)
    if (text.size() > most_head || !receive(client, text)) return;
  const std::string head = text.substr(0, end + 2);
  Request request;
  const std::string_view first = std::string_view(head).substr(0, head.find("\r\n"));
  const std::size_t blank = first.find(' '), second = first.find(' ', blank + 1);
  if (second == std::string_view::npos) return respond(client, {400, "text/plain", "not a request\n"});
  request.method = first.substr(0, blank);
  request.path = first.substr(blank + 1, second - blank - 1);
  request.path.erase(std::min(request.path.find('?'), request.path.size()));
  if (!is_ours(head)) return respond(client, {403, "text/plain", "only the page of maggi view itself may ask\n"});

  std::size_t length = 0;
  const std::string given = header(head, "content-length").value_or("0");
  const auto [rest, fault] = std::from_chars(given.data(), given.data() + given.size(), length);
  if (fault != std::errc() || rest != given.data() + given.size())
    return respond(client, {400, "text/plain", "not a length\n"});
  if (length > most_body) return respond(client, {413, "text/plain", "too large\n"});
  request.body = text.substr(end + 4);
  while (request.body.size() < length)
    if (!receive(client, request.body)) return;
  request.body.resize(length);
  respond(client, answer(request));
}

}  // namespace maggi::app
