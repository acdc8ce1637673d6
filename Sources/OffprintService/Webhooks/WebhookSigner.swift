import OffprintCoreTypes
import Offprint

/// Signs webhooks so that their receivers can verify the sender.
///
/// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#webhook-headers-sending-metadata-to-consumers
struct WebhookSigner: Sendable {
  private var secrets: [[UInt8]] = []

  private static let prefix = "whsec_"
  private static let sizes = 24...64

  var isEmpty: Bool { secrets.isEmpty }

  init() {}

  /// One secret per line: `NAME whsec_…`. All of them sign, so that receivers can change to a new one at any time.
  ///
  /// - Throws: `dataInvalid`, which names the line and never the secret.
  init(file: [UInt8]) throws(OffprintError) {
    for line in SecretLines(file).lines {
      guard line.words.count == 2, let secret = Self.secret(line.words[1]) else {
        throw OffprintError(
          .dataInvalid,
          "Line \(line.number) of the webhook keys is not 'NAME SECRET', where the secret is 'whsec_' and 24 to 64 bytes in base64.")
      }
      secrets.append(secret)
    }
    guard !secrets.isEmpty else { throw OffprintError(.dataInvalid, "The file of webhook keys contains no secret.") }
  }

  private static func secret(_ word: ArraySlice<UInt8>) -> [UInt8]? {
    guard word.starts(with: prefix.utf8), let bytes = Base64.decode(String(decoding: word.dropFirst(prefix.utf8.count), as: UTF8.self)),
      sizes.contains(bytes.count)
    else { return nil }
    return bytes
  }

  /// The header fields of a message.
  ///
  /// - Parameter seconds: The time of this attempt, since 1970. Receivers reject old messages.
  func headers(id: String, seconds: Int, body: [UInt8]) -> [String] {
    let message = Array("\(id).\(seconds).".utf8) + body
    let signatures = secrets.compactMap { HMACSHA256.code(message, key: $0) }.map { "v1,\(Base64.encode($0))" }
    return ["webhook-id: \(id)", "webhook-timestamp: \(seconds)", "webhook-signature: \(signatures.joined(separator: " "))"]
  }
}
