import Foundation
import Testing

/// The order of the targets, left to right: nothing may import what stands to its right.
private let order = [
  "COffprintGLib", "COffprintSQLite", "COffprintLibXML2", "COffprintPango", "COffprintCairo", "COffprintCodecs", "COffprintPixels",
  "COffprintLibraries", "COffprintDispatch", "OffprintCoreTypes", "OffprintResources", "OffprintConfiguration",
  "OffprintDOM", "OffprintCSS", "OffprintImages",
  "OffprintTypography", "OffprintLayout", "OffprintPainting", "OffprintRenderCache", "OffprintFonts", "Offprint", "OffprintObservability",
  "COffprintIsolation", "OffprintIsolation",
  "COffprintRemote", "OffprintRemote",
  "OffprintService", "OffprintCommandLine", "OffprintC", "offprint", "offprint-server",
]
/// The modules of the package that each module may import, besides CoreTypes.
private let allowed: [String: Set<String>] = [
  "OffprintCoreTypes": ["COffprintGLib", "COffprintLibraries"], "OffprintResources": ["OffprintCoreTypes"],
  "OffprintDOM": ["OffprintCoreTypes", "COffprintLibXML2"], "OffprintCSS": ["OffprintCoreTypes", "OffprintDOM"],
  "OffprintImages": ["OffprintCoreTypes", "COffprintCodecs", "COffprintCairo"],
  "OffprintTypography": ["OffprintCoreTypes", "OffprintCSS", "COffprintPango"],
  "OffprintLayout": ["OffprintCoreTypes", "OffprintCSS", "OffprintDOM", "OffprintImages", "OffprintTypography"],
  "OffprintPainting": [
    "OffprintCoreTypes", "OffprintCSS", "OffprintDOM", "OffprintImages", "OffprintTypography", "OffprintLayout", "COffprintCairo",
    "COffprintPixels",
  ], "OffprintRenderCache": ["OffprintCoreTypes", "COffprintSQLite"],
  "Offprint": [
    "OffprintCoreTypes", "OffprintResources", "OffprintDOM", "OffprintCSS", "OffprintImages", "OffprintTypography", "OffprintLayout",
    "OffprintPainting", "OffprintRenderCache", "OffprintFonts",
  ],
  "OffprintObservability": ["OffprintCoreTypes", "Offprint"],
  "OffprintCommandLine": ["OffprintCoreTypes", "Offprint", "OffprintIsolation", "OffprintRemote", "OffprintConfiguration"],
  "OffprintC": ["OffprintCoreTypes", "Offprint", "OffprintCommandLine"],
  "offprint": ["OffprintCoreTypes", "OffprintCommandLine", "OffprintService", "COffprintDispatch"],
  "OffprintRemote": ["OffprintCoreTypes", "OffprintRenderCache", "OffprintResources", "Offprint", "COffprintRemote"],
  "OffprintIsolation": ["OffprintCoreTypes", "OffprintResources", "Offprint", "COffprintIsolation"],
  "OffprintConfiguration": ["OffprintCoreTypes"], "offprint-server": ["OffprintService", "COffprintDispatch"],
  "OffprintService": [
    "OffprintCoreTypes", "Offprint", "OffprintRenderCache", "OffprintIsolation", "OffprintRemote", "OffprintConfiguration",
  ],
]
/// The folder of a target has its name without "Offprint", where that is there.
private func folder(_ target: String) -> URL {
  let own = root.appendingPathComponent("Sources/\(target)")
  return FileManager.default.fileExists(atPath: own.path)
    ? own : root.appendingPathComponent("Sources/\(target.replacing("Offprint", with: ""))")
}
private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

private func sources(_ target: String) throws -> [URL] {
  let files = FileManager.default.enumerator(at: folder(target), includingPropertiesForKeys: nil)
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

@Test("Each target imports only targets to its left", arguments: allowed.keys.sorted())
func importsGoLeft(target: String) throws {
  let files = try sources(target)
  #expect(!files.isEmpty)
  for file in files {
    for name in try imports(file) where order.contains(name) && name != target {
      #expect(allowed[target]?.contains(name) == true, "\(file.lastPathComponent) imports \(name)")
    }
  }
}

@Test("The manifest lists only allowed dependencies of each target")
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
    "COffprintGLib": ["OffprintCoreTypes"], "COffprintLibraries": ["OffprintCoreTypes"], "COffprintSQLite": ["OffprintRenderCache"],
    "COffprintLibXML2": ["OffprintDOM"], "COffprintPango": ["OffprintTypography"],
    "COffprintCodecs": ["OffprintImages"],
    "COffprintCairo": ["OffprintImages", "OffprintPainting"], "COffprintPixels": ["OffprintPainting"],
    "COffprintIsolation": ["OffprintIsolation"], "COffprintRemote": ["OffprintRemote"],
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

@Test("No dictionary has String keys from input, because String compares by canonical equivalence")
func keysAreBytes() throws {
  let pattern = /\[String\s*:|Set<String>|Dictionary<String/
  for target in [
    "OffprintCSS", "OffprintDOM", "OffprintLayout", "OffprintPainting", "OffprintImages", "OffprintTypography", "OffprintResources",
  ] {
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
    "OffprintCoreTypes", "OffprintDOM", "OffprintCSS", "OffprintImages", "OffprintTypography", "OffprintLayout", "OffprintPainting",
    "OffprintRenderCache", "OffprintResources", "OffprintRemote", "Offprint", "OffprintIsolation",
    "OffprintService", "OffprintConfiguration", "OffprintCommandLine", "offprint", "offprint-server",
  ] {
    for file in try sources(target) {
      let text = try String(contentsOf: file, encoding: .utf8)
      let found = text.firstMatch(of: pattern)?.0
      #expect(found == nil, "\(file.lastPathComponent) splits by Character; use split(byte:)")
    }
  }
}
