import OffprintCoreTypes
import HTTPTypes
import Hummingbird
import NIOCore
import Offprint
import OffprintRenderCache

/// Lists the available fonts, templates, stretchable backgrounds, and the cache.
enum ListingRoutes {
  static let routes: [ServiceRoute] = [
    ServiceRoute(
      .get, "/fonts", .scope(.render),
      Operation(
        "fonts", "Lists the font faces that pages can use.", parameters: [OpenAPIDocument.query("family", "Only this family")],
        responses: ["200": OpenAPIDocument.jsonResponse("Faces", ["type": "array", "items": ["type": "object"]])])
    ) { _, call in
      let family = call.query["family"]?.lowercased()
      let faces = call.engine.fonts.filter { family == nil || $0.family.lowercased() == family }
      return Response(json: .array(faces.map(\.json)))
    },
    ServiceRoute(
      .get, "/templates", .scope(.render),
      Operation(
        "templates", "Lists the templates that requests can use.",
        responses: ["200": OpenAPIDocument.jsonResponse("Templates", ["type": "array", "items": ["type": "object"]])])
    ) { _, call in
      Response(json: call.engine.templates.json)
    },
    ServiceRoute(
      .get, "/background/{color}.png", .scope(.render),
      Operation(
        "background", "Makes a small stretchable image of one color that counts as translucent.",
        parameters: [
          OpenAPIDocument.pathParameter("color", "A CSS color; # as %23, or left out", example: "red"),
          OpenAPIDocument.query("size", "WxH in px at scale 1 (5x5)"),
          OpenAPIDocument.query("cap-insets", "top,right,bottom,left (2,2,2,2)"),
          OpenAPIDocument.query("alpha", "The alpha of the translucent pixel (0.99)"),
          OpenAPIDocument.query("pixel", "The translucent pixel (top-right)"), OpenAPIDocument.query("scale", "1 to 4 (1)"),
          OpenAPIDocument.query("stretch", "Return the image stretched to WxH"),
        ], responses: ["200": OpenAPIDocument.image], refusals: [412, 413, 416, 503, 504]),
      suffixes: ["png"]
    ) { service, call in try await BackgroundImage(call, service.settings).response(service, call) },
    ServiceRoute(
      .get, "/cache/stats", .scope(.admin),
      Operation(
        "cacheStats", "Returns statistics of the cache.", responses: ["200": OpenAPIDocument.jsonResponse("Figures", ["type": "object"])])
    ) { service, call in
      Response(json: try await service.cache(call) { cache throws(CacheError) in try cache.stats() }.json)
    },
    ServiceRoute(
      .get, "/cache/list", .scope(.admin),
      Operation(
        "cacheList", "Lists images in the cache, or groups of them.",
        parameters: [
          OpenAPIDocument.query("where", "A filter such as size > 10kB and tag = news"),
          OpenAPIDocument.query("search", "A part of a name or source"),
          OpenAPIDocument.query("sort", "Fields, such as -size,created"), OpenAPIDocument.query("group", "A field to group by"),
          OpenAPIDocument.query("limit", "Maximum number of entries (100)", schema: ["type": "integer", "minimum": 1, "maximum": 10_000]),
        ], responses: ["200": OpenAPIDocument.jsonResponse("Entries or groups", ["type": "array", "items": ["type": "object"]])])
    ) { service, call in try await list(service, call) },
    ServiceRoute(
      .delete, "/cache", .scope(.admin),
      Operation(
        "cachePurge", "Removes all images that match a filter.",
        parameters: [OpenAPIDocument.query("where", "A filter, or all for everything")],
        responses: ["200": OpenAPIDocument.jsonResponse("The removed entries", OpenAPIDocument.removal)])
    ) { service, call in
      guard let text = call.query["where"] else { throw OffprintError(.usage, "Specify the entries with where=FILTER or where=all.") }
      let removal = try await service.cache(call) { cache throws(CacheError) in
        text == "all" ? try cache.clearEverywhere() : try cache.removeEverywhere(where: CacheFilter.parse(text))
      }
      service.removeCachedResponses()
      return Response(json: removal.json)
    },
  ]

