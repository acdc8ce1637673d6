public import OffprintCoreTypes
internal import Synchronization

/// A loaded resource.
public struct LoadedResource: Sendable {
  public var bytes: [UInt8]
  /// Its final URL, against which relative references in it are resolved.
  public var url: ResourceURL
  /// The type given with the resource: that of a `data:` URL, or according to a file name's extension. The contents can be of another type.
  public var mimeType: String?
  /// SHA-256 of `bytes`.
  public var digest: [UInt8]
  /// The file's modification time in nanoseconds since 1970; 0 if absent.
  public var modified: Int64
  /// Whether it is from a provider, so that no file with its name need exist.
  public var isProvided = false

  public var size: Int { bytes.count }

  package init(bytes: [UInt8], url: ResourceURL, mimeType: String?, digest: [UInt8], modified: Int64, isProvided: Bool = false) {
    self.bytes = bytes; self.url = url; self.mimeType = mimeType; self.digest = digest; self.modified = modified
    self.isProvided = isProvided
  }
}

/// A resource that a render requested, in the state it was found in. A cached image is valid only while this state is unchanged.
public struct ResourceDependency: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    case present(digest: [UInt8], size: Int, modified: Int64)
    /// The file did not exist; creating it changes the image.
    case absent
    /// It existed, but was refused, unreadable or too large.
    case failed(Diagnostic.Code)
  }
  /// The absolute path of a file as the page names it, without resolving links, so that changing a link counts as a change; otherwise the
  /// URL.
  public var location: String
  public var isFile: Bool
  public var state: State

  public init(location: String, isFile: Bool, state: State) {
    self.location = location
    self.isFile = isFile
    self.state = state
  }
}

/// Loads the resources of a page.
public protocol ResourceLoading: Sendable {
  /// Loads a reference in a page at `base`.
  func load(_ reference: String, relativeTo base: ResourceURL?) throws(ResourceError) -> LoadedResource
  /// Everything that was requested, in the order of the first requests.
  var dependencies: [ResourceDependency] { get }
}

/// A resource from a `ResourceProviding`.
public struct ProvidedResource: Sendable {
  public var bytes: [UInt8]
  public var mimeType: String?
  public init(bytes: [UInt8], mimeType: String? = nil) { self.bytes = bytes; self.mimeType = mimeType }
}

/// Provides resources to a loader, which only requests what its rules allow, and checks the results.
public protocol ResourceProviding: Sendable {
  /// - Parameter limit: The size limit; larger contents are refused.
  /// - Returns: Nil if it does not have the resource: a file is then read as without a provider, and anything else is missing.
  func resource(at url: ResourceURL, limit: Int) throws(ResourceError) -> ProvidedResource?
}

/// Loads resources instead of files and a provider: a process that cannot open anything requests them from its owner.
package protocol ResourceFetching: Sendable {
  /// - Parameter url: An absolute URL without fragment that is not a `data:` URL.
  func fetch(_ url: ResourceURL) throws(ResourceError) -> LoadedResource
}

/// Loads `data:` URLs, files in allowed folders, and resources of a provider or of allowed hosts, and records them as dependencies. One per
/// render: a resource used several times is read and counted once.
public final class ResourceLoader: ResourceLoading {
  private struct State {
    var results: [ResourceURL: Result<LoadedResource, ResourceError>] = [:]
    /// URLs with a dependency whose contents are not retained.
    var handedOver: Set<ResourceURL> = []
    var dependencies: [ResourceDependency] = []
    var count = 0
    /// The size of all loaded resources, including those not retained.
    var loadedBytes = 0
  }

