import Foundation
import Testing

@Suite("The library's documentation")
struct DocumentationTests {
  private static let sources = OwnPages.folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources")

  private func files(_ folder: String, _ ending: String) -> [URL] {
    let found = FileManager.default.enumerator(at: Self.sources.appendingPathComponent(folder), includingPropertiesForKeys: nil)
    return (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == ending }
  }

  @Test("Every public symbol has its own comment", arguments: ["Offprint", "OffprintObservability"])
  func symbols(_ target: String) throws {
    for file in files(target, "swift") where !file.path.contains(".docc/") {
      let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      for (index, line) in lines.enumerated() where line.hasPrefix("public ") {
        // Protocol requirements and memberwise initializers need no comment.
        if line.contains(/^public (import|init\(|func encode|static func ==|var description)/) { continue }
        let before = lines[..<index].last { !$0.hasPrefix("@") } ?? ""
        #expect(before.hasPrefix("///"), "\(file.lastPathComponent):\(index + 1): \(line)")
      }
    }
  }

  @Test("Every public type is listed in the catalog")
  func catalogue() throws {
    let page = try String(contentsOf: Self.sources.appendingPathComponent("Offprint/Offprint.docc/Offprint.md"), encoding: .utf8)
    for file in files("Offprint", "swift") where !file.path.contains(".docc/") {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /(?m)^public (?:final class|struct|enum|typealias) (\w+)/) {
        #expect(page.contains("``\(match.1)``"), "\(match.1) has no place in Offprint.md")
      }
    }
  }

  @Test("The tutorial's code files exist, and every file is shown")
  func tutorial() throws {
    let steps = try files("Offprint/Offprint.docc", "tutorial").map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    let shown = Set(steps.matches(of: /file: "([^"]+)"/).map { String($0.1) })
    #expect(Set(files("Offprint/Offprint.docc/Resources", "swift").map(\.lastPathComponent)) == shown)
    #expect(shown.count == 4)
  }
}
