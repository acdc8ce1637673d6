import Foundation
import Testing

/// The order of the targets, left to right: nothing may import what stands to its right.
private let order = [
  "CGLib", "CSQLite", "CLibXML2", "CPango", "CCairo", "CCodecs", "CPixels", "CLibraries", "CoreTypes", "Resources", "OffprintConfiguration",
  "DOM", "CSS", "Images",
  "Typography", "Layout", "Painting", "RenderCache", "OffprintFonts", "Offprint", "OffprintObservability", "CIsolation", "Isolation",
  "CRemote", "Remote",
  "OffprintService", "offprint", "offprint-server",
]
/// What each may import of the package, besides CoreTypes.
private let allowed: [String: Set<String>] = [
  "CoreTypes": ["CGLib", "CLibraries"], "Resources": ["CoreTypes"], "DOM": ["CoreTypes", "CLibXML2"], "CSS": ["CoreTypes", "DOM"],
  "Images": ["CoreTypes", "CCodecs", "CCairo"], "Typography": ["CoreTypes", "CSS", "CPango"],
  "Layout": ["CoreTypes", "CSS", "DOM", "Images", "Typography"],
  "Painting": ["CoreTypes", "CSS", "DOM", "Images", "Typography", "Layout", "CCairo", "CPixels"], "RenderCache": ["CoreTypes", "CSQLite"],
  "Offprint": ["CoreTypes", "Resources", "DOM", "CSS", "Images", "Typography", "Layout", "Painting", "RenderCache", "OffprintFonts"],
  "OffprintObservability": ["CoreTypes", "Offprint"],
  "offprint": ["CoreTypes", "Offprint", "Isolation", "Remote", "OffprintConfiguration", "OffprintService"],
  "Remote": ["CoreTypes", "RenderCache", "Resources", "Offprint", "CRemote"],
  "Isolation": ["CoreTypes", "Resources", "Offprint", "CIsolation"],
  "OffprintConfiguration": ["CoreTypes"], "offprint-server": ["OffprintService"],
  "OffprintService": ["CoreTypes", "Offprint", "RenderCache", "Isolation", "Remote", "OffprintConfiguration"],
]
/// Where a target's sources stand in a folder of another name.
private let folders = ["OffprintConfiguration": "Configuration"]
private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

private func sources(_ target: String) throws -> [URL] {
  let folder = root.appendingPathComponent("Sources/\(folders[target] ?? target)")
  let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
  return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
}

private func imports(_ file: URL) throws -> [String] {
  try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
    let words = line.split(separator: " ")
    guard let index = words.firstIndex(of: "import"), index <= 2, !line.hasPrefix("//"), words.indices.contains(index + 1) else {
      return nil
    }
    return String(words[index + 1])
  }
}

@Test("Each target imports only what stands to its left", arguments: allowed.keys.sorted())
func importsGoLeft(target: String) throws {
  let files = try sources(target)
  #expect(!files.isEmpty)
  for file in files {
    for name in try imports(file) where order.contains(name) && name != target {
      #expect(allowed[target]?.contains(name) == true, "\(file.lastPathComponent) imports \(name)")
    }
  }
}

@Test("The manifest gives each target no more than it may import")
func manifestKeepsOrder() throws {
  let manifest = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
  let pattern = /library\(\s*"(\w+)",\s*\[([^\]]*)\]/
  var seen = 0
  for match in manifest.matches(of: pattern) {
    seen += 1
    let target = String(match.1)
    for name in match.2.matches(of: /"(\w+)"/).map({ String($0.1) }) {
      #expect(allowed[target]?.contains(name) == true, "\(target) depends on \(name)")
    }
  }
  #expect(seen >= 10)
}

@Test("Each C library has one owner that imports it, Cairo two")
func oneOwner() throws {
  let owners = [
    "CGLib": ["CoreTypes"], "CLibraries": ["CoreTypes"], "CSQLite": ["RenderCache"], "CLibXML2": ["DOM"], "CPango": ["Typography"],
    "CCodecs": ["Images"],
    "CCairo": ["Images", "Painting"], "CPixels": ["Painting"], "CIsolation": ["Isolation"], "CRemote": ["Remote"],
  ]
  for target in allowed.keys {
    for file in try sources(target) {
      for name in try imports(file) {
        if let owner = owners[name] { #expect(owner.contains(target), "\(target) imports \(name)") }
      }
    }
  }
}

@Test("No source force-unwraps with try!, as! or fatalError")
func neverTraps() throws {
  for target in allowed.keys {
    for file in try sources(target) {
      let text = try String(contentsOf: file, encoding: .utf8)
      for word in ["try!", "as!", "fatalError("] {
        #expect(!text.contains(word), "\(file.lastPathComponent) has \(word)")
      }
    }
  }
}

@Test("Names from outside key no dictionary as String, which compares them by canonical equivalence")
func keysAreBytes() throws {
  let pattern = /\[String\s*:|Set<String>|Dictionary<String/
  for target in ["CSS", "DOM", "Layout", "Painting", "Images", "Typography", "Resources"] {
    for file in try sources(target) {
      let text = try String(contentsOf: file, encoding: .utf8)
      let found = text.firstMatch(of: pattern)?.0
      #expect(found == nil, "\(file.lastPathComponent) keys by String; use ByteString")
    }
  }
}

@Test("Text is split and searched by bytes, not by Character")
func splitsBytes() throws {
  let pattern =
    /split\(separator: "|(first|last)Index\(of: "\\?."\)|\.split \{ \$0 == "|whereSeparator: \{ \$0 == "|\$0\.isWhitespace|\\\.isWhitespace|isNewline/
  for target in [
    "CoreTypes", "DOM", "CSS", "Images", "Typography", "Layout", "Painting", "RenderCache", "Resources", "Remote", "Offprint", "Isolation",
    "OffprintService", "OffprintConfiguration", "offprint", "offprint-server",
  ] {
    for file in try sources(target) {
      let text = try String(contentsOf: file, encoding: .utf8)
      let found = text.firstMatch(of: pattern)?.0
      #expect(found == nil, "\(file.lastPathComponent) splits by Character; use split(byte:)")
    }
  }
}
