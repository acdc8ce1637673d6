import Offprint

/// The service, as spans describe it.
struct TraceResource: Hashable, Sendable {
  /// Text attributes by name: https://opentelemetry.io/docs/specs/semconv/resource/
  var attributes: [String: String] = [:]

  /// - Parameter environment: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration
  init(_ environment: [String: String]) {
    for pair in PairList.parse(environment["OTEL_RESOURCE_ATTRIBUTES"] ?? "") { attributes[pair.name] = pair.value }
    if let name = environment["OTEL_SERVICE_NAME"], !name.isEmpty { attributes["service.name"] = name }
    attributes["service.name"] = attributes["service.name"] ?? "offprint"
    attributes["service.version"] = Renderer.version
  }

  /// The body of an export request. https://opentelemetry.io/docs/specs/otlp/#otlphttp-request
  func request(_ spans: [JSONValue]) -> JSONValue {
    let described = attributes.sorted { $0.key < $1.key }.map { attribute -> JSONValue in
      ["key": .string(attribute.key), "value": ["stringValue": .string(attribute.value)]]
    }
    let scope: JSONValue = ["name": "offprint", "version": .string(Renderer.version)]
    return [
      "resourceSpans": [
        ["resource": ["attributes": .array(described)], "scopeSpans": [["scope": scope, "spans": .array(spans)]]]
      ]
    ]
  }
}

/// Where spans are sent to over OTLP/HTTP, from an option or the standard variables.
///
/// https://opentelemetry.io/docs/specs/otel/protocol/exporter/
struct TraceExport: Hashable, Sendable {
  var url: String
  /// Lines such as `authorization: Bearer x`.
  var headers: [String] = []
  var seconds = 10.0
  /// Why the standard variables configure no export that is possible; nothing is exported in that case.
  var problem: String?

  /// - Parameter endpoint: The value of the option, which takes precedence over the variables.
  /// - Returns: Nil if spans are not exported.
  /// - Throws: `usage` for an invalid header or timeout.
  init?(endpoint: String?, _ environment: [String: String]) throws(OffprintError) {
    func variable(_ name: String) -> String? {
      let value = environment["OTEL_EXPORTER_OTLP_TRACES_\(name)"] ?? environment["OTEL_EXPORTER_OTLP_\(name)"]
      return value?.isEmpty == false ? value : nil
    }
    if endpoint == nil {
      if environment["OTEL_SDK_DISABLED"]?.lowercased() == "true" || environment["OTEL_TRACES_EXPORTER"] == "none" { return nil }
      if variable("PROTOCOL") == "grpc" { problem = "OTEL_EXPORTER_OTLP_PROTOCOL is grpc, but spans are exported over HTTP" }
    }
    let own = environment["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"], base = endpoint ?? environment["OTEL_EXPORTER_OTLP_ENDPOINT"]
    if endpoint == nil, let own, !own.isEmpty {
      url = own
    } else if let base, !base.isEmpty {
      // Relative to the endpoint, which may have a path.
      url = base + (base.hasSuffix("/") ? "" : "/") + "v1/traces"
    } else {
      return nil
    }
    headers = try PairList.headers(variable("HEADERS") ?? "")
    if let text = variable("TIMEOUT") {
      guard let milliseconds = Double(decimal: text), milliseconds >= 1, milliseconds <= 600_000 else {
        throw OffprintError(.usage, "OTEL_EXPORTER_OTLP_TIMEOUT must be 1 to 600000 ms.")
      }
      seconds = milliseconds / 1000
    }
  }
}

/// `name=value,name=value`, percent-encoded.
///
/// https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specifying-headers-via-environment-variables
enum PairList {
  static func parse(_ text: String) -> [(name: String, value: String)] {
    text.split(byte: ",").compactMap { part in
      let words = part.split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard words.count == 2, let value = PercentEncoding.decode(words[1].trimmed.utf8), !words[0].trimmed.isEmpty else { return nil }
      return (String(words[0].trimmed), value)
    }
  }

  /// - Throws: `usage`, without the value, which can be a secret.
  static func headers(_ text: String) throws(OffprintError) -> [String] {
    try parse(text).map { pair throws(OffprintError) in
      let isName = pair.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
      guard isName, pair.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
        throw OffprintError(.usage, "A name or value in OTEL_EXPORTER_OTLP_HEADERS has characters that are invalid in a header field.")
      }
      return "\(pair.name): \(pair.value)"
    }
  }
}
