import OffprintCoreTypes

/// The adjusted names of foreign elements and attributes by the lowercase names that the tokenizer emits, interned in a document's name table.
/// Created for the first foreign element.
struct ForeignNames {
  var svgElements: [Name: Name] = [:]
  var svgAttributes: [Name: Name] = [:]
  var mathMLAttributes: [Name: Name] = [:]
  var namespacedAttributes: [Name: (Name, Namespace)] = [:]

  init(_ names: inout NameTable) {
    for name in adjustedSVGElements { svgElements[names.intern(name.lowercased())] = names.intern(name) }
    for name in adjustedSVGAttributes { svgAttributes[names.intern(name.lowercased())] = names.intern(name) }
    mathMLAttributes[names.intern("definitionurl")] = names.intern("definitionURL")
    for name in ["actuate", "arcrole", "href", "role", "show", "title", "type"] {
      namespacedAttributes[names.intern("xlink:" + name)] = (names.intern(name), .xlink)
    }
    for name in ["lang", "space"] { namespacedAttributes[names.intern("xml:" + name)] = (names.intern(name), .xml) }
    namespacedAttributes[.xmlns] = (.xmlns, .xmlns)
    namespacedAttributes[names.intern("xmlns:xlink")] = (names.intern("xlink"), .xmlns)
  }
}

extension HTMLTreeConstructor {
  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inforeign
  mutating func inForeignContent() -> Outcome {
    switch token.kind {
    case .null: insertText(tokenizer.replacementCharacter())
    case .text:
      insertText(token.data)
      if framesetOK, !isSpace(token.data) { framesetOK = false }
    case .comment: insertComment()
    case .doctype, .endOfFile: break
    case .startTag:
      if endsForeignContent() { return leaveForeignContent() }
      let namespace = open.last?.namespace ?? .svg
      insertForeignElement(namespace)
      if token.selfClosing { pop() }
    case .endTag:
      if token.name == .br || token.name == .p { return leaveForeignContent() }
      return endTagInForeignContent()
    }
    return .done
  }

  private func endsForeignContent() -> Bool {
    if token.name == .font {
      return [Name.color, .face, .size].contains { attributeValue($0, in: token.attributes) != nil }
    }
    return htmlTraits(token.name).contains(.endsForeignContent)
  }

  private mutating func leaveForeignContent() -> Outcome {
    while let element = open.last, element.namespace != .html,
      element.traits.isDisjoint(with: [.mathMLTextIntegrationPoint, .htmlIntegrationPoint])
    { pop() }
    return processInMode()
  }

  private mutating func endTagInForeignContent() -> Outcome {
    for index in open.indices.reversed() where index > 0 {
      let element = open[index]
      if element.namespace == .html { return processInMode() }
      if element.tagName == token.name {
        pop(downTo: index)
        return .done
      }
    }
    return .done
  }

  /// Inserts the element of a start tag "math" or "svg" in HTML content.
  mutating func insertForeignRoot(_ namespace: Namespace) {
    reconstructFormatting()
    insertForeignElement(namespace)
    if token.selfClosing { pop() }
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#insert-a-foreign-element
  private mutating func insertForeignElement(_ namespace: Namespace) {
    if foreignNames == nil { foreignNames = ForeignNames(&tokenizer.names) }
    var name = token.name
    if namespace == .svg { name = foreignNames?.svgElements[name] ?? name }
    for index in token.attributes.range { adjustAttribute(at: index, namespace) }
    limitDepth()
    let place = appropriatePlace()
    let element = makeElement(name, namespace, attributes: token.attributes)
    insert(element, at: place)
    let traits = foreignTraits(name, namespace)
    push(OpenElement(node: element, name: name, tagName: token.name, namespace: namespace, traits: traits))
  }

  private mutating func adjustAttribute(at index: Int, _ namespace: Namespace) {
    guard let foreignNames else { return }
    let name = tokenizer.attributes[index].name
    if let (local, namespace) = foreignNames.namespacedAttributes[name] {
      tokenizer.attributes[index].name = local
      tokenizer.attributes[index].namespace = namespace
    } else if let adjusted = namespace == .svg ? foreignNames.svgAttributes[name] : foreignNames.mathMLAttributes[name] {
      tokenizer.attributes[index].name = adjusted
    }
  }

  private func foreignTraits(_ name: Name, _ namespace: Namespace) -> ElementTraits {
    let scoping: ElementTraits = [.special, .scope, .listItemScope, .buttonScope]
    switch (namespace, name) {
    case (.mathML, .mi), (.mathML, .mo), (.mathML, .mn), (.mathML, .ms), (.mathML, .mtext):
      return scoping.union(.mathMLTextIntegrationPoint)
    case (.mathML, .annotationXml):
      let isHTML =
        attribute(.encoding, in: token.attributes, equals: "text/html")
        || attribute(.encoding, in: token.attributes, equals: "application/xhtml+xml")
      return isHTML ? scoping.union(.htmlIntegrationPoint) : scoping
    case (.svg, .foreignObject), (.svg, .desc), (.svg, .title): return scoping.union(.htmlIntegrationPoint)
    default: return []
    }
  }
}

/// https://html.spec.whatwg.org/multipage/parsing.html#creating-and-inserting-nodes (SVG tag names)
private let adjustedSVGElements = [
  "altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform", "clipPath", "feBlend", "feColorMatrix",
  "feComponentTransfer", "feComposite", "feConvolveMatrix", "feDiffuseLighting", "feDisplacementMap", "feDistantLight", "feDropShadow",
  "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR", "feGaussianBlur", "feImage", "feMerge", "feMergeNode", "feMorphology",
  "feOffset", "fePointLight", "feSpecularLighting", "feSpotLight", "feTile", "feTurbulence", "foreignObject", "glyphRef",
  "linearGradient", "radialGradient", "textPath",
]

/// https://html.spec.whatwg.org/multipage/parsing.html#adjust-svg-attributes
private let adjustedSVGAttributes = [
  "attributeName", "attributeType", "baseFrequency", "baseProfile", "calcMode", "clipPathUnits", "diffuseConstant", "edgeMode",
  "filterUnits", "glyphRef", "gradientTransform", "gradientUnits", "kernelMatrix", "kernelUnitLength", "keyPoints", "keySplines",
  "keyTimes", "lengthAdjust", "limitingConeAngle", "markerHeight", "markerUnits", "markerWidth", "maskContentUnits", "maskUnits",
  "numOctaves", "pathLength", "patternContentUnits", "patternTransform", "patternUnits", "pointsAtX", "pointsAtY", "pointsAtZ",
  "preserveAlpha", "preserveAspectRatio", "primitiveUnits", "refX", "refY", "repeatCount", "repeatDur", "requiredExtensions",
  "requiredFeatures", "specularConstant", "specularExponent", "spreadMethod", "startOffset", "stdDeviation", "stitchTiles",
  "surfaceScale", "systemLanguage", "tableValues", "targetX", "targetY", "textLength", "viewBox", "viewTarget", "xChannelSelector",
  "yChannelSelector", "zoomAndPan",
]
