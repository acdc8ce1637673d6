import Offprint

/// The API description in OpenAPI 3.1, generated from the table of routes: https://spec.openapis.org/oas/v3.1.0
enum OpenAPIDocument {
  /// The description, including the limits of a configuration.
  static func document(_ settings: ServiceSettings) -> JSONValue {
    var paths: [String: [String: JSONValue]] = [:]
    for route in RouteTable.routes { paths[route.path, default: [:]][route.method.rawValue.lowercased()] = operation(route) }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "Offprint", "version": .string(Renderer.version),
        "description": "Renders HTML and CSS to images without a browser, and caches the results.",
        "license": ["name": "See LICENSE"],
      ], "servers": [["url": "/"]], "paths": .object(paths.mapValues { .object($0) }), "webhooks": ["result": ["post": webhook]],
      "components": [
        "securitySchemes": [
          "token": ["type": "http", "scheme": "bearer"], "signature": ["type": "apiKey", "in": "query", "name": "signature"],
        ], "schemas": ["Problem": problem, "Job": job(settings)],
        "responses": [
          "Problem": ["description": "An error", "content": ["application/problem+json": ["schema": ref("schemas/Problem")]]]
        ],
      ],
    ]
  }

  private static func operation(_ route: ServiceRoute) -> JSONValue {
    let operation = route.operation
    var responses = operation.responses
    var refusals = [400, 429, 500] + operation.refusals
    switch route.access {
    case .open: break
    case .scope, .metrics: refusals += [401, 403]
    case .signed, .preset: refusals += [401, 403]
    }
    for status in refusals { responses["\(status)"] = ref("responses/Problem") }
    var members: [String: JSONValue] = [
      "operationId": .string(operation.id), "summary": .string(operation.summary), "responses": .object(responses),
      "security": .array(security(route.access)),
    ]
    if !operation.parameters.isEmpty { members["parameters"] = .array(operation.parameters) }
    if let body = operation.body { members["requestBody"] = body }
    return .object(members)
  }

  private static func security(_ access: ServiceRoute.Access) -> [JSONValue] {
    switch access {
    case .open: [[:]]
    case .scope, .metrics: [["token": []]]
    case .preset: [["token": []], [:]]
    case .signed: [["token": []], ["signature": []]]
    }
  }

  /// https://www.standardwebhooks.com
  private static let webhook: JSONValue = [
    "operationId": "webhook", "summary": "Sent to the URL in \"webhook\" of POST /render when the image is ready, or cannot be rendered.",
    "parameters": [
      header("webhook-id", "The same for all attempts of a message"), header("webhook-timestamp", "Seconds since 1970"),
      header("webhook-signature", "v1, and the HMAC-SHA256 of id, timestamp and body, joined by periods, in base64; one for each key"),
    ],
    "requestBody": json([
      "type": "object", "required": ["type", "timestamp", "data"],
      "properties": [
        "type": ["type": "string", "enum": ["render.completed", "render.failed"]],
        "timestamp": ["type": "string", "format": "date-time"], "data": webhookData,
      ],
    ]),
    "responses": [
      "2XX": ["description": "The message is accepted"],
      "default": ["description": "The message is sent again if the status is 408, 429 or 5xx"],
    ],
  ]

  private static let webhookData: JSONValue = [
    "type": "object", "required": ["status", "result", "requestId"],
    "properties": [
      "status": ["type": "string", "enum": ["rendered", "cached", "failed"]],
      "result": ["type": "string", "description": "The path in Location"],
      "id": ["type": "string", "description": "That of the job"], "requestId": ["type": "string"],
      "key": ["type": "string"], "url": ["type": "string", "description": "The path of the image; with return=url, signed"],
      "width": ["type": "integer"], "height": ["type": "integer"], "bytes": ["type": "integer"], "milliseconds": ["type": "number"],
      "isDegraded": ["type": "boolean"], "identifier": ["type": "string"],
      "error": [
        "type": "object", "required": ["code", "message", "status"],
        "properties": ["code": ["type": "string"], "message": ["type": "string"], "status": ["type": "integer"]],
      ],
    ],
  ]

  private static func ref(_ path: String) -> JSONValue { ["$ref": .string("#/components/\(path)")] }

  // MARK: Schemas

  private static let problem: JSONValue = [
    "type": "object", "description": "https://www.rfc-editor.org/rfc/rfc9457", "required": ["type", "title", "status", "detail", "code"],
    "properties": [
      "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"], "detail": ["type": "string"],
      "requestId": ["type": "string"],
      "code": [
        "type": "string",
        "enum": .array((OffprintError.Code.allCases.map(\.rawValue) + ServiceError.Code.allCases.map(\.rawValue)).map { .string($0) }),
      ],
    ],
  ]

  private static func job(_ settings: ServiceSettings) -> JSONValue {
    var properties: [String: JSONValue] = [:]
    let isAllowed = settings.isPresetsOnly ? { ImageOrder.presetFields.contains($0) } : { _ in true }
    for field in JobField.table { for name in field.names where isAllowed(name) { properties[name] = field.schema(settings) } }
    return [
      "type": "object", "description": "A page or a template, and any option of 'offprint render' by its name.",
      "anyOf": .array((settings.isPresetsOnly ? ["template"] : ["html", "tree", "url", "template"]).map { ["required": [.string($0)]] }),
      "properties": .object(properties), "additionalProperties": false,
    ]
  }

  static let removal: JSONValue = [
    "type": "object", "required": ["entries", "bytes"], "properties": ["entries": ["type": "integer"], "bytes": ["type": "integer"]],
  ]

  // MARK: Parts of operations

  static func query(_ name: String, _ description: String, schema: JSONValue = ["type": "string"]) -> JSONValue {
    ["name": .string(name), "in": "query", "required": false, "description": .string(description), "schema": schema]
  }

  static func pathParameter(
    _ name: String, _ description: String, example: String? = nil, schema: JSONValue = ["type": "string", "minLength": 1]
  ) -> JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(name), "in": "path", "required": true, "description": .string(description), "schema": schema,
    ]
    if let example { members["example"] = .string(example) }
    return .object(members)
  }

  static let report = query(
    "report", "json returns a report of the image instead of the image", schema: ["type": "string", "enum": ["json"]])

  static let returned = query(
    "return", "url returns a report with a signed URL of the image instead of the image",
    schema: ["type": "string", "enum": ["image", "url"]])

  static func header(_ name: String, _ description: String) -> JSONValue {
    ["name": .string(name), "in": "header", "required": false, "description": .string(description), "schema": ["type": "string"]]
  }

  /// The fields of a job that can be given in a URL.
  static let jobParameters: [JSONValue] = JobField.table.filter { !["id", "html", "url", "template", "set", "data"].contains($0.names[0]) }
    .map {
      field in
      query(
        field.names[0], "As in a job: \(field.expected)",
        schema: field.isList ? ["type": "string"] : ref("schemas/Job/properties/\(field.names[0])"))
    }

  static func json(_ schema: JSONValue) -> JSONValue { ["required": true, "content": ["application/json": ["schema": schema]]] }

  static func jsonResponse(_ description: String, _ schema: JSONValue) -> JSONValue {
    ["description": .string(description), "content": ["application/json": ["schema": schema]]]
  }

  static let pageOrJob: JSONValue = [
    "required": true,
    "content": [
      "text/html": ["schema": ["type": "string"], "example": "<h1>Hello</h1>"],
      "application/json": ["schema": ["$ref": "#/components/schemas/Job"], "example": ["html": "<h1>Hello</h1>", "width": 400]],
      "multipart/form-data": [
        "schema": [
          "type": "object", "description": "index.html and the files that it uses; other fields are those of a job",
          "properties": ["files": ["type": "array", "items": ["type": "string", "contentMediaType": "application/octet-stream"]]],
        ]
      ],
    ],
  ]

  static let jobList: JSONValue = [
    "required": true, "content": ["application/x-ndjson": ["schema": ["type": "string"], "example": "{\"id\":\"a\",\"html\":\"<p>a\"}\n"]],
  ]

  static let reportLines: JSONValue = [
    "description": "One line of JSON per job, as it ends", "content": ["application/x-ndjson": ["schema": ["type": "string"]]],
  ]

  private static func field(_ description: String) -> JSONValue { ["description": .string(description), "schema": ["type": "string"]] }

  static let image: JSONValue = [
    "description": "The image; with report=json, its report",
    "headers": [
      "ETag": field("The entity tag of the image"), "Cache-Status": field("RFC 9211: hit, miss or collapsed"),
      "Server-Timing": field("The time of each stage"),
      "Offprint-Key": field("The cache key"),
      "Offprint-Diagnostics": field("The number of diagnostics, and whether the image is degraded"),
    ],
    "content": [
      "image/png": ["schema": ["type": "string", "contentMediaType": "image/png"]],
      "image/apng": ["schema": ["type": "string", "contentMediaType": "image/apng"]],
      "image/gif": ["schema": ["type": "string", "contentMediaType": "image/gif"]],
      "image/webp": ["schema": ["type": "string", "contentMediaType": "image/webp"]],
      "image/jpeg": ["schema": ["type": "string", "contentMediaType": "image/jpeg"]],
      "image/avif": ["schema": ["type": "string", "contentMediaType": "image/avif"]],
      "image/svg+xml": ["schema": ["type": "string", "contentMediaType": "image/svg+xml"]],
      "application/pdf": ["schema": ["type": "string", "contentMediaType": "application/pdf"]],
      "application/octet-stream": ["schema": ["type": "string", "contentMediaType": "application/octet-stream"]],
      "application/json": ["schema": ["type": "object"]],
    ],
  ]

  static let notModified: JSONValue = ["description": "The client's copy is current"]

  /// Error statuses of rendering.
  static let drawing = [404, 406, 408, 413, 415, 422, 503, 504]
}
