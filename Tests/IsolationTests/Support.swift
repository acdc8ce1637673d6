import Foundation
import Offprint
import Testing

@testable import OffprintIsolation

/// The programs that the tests start.
enum Programs {
  private static let folder: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL.deletingLastPathComponent()
    return bundle ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  }()
  /// A worker that misbehaves as its page specifies.
  static let peer = folder.appendingPathComponent("offprint-isolation-peer").path
  static let offprint = folder.appendingPathComponent("offprint").path
}

/// The root of the package.
let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

extension RendererConfiguration {
  /// Without a cache.
  static func forTests(workers: Int = 1) -> RendererConfiguration {
    var configuration = RendererConfiguration()
    configuration.bundledFontFolder = root.appendingPathComponent("Fonts").path
    configuration.workers = workers
    return configuration
  }
}

extension IsolatedRenderer {
  /// Workers that misbehave on request.
  static func forTests(
    workers: Int = 1, change: (inout IsolationConfiguration, inout RendererConfiguration) -> Void = { _, _ in }
  ) throws -> IsolatedRenderer {
    var isolation = IsolationConfiguration(program: Programs.peer)
    // On a busy machine, processes can start late.
    isolation.startSeconds = 60
    var configuration = RendererConfiguration.forTests(workers: workers)
    change(&isolation, &configuration)
    return try IsolatedRenderer(configuration, isolation: isolation)
  }

  /// The error of a page.
  func failure(_ request: RenderRequest) async -> OffprintError? {
    do throws(OffprintError) {
      _ = try await render(request)
      return nil
    } catch {
      return error
    }
  }
}

extension RenderRequest {
  /// With a generous time limit for busy machines.
  static func page(_ html: String) -> RenderRequest {
    var request = RenderRequest(html: html)
    request.limits.seconds = 120
    return request
  }

  static func harm(_ word: String, seconds: Double = 60) -> RenderRequest {
    var request = RenderRequest(html: "<!--harm \(word)--><p>text")
    request.limits.seconds = seconds
    return request
  }
}

/// From `/proc/PID/stat`; nil for a process that has ended or is a zombie.
func parent(of process: pid_t) -> pid_t? {
  guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8), let end = text.lastIndex(of: ")") else {
    return nil
  }
  let fields = text[text.index(after: end)...].split(separator: " ")
  guard fields.count > 1, fields[0] != "Z" else { return nil }
  return pid_t(fields[1])
}

/// The running child processes of `owner`.
func children(of owner: pid_t) -> [pid_t] {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
  return names.compactMap { pid_t($0) }.filter { parent(of: $0) == owner }
}
