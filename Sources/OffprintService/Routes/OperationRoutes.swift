import Glibc
import HTTPTypes
import Hummingbird
import NIOCore
import Offprint

/// Routes for operators: health, readiness, metrics.
enum OperationRoutes {
  static let routes: [ServiceRoute] = [
    ServiceRoute(
      .get, "/health/live", .open,
      Operation(
        "live", "Reports whether the process responds.",
        responses: ["200": OpenAPIDocument.jsonResponse("The process responds", ["type": "object"])])
    ) { _, _ in Response(json: ["status": "live"]) },
    ServiceRoute(
      .get, "/health/ready", .open,
      Operation(
        "ready", "Reports whether the service accepts more requests, and which optional parts are missing.",
        responses: ["200": OpenAPIDocument.jsonResponse("The service accepts requests", ["type": "object"])],
        refusals: [503])
    ) { service, call in
      if service.isDraining {
        throw ServiceError(.shuttingDown, "The service is shutting down.", headers: [.retryAfter: "5"])
      }
      let waiting = call.engine.renderer.waitingCount
      if waiting >= service.settings.queueCapacity {
        throw ServiceError(.overloaded, "The queue of waiting requests is full.", headers: [.retryAfter: "1"])
      }
      if let reason = call.engine.renderer.unavailability { throw reason }
      guard Service.canOpenFiles else {
        throw ServiceError(.overloaded, "The process has reached its limit of open files.", headers: [.retryAfter: "5"])
      }
      return Response(json: [
        "status": "ready", "waiting": .number(Double(waiting)), "missing": .array(call.engine.missingParts.map { .string($0) }),
      ])
    },
    ServiceRoute(
      .get, "/metrics", .metrics,
      Operation(
        "metrics", "Returns metrics for Prometheus.",
        responses: ["200": ["description": "Metrics", "content": ["text/plain": ["schema": ["type": "string"]]]]])
    ) { service, call in
      let text = await service.metricsText(call.engine)
      return Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
        body: .init(byteBuffer: ByteBuffer(string: text)))
    },
    ServiceRoute(
      .get, "/openapi.json", .open,
      Operation("openapi", "Returns this document.", responses: ["200": OpenAPIDocument.jsonResponse("OpenAPI 3.1", ["type": "object"])])
    ) { service, _ in Response(json: OpenAPIDocument.document(service.settings), headers: [.cacheControl: "public, max-age=300"]) },
  ]
}

extension Service {
  /// Without a free descriptor, neither the cache nor a worker process can be opened.
  fileprivate static var canOpenFiles: Bool {
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if file >= 0 { close(file) }
    return file >= 0
  }
}
