import OffprintCoreTypes
import Glibc

/// Locates the fonts that are part of the package.
/// https://github.com/swiftlang/swift-package-manager/blob/main/Documentation/PackageDescription.md#resource
enum BundledFonts {
  /// `OFFPRINT_FONTS` if set; otherwise, relative to the file of this code, the package's resources, `share/offprint/Fonts` beside its
  /// folder, or `Fonts` in a folder above it (when built in the package).
  static func find() -> String? {
    if let folder = getenv("OFFPRINT_FONTS") { return String(cString: folder) }
    guard let file = Program.objectPath else { return nil }
    var folders = file.split(byte: "/").dropLast()
    let place = "/" + folders.joined(separator: "/")
    if hasFonts("\(place)/\(resources)") { return "\(place)/\(resources)" }
    while !folders.isEmpty {
      let base = "/" + folders.joined(separator: "/")
      for candidate in ["\(base)/share/offprint/Fonts", "\(base)/Fonts"] where hasFonts(candidate) { return candidate }
      folders.removeLast()
    }
    return nil
  }

  /// The path that SwiftPM gives to the resources of a target: package, target.
  private static let resources = "offprint_OffprintFonts.resources/Fonts"

  private static func hasFonts(_ folder: String) -> Bool { access("\(folder)/LiberationSans-Regular.ttf", R_OK) == 0 }
}
