package import OffprintCoreTypes

/// What became of a wish to write an identifier.
package enum IdentifierClaim: Hashable, Sendable {
  /// It had no owner, and now has this one, since the time of the claim.
  case new(CacheTime)
  /// It had this owner, or an administrator writes it.
  case held
  /// It is another's.
  case refused

  package var isNew: Bool { if case .new = self { true } else { false } }
  package var isGranted: Bool { self != .refused }
}

/// Identifiers belong to whom they were first written for, as long as they name a value, and for a day after that: of those that name
/// nothing, the last `maxUnusedClaims` of each owner.
extension RenderCache {
  /// Claims that name nothing are kept for so long: the value may still be in the making.
  private static let unusedClaimMilliseconds: Int64 = 86_400_000
  /// A claim is written again when it is older.
  private static let renewalMilliseconds: Int64 = 3_600_000

  /// Gives an identifier that has no owner to `owner`.
  /// - Parameters:
  ///   - owner: who wants to write it, compared byte by byte.
  ///   - isAdministrator: may write what is another's, which stays the other's.
  ///   - deadline: how long to wait for others that write the index.
  /// - Throws: `cacheBusy`, `cacheReadOnly`, `cacheUnusable`: then nothing is known, and nothing may be written.
  package func claim(
    identifier: String, owner: String, isAdministrator: Bool = false, deadline: Deadline
  ) throws(CacheError) -> IdentifierClaim {
    let now = configuration.clock()
    let known = try index.lookup { (db) throws(SQLiteError) in try IndexRows.owner(db, identifier) }
    if let known, known.isNamed || pending.withLock({ $0.names[identifier] != nil }),
      known.owner.hasSameBytes(as: owner) || isAdministrator, now.milliseconds &- known.claimed.milliseconds < Self.renewalMilliseconds
    {
      return .held
    }
    return try index.write(deadline) { db in
      try IndexRows.dropUnusedClaims(db, before: CacheTime(milliseconds: now.milliseconds - Self.unusedClaimMilliseconds), identifier)
      let before = try IndexRows.owner(db, identifier)
      // Later than every earlier claim, so that an earlier request that fails does not release this one.
      let time = max(now, CacheTime(milliseconds: (before?.claimed.milliseconds ?? 0) &+ 1))
      try IndexRows.own(db, identifier, owner, time)
      guard let before else { return .new(time) }
      return isAdministrator || before.owner.hasSameBytes(as: owner) ? .held : .refused
    }
  }

  /// Takes back a new claim whose value was not made. One that names a value stays, and so do another's and one that a later request of the
  /// same owner relies on.
  ///
  /// - Parameter time: of the claim.
  /// - Throws: `cacheBusy`, `cacheReadOnly`, `cacheUnusable`: then the claim ends by its time.
  package func releaseClaim(identifier: String, owner: String, since time: CacheTime, deadline: Deadline) throws(CacheError) {
    // Names reach the index later.
    if pending.withLock({ $0.names[identifier] != nil }) { return }
    try index.write(deadline) { db in
      guard let claim = try IndexRows.owner(db, identifier), claim.owner.hasSameBytes(as: owner), claim.claimed == time else { return }
      try IndexRows.dropUnusedClaims(db, before: CacheTime(milliseconds: time.milliseconds &+ 1), identifier)
    }
  }

  /// Forgets claims that name nothing any more.
  func dropUnusedClaims(_ patience: Duration) throws(CacheError) {
    let limit = CacheTime(milliseconds: configuration.clock().milliseconds - Self.unusedClaimMilliseconds)
    try index.write(Deadline(after: patience)) { db in
      try IndexRows.dropUnusedClaims(db, before: limit)
      try IndexRows.dropUnusedClaims(db, exceeding: configuration.maxUnusedClaims)
    }
  }
}

extension IndexRows {
  struct Claim {
    var owner: String
    var claimed: CacheTime
    /// Whether the identifier names a value.
    var isNamed: Bool
  }

  static func owner(_ db: SQLiteDatabase, _ identifier: String) throws(SQLiteError) -> Claim? {
    try db.first(
      "SELECT owner, claimed, EXISTS (SELECT 1 FROM name WHERE name.identifier = owner.identifier) FROM owner WHERE identifier = ?",
      [.text(identifier)]
    ) { row in
      row.text(0).flatMap { owner in row.time(1).map { Claim(owner: owner, claimed: $0, isNamed: row.integer(2) != 0) } }
    } ?? nil
  }

  /// Writes a claim for an identifier that has no owner; renews the time of a claim of the same owner.
  static func own(_ db: SQLiteDatabase, _ identifier: String, _ owner: String, _ time: CacheTime) throws(SQLiteError) {
    try db.run(
      """
      INSERT INTO owner (identifier, owner, claimed) VALUES (?, ?, ?)
      ON CONFLICT (identifier) DO UPDATE SET claimed = excluded.claimed WHERE owner.owner = excluded.owner
      """, [.text(identifier), .text(owner), SQLiteValue(time)])
  }

  /// - Parameter identifier: nil: of all.
  static func dropUnusedClaims(_ db: SQLiteDatabase, before time: CacheTime, _ identifier: String? = nil) throws(SQLiteError) {
    try db.run(
      """
      DELETE FROM owner WHERE claimed < ? AND (?2 IS NULL OR identifier = ?2)
        AND NOT EXISTS (SELECT 1 FROM name WHERE name.identifier = owner.identifier)
      """, [SQLiteValue(time), identifier.map { .text($0) } ?? .null])
  }

  /// Drops the oldest claims that name nothing, where an owner has more of them than `count`.
  static func dropUnusedClaims(_ db: SQLiteDatabase, exceeding count: Int) throws(SQLiteError) {
    try db.run(
      """
      DELETE FROM owner WHERE identifier IN (
        SELECT identifier FROM (
          SELECT identifier, row_number() OVER (PARTITION BY owner ORDER BY claimed DESC) AS number FROM owner
          WHERE NOT EXISTS (SELECT 1 FROM name WHERE name.identifier = owner.identifier)
        ) WHERE number > ?)
      """, [SQLiteValue(count)])
  }

  static func disown(_ db: SQLiteDatabase, _ identifier: String) throws(SQLiteError) {
    try db.run("DELETE FROM owner WHERE identifier = ?", [.text(identifier)])
  }
}