  private let folders: [(named: String, resolved: String)]
  private let hosts: HostRules
  private let limits: Limits
  private let provider: (any ResourceProviding)?
  private let fetcher: (any ResourceFetching)?
  private let network: (any NetworkLoading)?
  private let memory: FileMemory?
  private let deadline: Deadline
  /// Whether resources are returned without being retained, because the caller holds them. A second request for the same URL loads it
  /// again.
  private let handsOver: Bool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - allowedFolders: Absolute or relative to the working directory; a folder that does not exist allows nothing.
  ///   - allowedHosts: Hosts for the provider and the network, see `HostRules`.
  ///   - network: If nil, nothing is loaded that the provider does not have.
  ///   - deadline: For loading from the network.
  public convenience init(
    allowedFolders: [String] = [], allowedHosts: [String] = [], limits: Limits = Limits(), provider: (any ResourceProviding)? = nil,
    network: (any NetworkLoading)? = nil, deadline: Deadline = .never
  ) {
    self.init(
      allowedFolders: allowedFolders, allowedHosts: allowedHosts, limits: limits, provider: provider, network: network, memory: nil,
      deadline: deadline)
  }

  /// - Parameters:
  ///   - memory: A cache of files.
  ///   - handsOver: Whether resources are returned without being retained.
  package init(
    allowedFolders: [String], allowedHosts: [String], limits: Limits, provider: (any ResourceProviding)?, network: (any NetworkLoading)?,
    memory: FileMemory?, deadline: Deadline, handsOver: Bool = false
  ) {
    self.handsOver = handsOver
    hosts = HostRules(allowedHosts)
    self.provider = provider
    self.network = network
    self.memory = memory
    self.deadline = deadline
    fetcher = nil
    folders = allowedFolders.compactMap { folder in
      guard let resolved = FileReading.resolved(folder.isEmpty ? "." : folder) else { return nil }
      guard folder.utf8.first == UInt8(ascii: "/"), var named = ResourceURL(filePath: folder).filePath else { return (resolved, resolved) }
      while named.utf8.count > 1, named.utf8.last == UInt8(ascii: "/") { named.removeLast() }
      return (named, resolved)
    }
    self.limits = limits
  }

  /// For pages whose resources `fetcher` loads by its own rules; only `data:` URLs are decoded here.
  package init(limits: Limits, fetcher: any ResourceFetching) {
    (hosts, folders, provider, network, memory, deadline) = (HostRules([]), [], nil, nil, nil, .never)
    self.limits = limits
    self.fetcher = fetcher
    handsOver = false
  }

  public var dependencies: [ResourceDependency] { state.withLock { $0.dependencies } }

  public func load(_ reference: String, relativeTo base: ResourceURL?) throws(ResourceError) -> LoadedResource {
    if let (scheme, _) = ResourceURL.splitScheme(ResourceURL.cleaned(String(decoding: reference.utf8.prefix(64), as: UTF8.self))[...]) {
      if scheme == "data" { return try loadData(reference) }
      if CodeURL.isMeant(byScheme: scheme) { return try loadCode(reference) }
    }
    guard let url = base?.resolving(reference) ?? ResourceURL(reference) else {
      let shown = ResourceError.display(reference)
      throw ResourceError(
        .resourceInvalidURL, url: shown,
        "\"\(shown)\" is a relative URL, but the page has no base URL: set a base URL or use an input file.")
    }
    return try load(url)
  }

  /// Loads an absolute URL.
  public func load(_ url: ResourceURL) throws(ResourceError) -> LoadedResource {
    if url.scheme == "data" { return try loadData(url.description) }
    if CodeURL.isMeant(byScheme: url.scheme) { return try loadCode(url.description) }
    let url = url.withoutFragment
    if let cached = state.withLock({ $0.results[url] }) { return try cached.get() }
    let limit = try admit(url)
    let result: Result<LoadedResource, ResourceError>
    do throws(ResourceError) {
      result = .success(try fetch(url, limit))
    } catch {
      result = .failure(error)
    }
    keep(result, of: url)
    return try result.get()
  }

  /// Counts a resource against the limits.
  ///
  /// - Returns: The size limit for it.
  private func admit(_ url: ResourceURL) throws(ResourceError) -> Int {
    let (count, loaded) = state.withLock { state in
      state.count += 1
      return (state.count, state.loadedBytes)
    }
    guard count <= limits.resources else {
      throw ResourceError(
        .limitExceeded, url: url.description,
        "\"\(ResourceError.display(url.description))\" is one of more than \(limits.resources) resources (limit resources)."
      )
    }
    return min(limits.resourceBytes, max(0, limits.loadedBytes - loaded))
  }

