import HTTPTypes
import Hummingbird
import Instrumentation
import Offprint
import ServiceContextModule
import Tracing

/// A span for each request, made by the tracer of the process (swift-distributed-tracing); the request's `traceparent` is its parent.
enum ServiceTracing {
  struct RequestSpan {
    let span: any Span

    func route(_ path: String, client: String) {
      span.operationName = path
      span.attributes["http.route"] = path
    }
  }

  private struct FieldExtractor: Extractor {
    func extract(key: String, from carrier: HTTPFields) -> String? { HTTPField.Name(key).flatMap { carrier[$0] } }
  }

  static func span(_ request: Request, id: String, _ body: (RequestSpan) async throws -> Response) async throws -> Response {
    var context = ServiceContext.topLevel
    InstrumentationSystem.instrument.extract(request.headers, into: &context, using: FieldExtractor())
    return try await withSpan("request", context: context, ofKind: .server) { span in
      span.attributes["http.request.method"] = request.method.rawValue
      span.attributes["offprint.request.id"] = id
      let response = try await body(RequestSpan(span: span))
      span.attributes["http.response.status_code"] = response.status.code
      if let status = response.headers[.cacheStatus] { span.attributes["offprint.cache"] = status }
      if let timing = response.headers[.serverTiming] { span.attributes["offprint.stages"] = timing }
      if response.status.code >= 500 { span.setStatus(.init(code: .error)) }
      return response
    }
  }
}
