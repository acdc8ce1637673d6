import OffprintCoreTypes
import Glibc

/// `offprint-server healthcheck URL`, for containers, whose images contain no other HTTP client.
enum HealthCheck {
  private static let seconds = 3

  /// - Parameter arguments: Those after `healthcheck`: the URL of a service, or none for the default of `--listen`.
  /// - Returns: 0 if the service is ready, 1 if it is not or does not answer, 64 if the URL is invalid.
  static func run(_ arguments: ArraySlice<String>) -> Int32 {
    let address = arguments.first ?? "http://127.0.0.1:8080"
    guard arguments.count <= 1, let (host, port) = place(address) else {
      print("offprint: usage: healthcheck takes a URL such as http://127.0.0.1:8080.")
      return 64
    }
    return answer(host, port)?.starts(with: "HTTP/1.1 200 ".utf8) == true ? 0 : 1
  }

  private static func place(_ address: String) -> (host: String, port: String)? {
    guard address.hasPrefix("http://") else { return nil }
    let rest = address.dropFirst(7), authority = rest[..<(rest.firstIndex(ofByte: "/") ?? rest.endIndex)]
    guard let colon = authority.lastIndex(ofByte: ":"), !authority.hasSuffix("]") else { return (bare(authority), "80") }
    return (bare(authority[..<colon]), String(authority[authority.index(after: colon)...]))
  }

  /// Without the brackets of an IPv6 address.
  private static func bare(_ host: Substring) -> String { String(host.hasPrefix("[") ? host.dropFirst().dropLast() : host) }

  /// The beginning of the response; nil if absent.
  private static func answer(_ host: String, _ port: String) -> [UInt8]? {
    var hints = addrinfo(), found: UnsafeMutablePointer<addrinfo>?
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    guard getaddrinfo(host, port, &hints, &found) == 0, let first = found else { return nil }
    defer { freeaddrinfo(found) }
    let descriptor = socket(first.pointee.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    guard connect(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0 else { return nil }
    let request = Array("GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
    guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_WAITALL))
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }
}
