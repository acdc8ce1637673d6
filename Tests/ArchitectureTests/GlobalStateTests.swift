import Foundation
import Testing

/// Everything in Sources that can change and belongs to the process: "folder/file: name". Each has its reason in docs/architecture.md.
/// Whatever else changes is a member of the renderer, the worker or the service that owns it.
private let globalState: Set<String> = [
  // Facts of the process, written before or while it starts.
  "CLibraries/program.c: argument_count", "CLibraries/program.c: argument_values", "CLibraries/program.c: relative_program",
  "CLibraries/program.c: role", "CLibraries/files.c: folder", "CLibraries/files.c: folder_once",
  // Libraries that are open, which are open for the whole process.
  "CLibraries/libraries.c: message", "CCodecs/avif.c: avif", "CCodecs/avif.c: once", "CIsolation/seccomp.c: lib",
  "CIsolation/seccomp.c: failed", "CRemote/http.c: curl", "CRemote/http.c: once", "CRemote/redis.c: redis", "CRemote/redis.c: once",
  "DOM/LoadedConverters.swift: converters",
  // Names that must differ within the process, and keys that it hands out.
  "Typography/FontFace.swift: nextIdentifier", "Painting/VectorFonts.swift: key", "Isolation/ThreadScheduling.swift: key",
  // The command line has its process to itself: arguments, standard streams, signals.
  "OffprintCommandLine/CommandArguments.swift: kept", "OffprintCommandLine/RenderFastPath.swift: isActive",
  "OffprintCommandLine/TemplateOptions.swift: kept", "OffprintCommandLine/Output.swift: failure",
  "OffprintCommandLine/Output.swift: jsonMode", "OffprintCommandLine/StatusLine.swift: shown",
  "OffprintCommandLine/Interruption.swift: flag",
]

private let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// A variable, or a constant of a type whose values change, that no instance has.
private func globalName(swift line: Substring) -> Substring? {
  let changing = /\b(Mutex|Atomic|AtomicLazyReference|Monitor|ThreadSpecificVariable|pthread_key_t|NSLock)\b/
  let isGlobal = line.contains(#/\bstatic (let|var) /#) || line.contains(/^(\w+ |nonisolated\(unsafe\) )*(let|var) \w/)
  guard isGlobal, let name = line.firstMatch(of: /\b(?:let|var) `?(\w+)/)?.1 else { return nil }
  let isStored = line.contains(#/\bvar \w+(: [^={]+)? = |\bvar \w+: [^={]+$/#)
  return isStored || line.contains("nonisolated(unsafe)") || line.contains(changing) && line.contains(/\blet \w/) ? name : nil
}

/// A declaration with static storage that is not constant.
private func globalName(c line: Substring) -> Substring? {
  guard let match = line.firstMatch(of: #/^\s*static (?!const\b|inline\b)[\w \*]*?\*?(\w+)(\[[^\]]*\])*( = [^()]*)?;/#) else { return nil }
  return line.contains(#/\*const \w+/#) && !line.contains("argument_values") ? nil : match.1
}

private func globals(in file: URL) throws -> [Substring] {
  guard ["swift", "c", "h"].contains(file.pathExtension) else { return [] }
  let text = try String(contentsOf: file, encoding: .utf8), lines = text.split(separator: "\n")
  switch file.pathExtension {
  case "swift": return lines.compactMap { globalName(swift: $0) }
  default: return lines.compactMap { globalName(c: $0) } + text.matches(of: /\bstatic struct \{[^}]*\} (\w+)/).map { $0.1 }
  }
}

@Test("Process-wide state is listed, and the documentation gives the reasons")
func globalStateIsListed() throws {
  let sources = repository.appendingPathComponent("Sources")
  var found: Set<String> = []
  for target in try FileManager.default.contentsOfDirectory(atPath: sources.path) {
    let files = FileManager.default.enumerator(at: sources.appendingPathComponent(target), includingPropertiesForKeys: nil)
    for case let file as URL in files ?? .init() {
      for name in try globals(in: file) { found.insert("\(target)/\(file.lastPathComponent): \(name)") }
    }
  }
  #expect(found.subtracting(globalState) == [], "make global state a member of its owner")
  #expect(globalState.subtracting(found) == [], "remove entries that no longer exist")
  let text = try String(contentsOf: repository.appendingPathComponent("docs/architecture.md"), encoding: .utf8)
  for entry in globalState {
    let file = entry.split(separator: ":")[0].split(separator: "/")[1].split(separator: ".")[0]
    #expect(text.contains("`\(file)"), "docs/architecture.md gives no reason for \(entry)")
  }
}

@Test("Declarations are recognized as process-wide state")
func recognizesGlobals() {
  #expect(globalName(swift: "  private static let left = Atomic<Int>(0)") == "left")
  #expect(globalName(swift: "  static var count = 0") == "count" && globalName(swift: "var known: [Int] = []") == "known")
  #expect(globalName(swift: "  static var count: Int { 0 }") == nil && globalName(swift: "  private let left = Atomic<Int>(0)") == nil)
  #expect(globalName(c: "static pthread_once_t once = PTHREAD_ONCE_INIT;") == "once" && globalName(c: "  static char text[8];") == "text")
  #expect(globalName(c: "static const int depth = 3;") == nil && globalName(c: "static int find(int depth);") == nil)
}
