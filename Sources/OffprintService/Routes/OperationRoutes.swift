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
      Operation("live", "Whether the process answers.", responses: ["200": OpenAPIDocument.jsonResponse("It does", ["type": "object"])])
    ) { _, _ in Response(json: ["status": "live"]) },
    ServiceRoute(
      .get, "/health/ready", .open,
      Operation(
        "ready", "Whether more requests should be sent here.",
        responses: ["200": OpenAPIDocument.jsonResponse("They should", ["type": "object"])],
        refusals: [503])
    ) { service, call in
      if service.isDraining {
        throw ServiceError(.shuttingDown, "The service is ending.", headers: [.retryAfter: "5"])
      }
      let waiting = call.engine.renderer.waitingCount
      if waiting >= service.settings.queueCapacity {
        throw ServiceError(.overloaded, "As many requests wait as may.", headers: [.retryAfter: "1"])
      }
      if let reason = call.engine.renderer.unavailability { throw reason }
      guard Service.canOpenFiles else {
        throw ServiceError(.overloaded, "The process has as many open files as it may have.", headers: [.retryAfter: "5"])
      }
      return Response(json: ["status": "ready", "waiting": .number(Double(waiting))])
    },
    ServiceRoute(
      .get, "/metrics", .metrics,
      Operation(
        "metrics", "Figures for Prometheus.",
        responses: ["200": ["description": "Figures", "content": ["text/plain": ["schema": ["type": "string"]]]]])
    ) { service, call in
      let text = await service.metricsText(call.engine)
      return Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
        body: .init(byteBuffer: ByteBuffer(string: text)))
    },
    ServiceRoute(
      .get, "/openapi.json", .open,
      Operation("openapi", "This contract.", responses: ["200": OpenAPIDocument.jsonResponse("OpenAPI 3.1", ["type": "object"])])
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