  private func keep(_ result: Result<LoadedResource, ResourceError>, of url: ResourceURL) {
    state.withLock { state in
      if case .success(let resource) = result { state.loadedBytes += resource.size }
      let isNew: Bool
      if handsOver {
        isNew = state.handedOver.insert(url).inserted
      } else {
        isNew = state.results.updateValue(result, forKey: url) == nil
      }
      if isNew { state.dependencies.append(Self.dependency(url, result)) }
    }
  }

  private static func dependency(_ url: ResourceURL, _ result: Result<LoadedResource, ResourceError>) -> ResourceDependency {
    let dependencyState: ResourceDependency.State =
      switch result {
      case .success(let resource): .present(digest: resource.digest, size: resource.size, modified: resource.modified)
      case .failure(let error): error.code == .resourceMissing ? .absent : .failed(error.code)
      }
    let isProvided = if case .success(let resource) = result { resource.isProvided } else { false }
    let path = isProvided ? nil : url.filePath
    return ResourceDependency(location: path ?? url.description, isFile: path != nil, state: dependencyState)
  }

  /// - Parameter limit: The size limit; larger contents are refused.
  private func fetch(_ url: ResourceURL, _ limit: Int) throws(ResourceError) -> LoadedResource {
    if let fetcher { return try fetcher.fetch(url) }
    let shown = ResourceError.display(url.description)
    switch url.scheme {
    case "file":
      if let path = url.filePath, isInside(path), let given = try provided(url, limit) { return given }
      return try loadFile(url, limit)
    case "http", "https":
      guard hosts.allows(url) else {
        throw ResourceError(
          .resourceRefused, url: url.description,
          "Refused to load \"\(shown)\": the host \(url.host ?? "") is not allowed; allow it with \(OptionName.allowHost.text(url.host ?? ""))."
        )
      }
      if let given = try provided(url, limit) { return given }
      if let network { return try loaded(url, from: network, limit) }
      throw ResourceError(.resourceMissing, url: url.description, "\"\(shown)\" cannot be loaded: network loading is disabled.")
    default:
      if let given = try provided(url, limit) { return given }
      throw ResourceError(
        .resourceRefused, url: url.description,
        "Refused to load \"\(shown)\": only data:, qr:, barcode:, file:, http: and https: URLs are allowed, "
          + "not \(ResourceError.display(url.scheme)):."
      )
    }
  }

  private func loaded(_ url: ResourceURL, from network: any NetworkLoading, _ limit: Int) throws(ResourceError) -> LoadedResource {
    let hosts = hosts
    let given: NetworkResource
    do throws(ResourceError) {
      given = try network.load(url, limit: limit, deadline: deadline) { hosts.allows($0) }
    } catch {
      throw error.code == .limitExceeded ? tooLarge(ResourceError.display(url.description), limit) : error
    }
    guard given.bytes.count <= limit else { throw tooLarge(ResourceError.display(url.description), limit) }
    return LoadedResource(
      bytes: given.bytes, url: given.url, mimeType: given.mimeType, digest: SHA256.hash(given.bytes), modified: 0, isProvided: true)
  }

  /// The provider's resource, with the same limits as others.
  private func provided(_ url: ResourceURL, _ limit: Int) throws(ResourceError) -> LoadedResource? {
    guard let given = try provider?.resource(at: url, limit: limit) else { return nil }
    guard given.bytes.count <= limit else { throw tooLarge(ResourceError.display(url.description), limit) }
    return LoadedResource(
      bytes: given.bytes, url: url, mimeType: given.mimeType ?? MIMEType.hint(url.path), digest: SHA256.hash(given.bytes), modified: 0,
      isProvided: true)
  }

