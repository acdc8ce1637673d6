import OffprintTypography

@testable import Offprint

enum FontRegistryForTests {
  static let registry = FontRegistry(folders: (try? RendererConfiguration().resolvedFontFolders()) ?? [], includeSystemFonts: false)
}
