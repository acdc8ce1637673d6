package import OffprintCoreTypes

/// The result of claiming an identifier.
package enum IdentifierClaim: Hashable, Sendable {
  /// It had no owner and now belongs to the caller, since the time of the claim.
  case new(CacheTime)
  /// It belongs to the caller already, or the caller is an administrator.
  case held
  /// It belongs to another owner.
  case refused

  package var isNew: Bool { if case .new = self { true } else { false } }
  package var isGranted: Bool { self != .refused }
}

/// An identifier belongs to the owner it was first written for while it names a value, and for a day after that. Of the identifiers that
/// name nothing, each owner keeps the latest `maxUnusedClaims`.
extension RenderCache {
  /// How long claims without a value are kept; the value may still be rendering.
  private static let unusedClaimMilliseconds: Int64 = 86_400_000
  /// The age at which a claim is renewed.
  private static let renewalMilliseconds: Int64 = 3_600_000

  /// Claims an identifier without an owner for `owner`.
  /// - Parameters:
  ///   - owner: Who wants to write it; compared byte by byte.
  ///   - isAdministrator: Whether the caller may write identifiers of other owners, which does not change their owner.
  ///   - deadline: How long to wait for other writers of the index.
  /// - Throws: `cacheBusy`, `cacheReadOnly`, `cacheUnusable`. The owner is then unknown, and nothing may be written.
  package func claim(
    identifier: String, owner: String, isAdministrator: Bool = false, deadline: Deadline
  ) throws(CacheError) -> IdentifierClaim {
    let now = configuration.clock()
    let existing = try index.lookup { (db) throws(SQLiteError) in try IndexRows.owner(db, identifier) }
    if let existing, existing.isNamed || pending.withLock({ $0.names[identifier] != nil }),
      existing.owner.hasSameBytes(as: owner) || isAdministrator,
      now.milliseconds &- existing.claimed.milliseconds < Self.renewalMilliseconds
    {
      return .held
    }
    return try index.write(deadline) { db in
      try IndexRows.dropUnusedClaims(db, before: CacheTime(milliseconds: now.milliseconds - Self.unusedClaimMilliseconds), identifier)
      let before = try IndexRows.owner(db, identifier)
      // Later than every earlier claim, so that a failing earlier request does not release this one.
      let time = max(now, CacheTime(milliseconds: (before?.claimed.milliseconds ?? 0) &+ 1))
      try IndexRows.own(db, identifier, owner, time)
      guard let before else { return .new(time) }
      return isAdministrator || before.owner.hasSameBytes(as: owner) ? .held : .refused
    }
  }

  /// Releases a new claim whose value was not produced, unless the identifier names a value, belongs to another owner, or was claimed again
  /// by a later request of the same owner.
  ///
  /// - Parameter time: The time of the claim.
  /// - Throws: `cacheBusy`, `cacheReadOnly`, `cacheUnusable`. The claim then expires by its age.
  package func releaseClaim(identifier: String, owner: String, since time: CacheTime, deadline: Deadline) throws(CacheError) {
    // A pending identifier names a value already, though the index does not have it yet.
    if pending.withLock({ $0.names[identifier] != nil }) { return }
    try index.write(deadline) { db in
      guard let claim = try IndexRows.owner(db, identifier), claim.owner.hasSameBytes(as: owner), claim.claimed == time else { return }
      try IndexRows.dropUnusedClaims(db, before: CacheTime(milliseconds: time.milliseconds &+ 1), identifier)
    }
  }

  /// Deletes expired claims without a value.
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

  /// Writes a claim for an identifier without an owner; renews the claim of the same owner.
  static func own(_ db: SQLiteDatabase, _ identifier: String, _ owner: String, _ time: CacheTime) throws(SQLiteError) {
    try db.run(
      """
      INSERT INTO owner (identifier, owner, claimed) VALUES (?, ?, ?)
      ON CONFLICT (identifier) DO UPDATE SET claimed = excluded.claimed WHERE owner.owner = excluded.owner
      """, [.text(identifier), .text(owner), SQLiteValue(time)])
  }

  /// - Parameter identifier: The identifier to check; nil checks all.
  static func dropUnusedClaims(_ db: SQLiteDatabase, before time: CacheTime, _ identifier: String? = nil) throws(SQLiteError) {
    try db.run(
      """
      DELETE FROM owner WHERE claimed < ? AND (?2 IS NULL OR identifier = ?2)
        AND NOT EXISTS (SELECT 1 FROM name WHERE name.identifier = owner.identifier)
      """, [SQLiteValue(time), identifier.map { .text($0) } ?? .null])
  }

  /// Deletes the oldest claims without a value of each owner who has more than `count` of them.
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