  /// Whether a path is in an allowed folder, also after resolving links in its existing part.
  private func isInside(_ path: String) -> Bool {
    guard folders.contains(where: { FileReading.isInside(path, $0.named) || FileReading.isInside(path, $0.resolved) }),
      !path.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) }),
      let place = FileReading.deepestExisting(path)
    else { return false }
    return folders.contains { FileReading.isInside(place, $0.resolved) }
  }

  private func loadData(_ reference: String) throws(ResourceError) -> LoadedResource {
    let shown = ResourceError.display(reference)
    guard let data = DataURL(reference) else {
      throw ResourceError(.resourceInvalidURL, url: shown, "\"\(shown)\" is an invalid data: URL: it has no comma, or invalid base64.")
    }
    guard data.bytes.count <= limits.resourceBytes else { throw tooLarge(shown, limits.resourceBytes) }
    return LoadedResource(
      bytes: data.bytes, url: ResourceURL(scheme: "data", path: ""), mimeType: data.mimeType, digest: SHA256.hash(data.bytes),
      modified: 0)
  }

  private func loadCode(_ reference: String) throws(ResourceError) -> LoadedResource {
    let shown = ResourceError.display(reference)
    let svg = try CodeImage.svg(try CodeURL(reference), shown: shown)
    return LoadedResource(
      bytes: svg, url: ResourceURL(scheme: "data", path: ""), mimeType: "image/svg+xml", digest: SHA256.hash(svg), modified: 0)
  }

  private func loadFile(_ url: ResourceURL, _ limit: Int) throws(ResourceError) -> LoadedResource {
    let text = url.description
    guard let path = url.filePath else {
      throw ResourceError(.resourceRefused, url: text, "Refused to load \"\(text)\": it is not a file on this machine.")
    }
    do throws(FileFailure) {
      let file = try FileReading.read(path, in: folders.map(\.resolved), limit: limit, memory)
      return LoadedResource(bytes: file.bytes, url: url, mimeType: MIMEType.hint(path), digest: file.digest, modified: file.modified)
    } catch {
      throw describe(error, text, path, limit)
    }
  }

  private func describe(_ failure: FileFailure, _ url: String, _ path: String, _ limit: Int) -> ResourceError {
    // The message must not reveal whether a file outside of the allowed folders exists.
    let isInside = isInside(path)
    switch failure {
    case .missing where isInside: return ResourceError(.resourceMissing, url: url, "\"\(path)\" does not exist.")
    case .system(let code) where isInside:
      return ResourceError(.resourceUnreadable, url: url, "\"\(path)\" cannot be read: \(errorText(code)).")
    case .notRegular: return ResourceError(.resourceRefused, url: url, "Refused to load \"\(path)\": it is not a regular file.")
    case .tooLarge: return tooLarge(path, limit)
    case .missing, .system, .outside:
      return ResourceError(
        .resourceRefused, url: url,
        "Refused to load \"\(path)\": it is outside the allowed folders; allow it with \(OptionName.allowFiles.text(String(Self.folder(of: path))))."
      )
    }
  }

  private static func folder(of path: String) -> Substring {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    return end == path.startIndex ? "/" : path[..<end]
  }

  /// - Parameter limit: The size limit that was exceeded.
  private func tooLarge(_ name: String, _ limit: Int) -> ResourceError {
    guard limit < limits.resourceBytes else {
      return ResourceError(
        .limitExceeded, url: name, "\"\(name)\" is larger than \(limits.resourceBytes) bytes (limit resourceBytes).")
    }
    return ResourceError(
      .limitExceeded, url: name,
      "\"\(name)\" is not loaded: the resources of the page have more than \(limits.loadedBytes) bytes together (limit loadedBytes).")
  }
}

/// Media types by file name, as a hint.
enum MIMEType {
  static func hint(_ path: String) -> String? {
    guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    return switch path[path.utf8.index(after: dot)...].lowercased() {
    case "css": "text/css"
    case "html", "htm": "text/html"
    case "xhtml", "xht": "application/xhtml+xml"
    case "xml": "application/xml"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "apng": "image/apng"
    case "jpg", "jpeg": "image/jpeg"
    case "gif": "image/gif"
    case "webp": "image/webp"
    case "bmp": "image/bmp"
    case "avif": "image/avif"
    case "ico": "image/x-icon"
    case "ttf": "font/ttf"
    case "otf": "font/otf"
    case "woff": "font/woff"
    case "woff2": "font/woff2"
    default: nil
    }
  }
}
