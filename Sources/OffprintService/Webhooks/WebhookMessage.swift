import Offprint

/// Tells the receiver of a webhook that the image of a request is ready, or which error it ended with.
struct WebhookMessage: Sendable {
  /// The same for all attempts, so that receivers can ignore repetitions.
  var id: String
  var url: String
  /// For logs, which do not contain the URL.
  var host: String
  /// The id of the request, for logs.
  var requestID: String
  var body: [UInt8]

  /// - Parameters:
  ///   - result: The name of the result.
  ///   - job: The `id` of the job.
  ///   - report: The members that describe the image or the error.
  init(_ target: WebhookTarget, result: String, job: String?, requestID: String, report: [String: JSONValue]) {
    (id, url, host, self.requestID) = ("msg_\(result)", target.url, target.host, requestID)
    var data = report
    data["result"] = .string("/results/\(result)")
    data["requestId"] = .string(requestID)
    if let job { data["id"] = .string(job) }
    let type = report["error"] == nil ? "render.completed" : "render.failed"
    let message: JSONValue = ["type": .string(type), "timestamp": .string(WallClock.timestamp()), "data": .object(data)]
    body = Array(message.text.utf8)
  }

  /// The members for an image: those of its report that are short.
  static func report(_ image: Service.ServedImage) -> [String: JSONValue] {
    guard case .object(let members) = ImageReport.json(image, withImage: false) else { return [:] }
    return members.filter { !["diagnostics", "faces", "timings"].contains($0.key) }
  }

  static func report(_ problem: Problem) -> [String: JSONValue] {
    let error: JSONValue = [
      "code": .string(problem.code), "message": .string(problem.message), "status": .number(Double(problem.status)),
    ]
    return ["status": "failed", "error": error]
  }
}

/// The receiver of a webhook, whose host is allowed.
struct WebhookTarget: Sendable {
  var url: String
  var host: String
}
