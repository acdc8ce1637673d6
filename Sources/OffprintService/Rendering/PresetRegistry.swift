import Offprint
import OffprintCoreTypes

/// The presets with their fallback images, all read at startup.
struct PresetRegistry: Sendable {
  struct Item: Sendable {
    var preset: Preset
    /// The fallback image.
    var fallback: [UInt8]?
  }

  private var items: [Item] = []
  private static let maximumFallbackBytes = 16 << 20

  /// - Throws: An error for an option that no request could have, and for a fallback image that cannot be read.
  init(_ settings: ServiceSettings, _ templates: TemplateRegistry) throws(OffprintError) {
    for preset in settings.presets {
      do {
        _ = try ImageOrder(preset: preset, QueryItems(), settings, templates, lacksAttributes: true)
      } catch {
        throw OffprintError(.usage, "The preset '\(preset.name)' is invalid: \(Problem(error).message)")
      }
      var item = Item(preset: preset)
      if let path = preset.fallback {
        item.fallback = try SmallFile.read(path, limit: Self.maximumFallbackBytes, what: "The fallback image")
        guard let bytes = item.fallback, EncodedImageFormat(beginningOf: bytes) != nil else {
          throw OffprintError(
            .inputDamaged, "The fallback image '\(path)' of the preset '\(preset.name)' does not exist or is not an image.")
        }
      }
      items.append(item)
    }
  }

  init() {}

  /// - Throws: `notFound`.
  func item(_ name: String) throws(ServiceError) -> Item {
    guard let item = items.first(where: { $0.preset.name.hasSameBytes(as: name) }) else {
      throw ServiceError(.notFound, "There is no preset '\(name.prefix(100))'.")
    }
    return item
  }
}

extension ImageOrder {
  /// An image of a preset: its options with the attributes of a URL.
  ///
  /// - Parameter lacksAttributes: Whether required attributes may be missing, as they are at startup.
  /// - Throws: `dataInvalid` for parameters that are not attributes of its template, and the errors of its fields.
  init(
    preset: Preset, _ attributes: QueryItems, _ settings: ServiceSettings, _ shelf: TemplateRegistry, lacksAttributes: Bool = false
  ) throws {
    var draft = JobDraft(limits: settings.limits)
    let fields = preset.fields.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    for field in fields where JobDraft.content.contains(field.name) { try draft.set(field.name, field.value) }
    let template = try shelf.template(draft.template ?? "")
    let declared = template.attributes.map(\.name)
    // All parameters are attributes, so 'set.', which marks them in other URLs, is optional.
    let given = attributes.items.filter { $0.name != "expires" }.map { item in
      (name: item.name.hasPrefix("set.") ? String(item.name.dropFirst(4)) : item.name, value: item.value)
    }
    if let name = given.map({ $0.name }).firstRepeated(where: { _ in true }) { throw ServiceError.repeated(name) }
    for item in given {
      guard !template.declaresAttributes || declared.contains(item.name) else {
        throw OffprintError(
          .templateAttributeUnknown,
          "The preset '\(preset.name)' has no attribute '\(item.name.prefix(100))'; the attributes are \(declared.joined(separator: ", "))."
        )
      }
      draft.request.attributes[item.name] = item.value
    }
    try draft.takeContent(shelf, lacksAttributes: lacksAttributes)
    for field in fields where !JobDraft.content.contains(field.name) { try draft.set(field.name, field.value) }
    self = try draft.order(settings)
  }
}
