import OffprintCoreTypes
import OffprintImages

/// The output of `--version`: everything that determines the bytes of an image, for comparing machines.
package struct VersionReport: Sendable {
  private let libraries = LibrarySet.current
  private let formats = EncodedImageFormat.allCases.filter { $0.isAvailable }.map(\.rawValue)
  private let source = SharedLibraries.bundle ?? "of the system"

  package init() {}

  package var text: String {
    let width = libraries.members.map(\.name.utf8.count).max() ?? 0
    let lines = libraries.members.map { member in
      let space = String(repeating: " ", count: width - member.name.utf8.count)
      return "  \(member.name)\(space)  \(member.version) (\(member.file.buildID.prefix(16)))"
    }
    return """
      offprint \(Renderer.version)
      rendering revision: \(PreparedRequest.renderingRevision)
      formats: \(formats.joined(separator: ", "))
      libraries: \(source), digest \(libraries.digest.prefix(16))
      \(lines.joined(separator: "\n"))
      """
  }

  package var json: String {
    JSONValue.object([
      "version": .string(Renderer.version), "revision": .number(Double(PreparedRequest.renderingRevision)),
      "formats": .array(formats.map { .string($0) }), "bundled": .bool(SharedLibraries.bundle != nil),
      "librariesDigest": .string(libraries.digest),
      "libraries": .array(
        libraries.members.map { member in
          .object([
            "name": .string(member.name), "version": .string(member.version), "digest": .string(member.file.buildID),
            "file": .string(member.file.path),
          ])
        }),
    ]).text
  }
}
