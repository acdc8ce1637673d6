import HTTPTypes
import Hummingbird
import Offprint

/// Renders that the client does not wait for. https://www.rfc-editor.org/rfc/rfc7240#section-4.1
enum ResultRoutes {
  static let routes: [ServiceRoute] = [
    ServiceRoute(
      .get, "/results/{name}", .scope(.render),
      Operation(
        "result", "Returns the image of a request with 'Prefer: respond-async', or reports that it is not ready.",
        parameters: [OpenAPIDocument.pathParameter("name", "The name in Location"), OpenAPIDocument.report],
        responses: [
          "200": OpenAPIDocument.image, "202": OpenAPIDocument.jsonResponse("The image is not ready", ["type": "object"]),
        ], refusals: OpenAPIDocument.drawing)
    ) { service, call in
      switch service.results.outcome(call.parameter("name"), for: call.client.identity) {
      case nil: throw ServiceError(.notFound, "There is no such result: it was kept for ten minutes, or belongs to another client.")
      case .pending: return Response(json: ["status": "pending"], status: .accepted, headers: [.retryAfter: "1"])
      case .failed(let problem): return problem.response(requestID: call.id)
      case .done(let image): return service.answer(image, call)
      }
    }
  ]
}

extension RouteCall {
  /// Whether the client asks for a response before the image is ready.
  var prefersAsync: Bool {
    let preferences = request.headers[values: .prefer].flatMap { $0.split(byte: ",") }
    return preferences.contains { $0.split(byte: ";").first?.trimmed.lowercased() == "respond-async" }
  }
}

extension Service {
  /// Renders in the background, and responds with the URL of the result.
  ///
  /// - Parameter returnsURL: Whether the webhook contains a signed URL of the image.
  /// - Throws: `tooManyRequests`, `overloaded`, and the errors of a URL for a webhook.
  func begin(_ order: ImageOrder, _ call: RouteCall, returnsURL: Bool) throws -> Response {
    let webhook = try webhook(of: order)
    let slot = try admission.enter(call.client.identity)
    let name = try results.begin(call.client.identity)
    var detached = call
    // The render continues when the connection closes.
    detached.monitor = ConnectionMonitor()
    var rendered = order
    rendered.webhook = nil
    Task { [detached, rendered] in
      let report: [String: JSONValue]
      do {
        let image = try await draw(rendered, detached)
        results.finish(name, .done(image))
        report = try webhookReport(image, detached, returnsURL: returnsURL)
      } catch {
        results.finish(name, .failed(Problem(error)))
        report = WebhookMessage.report(Problem(error))
      }
      slot.leave()
      guard let webhook, let webhooks else { return }
      let message = WebhookMessage(webhook.target, result: name, job: rendered.id, requestID: detached.id, report: report)
      webhooks.deliver(message, webhook.ticket) { self.engine.access.webhookSigner }
    }
    let url = "/results/\(name)"
    return Response(
      json: ["status": "pending", "url": .string(url)], status: .accepted,
      headers: [.location: url, .preferenceApplied: "respond-async", .retryAfter: "1"])
  }

  private func webhook(of order: ImageOrder) throws -> (target: WebhookTarget, ticket: WebhookQueue.Ticket)? {
    guard let url = order.webhook else { return nil }
    guard let webhooks else {
      throw OffprintError(.resourceRefused, "The service sends no webhooks; its hosts are allowed with --webhook-host.")
    }
    return (try webhooks.target(url), try webhooks.reserve())
  }

  private func webhookReport(_ image: ServedImage, _ call: RouteCall, returnsURL: Bool) throws -> [String: JSONValue] {
    var report = WebhookMessage.report(image)
    if returnsURL { report["url"] = .string(try signedURL(of: image, call)) }
    return report
  }

  /// The report of an image with a URL that others can read it by, instead of the image.
  ///
  /// - Throws: `usage` if the service has no key to sign with, or the image is not in the cache.
  func answerWithURL(_ image: ServedImage, _ call: RouteCall) throws -> Response {
    let url = try signedURL(of: image, call)
    guard case .object(var members) = ImageReport.json(image, withImage: false) else { return Response(status: .internalServerError) }
    members["url"] = .string(url)
    return Response(json: .object(members))
  }

  private func signedURL(of image: ServedImage, _ call: RouteCall) throws -> String {
    guard !image.result.isDegraded, image.policy.storesResult, call.engine.renderer.imageCache != nil else {
      throw OffprintError(
        image.result.isDegraded ? .resourceMissing : .usage,
        "The image has no URL, because it is not stored: \(image.result.isDegraded ? "it is degraded" : "the cache is off").")
    }
    let path = "/i/\(image.result.key)"
    if call.engine.access.signer.keys.isEmpty && call.engine.access.isOff { return path }
    return try call.engine.access.signer.sign(path, expires: try Self.expiry(call.query["expires"].map { .string($0) }))
  }

  /// Seconds since 1970 for a number of seconds from now, or a duration such as `30d`.
  ///
  /// - Throws: `dataInvalid`.
  static func expiry(_ given: JSONValue?) throws(OffprintError) -> Int? {
    guard let given else { return nil }
    guard let seconds = given.scalar.flatMap({ Double(decimal: $0) ?? Quantity.seconds($0) }), seconds >= 1, seconds <= 1e10 else {
      throw OffprintError(.dataInvalid, "\"expires\" must be a duration from now, such as 3600 or \"30d\".")
    }
    return WallClock.seconds() + Int(seconds)
  }
}