  private static func list(_ service: Service, _ call: RouteCall) async throws -> Response {
    var query = CacheQuery()
    do throws(CacheError) {
      if let text = call.query["where"], !text.isEmpty { query.filter = try CacheFilter.parse(text) }
      if let text = call.query["sort"], !text.isEmpty { query.sort = try CacheSort.parse(text) + [CacheSort(.key)] }
    } catch {
      throw OffprintError(.usage, error.message)
    }
    if let search = call.query["search"], !search.isEmpty { query.search = search }
    query.limit = 100
    if let text = call.query["limit"] {
      guard let limit = Int(text), (1...10_000).contains(limit) else { throw OffprintError(.usage, "The limit must be 1 to 10000.") }
      query.limit = limit
    }
    let wanted = query
    if let name = call.query["group"], !name.isEmpty {
      guard let field = CacheField(name: name) else { throw OffprintError(.usage, "There is no field '\(name.prefix(100))'.") }
      let groups = try await service.cache(call) { cache throws(CacheError) in try cache.groups(wanted, by: field) }
      return Response(json: .array(groups.map(\.json)))
    }
    return Response(json: .array(try await service.cache(call) { cache throws(CacheError) in try cache.list(wanted) }.map(\.json)))
  }
}

extension FontLibrary.Face {
  /// The output of `offprint fonts --json` without file paths, which clients should not see.
  var json: JSONValue {
    func list(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
    return [
      "family": .string(family), "fullName": .string(fullName), "postScriptName": .string(postScriptName), "style": .string(style),
      "weight": .number(Double(weight)), "stretch": .number(Double(stretch)), "italic": .bool(isItalic),
      "axes": .array(axes.map(\.json)), "instances": .array(instances.map(\.json)), "features": list(features), "scripts": list(scripts),
      "coverage": .number(Double(coverage)), "outlines": .string(outlines), "colorTables": list(colorTables), "version": .string(version),
      "licence": .string(licence), "licenceURL": .string(licenceURL), "embedding": list(embedding), "localizedNames": list(localizedNames),
      "index": .number(Double(index)),
    ]
  }
}

extension FontLibrary.Face.Axis {
  var json: JSONValue {
    [
      "tag": .string(tag), "minimum": .number(Double(minimum)), "default": .number(Double(defaultValue)),
      "maximum": .number(Double(maximum)),
    ]
  }
}

extension FontLibrary.Face.Instance {
  var json: JSONValue { ["name": .string(name), "coordinates": .object(coordinates.mapValues { .number(Double($0)) })] }
}

extension CacheStats {
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "entries": .number(Double(entries)), "bytes": .number(Double(size)), "indexBytes": .number(Double(indexSize)),
      "hits": .number(Double(totalHits)), "renderMilliseconds": .number(totalCostMilliseconds),
      "savedMilliseconds": .number(savedMilliseconds),
      "memoryEntries": .number(Double(memoryEntries)), "memoryBytes": .number(Double(memoryBytes)),
    ]
    if let hitRate { members["hitRate"] = .number(hitRate) }
    members["days"] = .array(
      days.map {
        [
          "day": .string($0.description), "hits": .number(Double($0.figures.hits)), "misses": .number(Double($0.figures.misses)),
          "stores": .number(Double($0.figures.stores)),
        ]
      })
    return .object(members)
  }
}

extension CacheGroup {
  var json: JSONValue {
    ["value": .string(value), "entries": .number(Double(entries)), "bytes": .number(Double(size)), "hits": .number(Double(hits))]
  }
}

extension CacheRecord {
  var json: JSONValue {
    [
      "key": .string("\(key)"), "identifiers": .array(identifiers.map { .string($0) }), "tags": .array(tags.map { .string($0) }),
      "width": .number(Double(width)), "height": .number(Double(height)), "bytes": .number(Double(size)), "hits": .number(Double(hits)),
      "created": .string("\(created)"), "lastUsed": .string("\(lastUsed)"), "milliseconds": .number(costMilliseconds),
      "source": .string(source),
    ]
  }
}
