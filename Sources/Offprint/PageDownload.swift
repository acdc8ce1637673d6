import OffprintCoreTypes
import OffprintDOM
import OffprintResources

extension RendererConfiguration {
  /// Whether a page is given by an HTTP URL such as `https://example.org/`.
  package static func isAddress(_ name: String) -> Bool {
    let head = name.prefix(8).lowercased()
    return head.hasPrefix("http://") || head.hasPrefix("https://")
  }

  /// Whether any host is allowed.
  package var hasNetwork: Bool { network != nil }

  /// Downloads a page from an allowed host. Relative references are resolved against its final URL; no files may be loaded. Blocks the
  /// thread.
  ///
  /// - Throws: `resourceRefused` if its host is not allowed, `inputNotFound`, `inputUnreadable`, `limitExceeded`; `usage` if the URL is
  ///   invalid.
  package func page(at address: String, limits: Limits) throws(OffprintError) -> RenderRequest {
    guard let url = ResourceURL(address), let host = url.host else { throw OffprintError(.usage, "'\(address)' is not the URL of a page.") }
    guard let network else {
      throw OffprintError(
        .resourceRefused,
        "Refused to load '\(address)' from the network; allow its host with \(OptionName.allowHost.text(host)).")
    }
    let given: NetworkResource
    let deadline = Deadline(after: .seconds(min(max(limits.seconds, 0), 1e6)))
    do throws(ResourceError) {
      given = try network.load(url, limit: limits.inputBytes, deadline: deadline, allows: nil)
    } catch {
      throw OffprintError(page: address, error, limits)
    }
    do throws(LimitExceeded) {
      var request = RenderRequest(html: try TransportEncoding.applied(given.bytes, contentType: given.mimeType ?? "", limits: limits))
      request.sourceName = given.url.description
      request.basePath = given.url.description
      return request
    } catch {
      throw OffprintError(error, seconds: limits.seconds)
    }
  }
}

extension OffprintError {
  fileprivate init(page address: String, _ error: ResourceError, _ limits: Limits) {
    switch error.code {
    case .resourceRefused: self.init(.resourceRefused, error.message)
    case .resourceMissing: self.init(.inputNotFound, error.message)
    case .limitExceeded:
      self.init(.limitExceeded, "'\(address)' has more than \(limits.inputBytes) bytes, the limit 'inputBytes'.")
    default: self.init(.inputUnreadable, error.message)
    }
  }
}
