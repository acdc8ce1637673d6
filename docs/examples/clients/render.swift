// Renders a page: swiftc -parse-as-library render.swift && ./render http://127.0.0.1:8080 out.png   (set OFFPRINT_TOKEN if the
// service requires a token)
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An error of the service: https://www.rfc-editor.org/rfc/rfc9457
struct Problem: Error, Decodable {
  var code: String
  var detail: String
}

/// The PNG of a job. If the service is overloaded, waits as long as Retry-After specifies.
func render(_ address: String, _ job: [String: Any], token: String?, tries: Int = 4) async throws -> Data {
  guard let url = URL(string: "\(address)/render") else { throw URLError(.badURL) }
  var request = URLRequest(url: url, timeoutInterval: 60)
  request.httpMethod = "POST"
  request.httpBody = try JSONSerialization.data(withJSONObject: job)
  request.setValue("application/json", forHTTPHeaderField: "Content-Type")
  if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
  for attempt in 1... {
    let (data, response) = try await URLSession.shared.data(for: request)
    guard let answer = response as? HTTPURLResponse else { break }
    if answer.statusCode == 200 { return data }
    let problem = try JSONDecoder().decode(Problem.self, from: data)
    guard [429, 503].contains(answer.statusCode), attempt < tries else { throw problem }
    let seconds = answer.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init) ?? Double(attempt)
    try await Task.sleep(for: .seconds(seconds))
  }
  throw URLError(.badServerResponse)
}

@main struct Client {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let token = ProcessInfo.processInfo.environment["OFFPRINT_TOKEN"]
    do {
      let picture = try await render(arguments[1], ["html": "<h1>Hello</h1>", "width": 400, "scale": 2], token: token)
      try picture.write(to: URL(fileURLWithPath: arguments[2]))
    } catch let problem as Problem {
      FileHandle.standardError.write(Data("\(problem.code): \(problem.detail)\n".utf8))
      exit(1)
    }
  }
}
