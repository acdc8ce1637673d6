import OffprintCoreTypes
import HTTPTypes
import Offprint

/// A permission beyond what every client may do.
enum Scope: String, Hashable, Sendable, CaseIterable {
  /// Render pages, read images by name, sign URLs.
  case render
  /// Remove images, inspect the cache and the statistics.
  case admin
}

/// The sender of a request.
struct Client: Hashable, Sendable {
  /// The key by which concurrent requests are counted.
  enum Identity: Hashable, Sendable { case token(ByteString), address(ByteString) }
  var identity: Identity
  var scopes: Set<Scope>

  init(token: String, scopes: Set<Scope>) { (identity, self.scopes) = (.token(ByteString(token)), scopes) }
  init(address: String, scopes: Set<Scope>) { (identity, self.scopes) = (.address(ByteString(address)), scopes) }

  /// For logs and owners of identifiers: `token:` and the token's name, or the IP address.
  var name: String {
    switch identity {
    case .token(let name): "token:\(name.text)"
    case .address(let address): address.text
    }
  }

  /// The name of the client's token.
  var token: String? { if case .token(let name) = identity { name.text } else { nil } }
}

/// Bearer tokens (https://www.rfc-editor.org/rfc/rfc6750) and the keys of signed URLs.
struct AccessControl: Sendable {
  struct Token: Sendable {
    var name: String
    var scopes: Set<Scope>
    /// Secrets are compared by their digests, so that timing does not reveal where they differ.
    var digest: [UInt8]
  }

  var tokens: [Token] = []
  var signer = AddressSigner(keys: [])
  var webhookSigner = WebhookSigner()
  var isOff = false

  init() {}

  init(_ settings: ServiceSettings) throws(OffprintError) {
    isOff = settings.isAuthenticationOff
    if let file = settings.tokensFile { tokens = try Self.tokens(SecretFile.read(file, what: "tokens")) }
    if let file = settings.keysFile { signer = try AddressSigner(file: SecretFile.read(file, what: "keys")) }
    if let file = settings.webhookKeysFile { webhookSigner = try WebhookSigner(file: SecretFile.read(file, what: "webhook keys")) }
    if !isOff && tokens.isEmpty && signer.keys.isEmpty {
      throw OffprintError(
        .usage,
        "No client could use the service: set a token file with --tokens or a key file with --keys, or disable authentication with --no-auth."
      )
    }
  }

  /// One token per line: `NAME SCOPES SECRET`, with scopes separated by commas.
  ///
  /// - Throws: `dataInvalid`, which names the line and never the secret.
  static func tokens(_ file: [UInt8]) throws(OffprintError) -> [Token] {
    var tokens: [Token] = []
    for line in SecretLines(file).lines {
      let scopes = line.words.count == 3 ? line.words[1].split(separator: UInt8(ascii: ",")).map(Self.scope) : []
      guard !scopes.isEmpty, scopes.allSatisfy({ $0 != nil }) else {
        throw OffprintError(
          .dataInvalid,
          "Line \(line.number) of the tokens is not 'NAME SCOPES SECRET', where SCOPES is 'render', 'admin' or 'render,admin'.")
      }
      guard line.words[2].count >= 16 else { throw OffprintError(.dataInvalid, "The token '\(line.name)' is shorter than 16 bytes.") }
      tokens.append(Token(name: line.name, scopes: Set(scopes.compactMap(\.self)), digest: SHA256.hash(Array(line.words[2]))))
    }
    return tokens
  }

  private static func scope(_ name: ArraySlice<UInt8>) -> Scope? { Scope(rawValue: String(decoding: name, as: UTF8.self)) }

  /// - Parameter address: The client's IP address, for counting.
  /// - Throws: `unauthorized` if the token is unknown.
  func client(_ headers: HTTPFields, address: String) throws(ServiceError) -> Client {
    if isOff { return Client(address: address, scopes: Set(Scope.allCases)) }
    guard let header = headers[.authorization] else { return Client(address: address, scopes: []) }
    let words = header.split(byte: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "bearer" else { throw Self.unauthorized("Only bearer tokens are supported.") }
    let digest = SHA256.hash(Array(words[1].trimmed.utf8))
    var found: Token?
    for token in tokens where HMACSHA256.areEqual(token.digest, digest) { found = token }
    guard let token = found else { throw Self.unauthorized("The token is unknown.", error: "invalid_token") }
    return Client(token: token.name, scopes: token.scopes)
  }

  static func unauthorized(_ message: String, error: String? = nil) -> ServiceError {
    let detail = error.map { ", error=\"\($0)\"" } ?? ""
    return ServiceError(.unauthorized, message, headers: [.wwwAuthenticate: "Bearer realm=\"offprint\"\(detail)"])
  }

  /// - Throws: `unauthorized` or `forbidden`.
  func require(_ scope: Scope, _ client: Client) throws(ServiceError) {
    if client.scopes.contains(scope) { return }
    if client.scopes.isEmpty { throw Self.unauthorized("This request requires a token with the scope '\(scope.rawValue)'.") }
    throw ServiceError(.forbidden, "The token does not have the scope '\(scope.rawValue)'.")
  }

  /// - Throws: Why a request without a token was refused.
  func requireSignature(path: Substring, _ query: QueryItems, now: Int) throws(ServiceError) {
    do throws(AddressSigner.Refusal) {
      try signer.verify(path: path, query, now: now)
    } catch {
      switch error {
      case .unsigned:
        throw ServiceError(
          .signatureMissing, "The URL is not signed and the request has no token; sign the URL with 'offprint sign', or send a token.",
          headers: [.wwwAuthenticate: "Bearer realm=\"offprint\""])
      case .unknownKey: throw ServiceError(.signatureInvalid, "The URL is signed with an unknown key.")
      case .wrongSignature: throw ServiceError(.signatureInvalid, "The signature does not match the URL.")
      case .expired: throw ServiceError(.signatureExpired, "The signed URL has expired.")
      }
    }
  }
}
