internal import OffprintCoreTypes
internal import Dispatch
internal import Glibc

/// Carries out the removals of other machines on its own thread, until the cache is closed. Its position in the list of removals is
/// stored in the cache's folder, so that removals made while no process used the folder are carried out at the next start.
final class RemovalFollower: Sendable {
  private weak let cache: RenderCache?
  private let tier: SecondTier
  private let file: String
  /// How long the store is asked to wait for a message.
  private static let patience = Duration.seconds(5)
  private static let pause = Duration.seconds(1)
  /// Messages are kept this long at least.
  private static let keptMilliseconds: Int64 = 6 * 86_400_000
  private static let maximumSeen = 10_000
  private static let writingInterval = Duration.seconds(600)

  init(_ cache: RenderCache, _ tier: SecondTier) {
    self.cache = cache
    self.tier = tier
    file = cache.folder.path + "/removals"
  }

  func start() {
    DispatchQueue(label: "offprint.cache.removals", qos: .utility).async { self.run() }
  }

  private var isOver: Bool { cache?.closing.withLock { $0 != nil } ?? true }

  private func run() {
    var position: String?
    var seen: [String] = []
    var written = ContinuousClock.now
    while !isOver {
      do {
        let start = try position ?? firstPosition()
        let next = try advance(from: start, &seen)
        if next != start || written.duration(to: .now) > Self.writingInterval {
          write(next)
          written = .now
        }
        position = next
        if let interval = tier.remote.pollingInterval { pauseUnlessOver(interval) }
      } catch {
        // The store reports its own failures when it is used.
        pauseUnlessOver(Self.pause)
      }
    }
  }

  /// Ends early when the cache is closed.
  private func pauseUnlessOver(_ duration: Duration) {
    let deadline = Deadline(after: duration)
    while !deadline.hasPassed, !isOver { Pause.milliseconds(100) }
  }

  /// Carries out the messages after a position.
  private func advance(from position: String, _ seen: inout [String]) throws -> String {
    let messages = try tier.remote.messages(after: position, waiting: Self.patience).filter { !seen.contains($0.position) }
    for message in messages {
      guard let cache, !isOver else { return position }
      if let removal = SharedRemoval(message.bytes), removal.origin != tier.origin {
        try cache.carryOut(removal)
        tier.configuration.removed()
      }
      seen.append(message.position)
    }
    if seen.count > Self.maximumSeen { seen.removeFirst(seen.count - Self.maximumSeen / 2) }
    // A message of a machine whose clock is behind can arrive late.
    let last = messages.last?.position ?? position
    return tier.remote.pollingInterval == nil ? last : max(last, position)
  }

  // MARK: The position

  /// The position in the folder. If messages after it may be missing, all images of the folder are removed first.
  private func firstPosition() throws -> String {
    if let stored = readPosition() {
      if !stored.isOld, try !tier.remote.hasDropped(after: stored.position) { return stored.position }
      let latest = try tier.remote.latestPosition()
      try cache?.clear()
      tier.configuration.removed()
      write(latest)
      return latest
    }
    let latest = try tier.remote.latestPosition()
    write(latest)
    return latest
  }

  private func readPosition() -> (position: String, isOld: Bool)? {
    guard let bytes = FileSystem.read(file, limit: 4096, followsLinks: false), let record = SharedRecord(bytes),
      record.values("store").first?.hasSameBytes(as: tier.address) == true, let position = record.values("position").first,
      let time = record.values("time").first.flatMap({ Int64($0) })
    else { return nil }
    return (position, CacheTime.now().milliseconds - time > Self.keptMilliseconds)
  }

  private func write(_ position: String) {
    guard let cache else { return }
    let record = SharedRecord([("store", tier.address), ("position", position), ("time", "\(CacheTime.now().milliseconds)")])
    let temporary = cache.temporaryPath()
    guard (try? FileSystem.write(record.encode(), to: temporary, synchronized: false)) != nil else { return }
    if rename(temporary, file) != 0 { unlink(temporary) }
  }
}
