import Glibc
package import Offprint
import OffprintCoreTypes

/// Renders jobs for a host process or an agent. The C library and `offprint mcp` use it. All methods can be called from any thread, and
/// block it.
package final class EmbeddedRenderer: Sendable {
  /// The result of a call: bytes from `render`, and a JSON object that describes them.
  package struct Answer: Sendable {
    package var data: [UInt8] = []
    package var json: String

    package init(data: [UInt8] = [], json: String) { self.data = data; self.json = json }
  }

  private let renderer: Renderer
  private let defaults: JobDefaults
  private let configuration: RendererConfiguration
  private let process = getpid()

  /// - Parameter configuration: A JSON object, see `EmbeddedConfiguration`; empty for the defaults.
  /// - Throws: `usage`, `dataInvalid`, `inputNotFound`, `libraryMissing`, and errors of the shared store.
  package convenience init(configuration json: [UInt8]) throws(OffprintError) {
    try Renderer.openLibraries()
    let options = try EmbeddedConfiguration(json)
    try self.init(engine: options.engine, page: options.page, workers: options.workers, queueCapacity: options.queueCapacity)
  }

  /// - Parameter page: The defaults of every job.
  init(engine: EngineOptions, page: PageOptions, workers: Int, queueCapacity: Int? = nil) throws(OffprintError) {
    var configuration = try engine.configuration(workers: workers)
    if let queueCapacity { configuration.queueCapacity = queueCapacity }
    defaults = JobDefaults(page: page, policy: engine.policy, lineLimit: .max, network: try engine.allowedNetwork)
    self.configuration = configuration
    renderer = try Renderer(configuration)
  }

  /// - Parameters:
  ///   - job: A JSON object like a line of a batch; `output` and `id` are optional.
  ///   - html: The page, in place of the job's `html` or `input`; nil if the job contains it.
  /// - Returns: The encoded image, or for the format `raw` its pixels: 4 bytes each, red, green, blue, alpha, not premultiplied.
  package func render(_ job: [UInt8], html: [UInt8]? = nil, _ cancellation: RenderCancellation? = nil) throws(OffprintError) -> Answer {
    let job = try self.job(job, html)
    let result = try renderer.renderAndWait(job.request, cancellation: cancellation)
    let format = job.request.encoding.format
    return Answer(
      data: result.image,
      json: """
        {"width":\(result.width),"height":\(result.height),"bytes":\(result.image.count),"format":"\(format.rawValue)",\
        "mediaType":"\(format.mediaType)","key":"\(result.key)","cached":\(result.wasCached),"degraded":\(result.isDegraded),\
        "milliseconds":\(result.milliseconds.rounded(places: 3)),"timings":\(result.timingsJSON),"faces":\(result.facesJSON),\
        "diagnostics":\(result.diagnosticsJSON(adding: job.notes))}
        """)
  }

  /// The boxes and lines of text of a page. Renders nothing.
  package func measure(_ job: [UInt8], html: [UInt8]? = nil, _ cancellation: RenderCancellation? = nil) throws(OffprintError) -> Answer {
    let job = try self.job(job, html)
    let layout = try renderer.layoutAndWait(job.request, cancellation: cancellation)
    let diagnostics = (job.notes + layout.diagnostics).map(\.json).joined(separator: ",")
    return Answer(json: "{\(layout.membersJSON),\"diagnostics\":[\(diagnostics)]}")
  }

  /// A list as a JSON object: `version`, `options` (of jobs), `configuration` (its options), `templates` or `fonts`.
  package func list(_ what: String) throws(OffprintError) -> Answer {
    switch what {
    case "templates":
      let library = try defaults.page.templates.library()
      let items = try library.names.map { name throws(OffprintError) in try library.template(name).json }
      return Answer(json: "{\"templates\":[\(items.joined(separator: ","))]}")
    case "fonts":
      return Answer(json: "{\"fonts\":[\(try FontLibrary(configuration).faces.map(\.json).joined(separator: ","))]}")
    default: return Answer(json: try Self.list(what))
    }
  }

  /// - Throws: `templateUnknown` if the library has no template with the name. Elsewhere a name can also be that of a file.
  package func checkTemplate(_ name: String) throws(OffprintError) {
    let library = try defaults.page.templates.library()
    if !library.contains(name) { _ = try library.template(name) }
  }

  /// Lists that need no renderer.
  package static func list(_ what: String) throws(OffprintError) -> String {
    switch what {
    case "version": return VersionReport().json
    case "options":
      let options = JobOption.table.map { option in
        "{\"names\":[\(option.names.map { JSONText.string($0) }.joined(separator: ","))],\"expected\":\(JSONText.string(option.expected))}"
      }
      return
        "{\"options\":[\((options + ["{\"names\":[\"tree\"],\"expected\":\"a node, such as {type, props}\"}"]).joined(separator: ","))]}"
    case "configuration":
      let names = (EmbeddedConfiguration.engineNames + EmbeddedConfiguration.ownNames).sorted()
      return "{\"configuration\":[\(names.map { JSONText.string($0) }.joined(separator: ","))]}"
    default:
      throw OffprintError(
        .usage, "There is no list '\(Sentence.fit(what))'. The lists are version, options, configuration, templates and fonts.")
    }
  }

  /// Whether the calling process created it: a forked child has none of its threads.
  package var isOfThisProcess: Bool { process == getpid() }

  /// Ends its threads after finishing renders in progress.
  package func close() { renderer.shutdown() }

  private func job(_ json: [UInt8], _ html: [UInt8]?) throws(OffprintError) -> Job {
    guard isOfThisProcess else {
      throw OffprintError(
        .usage, "This process was forked after the renderer was created, and lacks its threads; create a renderer in each process.")
    }
    let fields = json.isEmpty ? [:] : try JSONValue.members(json, of: "The job")
    return try Job(fields, id: fields["id"]?.argument ?? "page", isTable: false, place: "The job", defaults, html: html)
  }
}

extension EmbeddedRenderer {
  /// `{"error": {"code", "message", "exit", "status"}}`.
  package static func json(_ error: OffprintError) -> String {
    "{\"error\":\(error.json.dropLast()),\"exit\":\(error.code.exitCode),\"status\":\(error.code.httpStatus)}}"
  }
}
