internal import Glibc
internal import Offprint

extension WorkerProcesses {
  /// Address space that is reserved but not used: thread stacks, the allocator's arenas, the program and its libraries.
  private static let reservedBytes = 2 << 30

  convenience init(_ configuration: RendererConfiguration, _ isolation: IsolationConfiguration) throws(OffprintError) {
    let folders = try configuration.resolvedFontFolders()
    self.init(
      isolation,
      Configuration(
        fontFolders: folders, usesSystemFonts: configuration.usesSystemFonts,
        cacheFolder: configuration.cacheFolder,
        addressBytes: min(max(0, isolation.memoryBytes), 1 << 50) + Self.reservedBytes, owner: Int(getpid())),
      size: configuration.workers)
  }
}
