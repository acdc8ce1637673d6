import OffprintCoreTypes

// https://drafts.csswg.org/css-backgrounds-3/#the-background

extension TableBuilder {
  mutating func registerBackgroundShorthands() {
    shorthand("background-position", ["background-position-x", "background-position-y"], quirks: true) { parser, values in
      parser.allowsUnitlessLength = true
      defer { parser.allowsUnitlessLength = false }
      guard let positions = parser.commaList({ $0.position(allowsThree: true) }) else { return false }
      values.set(0, positions.map(\.x), parser)
      values.set(1, positions.map(\.y), parser)
      return true
    }
    // https://compat.spec.whatwg.org/#the-webkit-mask-composite-property: another set of keywords.
    shorthand("-webkit-mask-composite", ["mask-composite"]) { parser, values in
      guard let composites = parser.commaList({ $0.keyword(of: ValueParser.prefixedComposites) }) else { return false }
      values.set(0, composites, parser)
      return true
    }
    shorthand("mask-position", ["-webkit-mask-position-x", "-webkit-mask-position-y"]) { parser, values in
      guard let positions = parser.commaList({ $0.position() }) else { return false }
      values.set(0, positions.map(\.x), parser)
      values.set(1, positions.map(\.y), parser)
      return true
    }
    shorthand(
      "background",
      [
        "background-image", "background-position-x", "background-position-y", "background-size", "background-repeat",
        "background-attachment",
        "background-origin", "background-clip", "background-color",
      ]
    ) { $0.background(&$1) }
    shorthand(
      "mask",
      [
        "mask-image", "-webkit-mask-position-x", "-webkit-mask-position-y", "mask-size", "mask-repeat", "mask-origin", "mask-clip",
        "mask-composite", "mask-mode",
      ]
    ) { $0.mask(&$1) }
  }
}

/// A layer of `background` or `mask` during parsing; nil parts have initial values.
private struct LayerParts {
  var image: ImageValue?
  var position: Position?
  var size: BackgroundLayer.Size?
  var repetition: LayerLists.Repetition?
  var attachment: BackgroundLayer.Attachment?
  var origin: BoxEdge?
  var clip: BoxEdge?
  var composite: BackgroundLayer.Composite?
  var maskMode: BackgroundLayer.MaskMode?
  var isEmpty = true
}

extension ValueParser {
  fileprivate mutating func commonPart(_ layer: inout LayerParts) -> Bool? {
    if layer.image == nil, let image = imageOrNone() {
      layer.image = image
    } else if layer.repetition == nil, let repetition = backgroundRepeat() {
      layer.repetition = repetition
    } else if layer.position == nil, let position = position(allowsThree: true) {
      layer.position = position
      if delimiter("/") {
        guard let size = backgroundSize() else { return nil }
        layer.size = size
      }
    } else {
      return false
    }
    return true
  }

  mutating func background(_ values: inout ShorthandValues) -> Bool {
    var layers: [LayerParts] = []
    var color: ColorValue?
    repeat {
      guard color == nil else { return false }
      var layer = LayerParts()
      while let token = peek(), token.kind != .comma {
        guard let took = commonPart(&layer) else { return false }
        if !took {
          if layer.attachment == nil, let attachment = keyword(of: Self.attachments) {
            layer.attachment = attachment
          } else if layer.clip == nil, let box = backgroundClip() {
            if layer.origin == nil, box != .text { layer.origin = box } else { layer.clip = box }
          } else if color == nil, let given = self.color() {
            color = given
          } else {
            return false
          }
        }
        layer.isEmpty = false
      }
      guard !layer.isEmpty else { return false }
      layers.append(layer)
    } while comma()
    setCommon(layers, &values)
    values.set(5, layers.map { $0.attachment ?? .scroll }, self)
    values.set(6, layers.map { $0.origin ?? .paddingBox }, self)
    values.set(7, layers.map { $0.clip ?? $0.origin ?? .borderBox }, self)
    if let color { values.set(8, color, self) }
    return true
  }

  private func setCommon(_ layers: [LayerParts], _ values: inout ShorthandValues) {
    values.set(0, layers.map { $0.image ?? .none }, self)
    values.set(1, layers.map { $0.position?.x ?? .percentage(0) }, self)
    values.set(2, layers.map { $0.position?.y ?? .percentage(0) }, self)
    values.set(3, layers.map { $0.size ?? .explicit(nil, nil) }, self)
    values.set(4, layers.map { $0.repetition ?? LayerLists.Repetition(x: .repeat, y: .repeat) }, self)
  }

  /// https://drafts.fxtf.org/css-masking/#the-mask
  mutating func mask(_ values: inout ShorthandValues) -> Bool {
    var layers: [LayerParts] = []
    repeat {
      var layer = LayerParts()
      while let token = peek(), token.kind != .comma {
        guard let took = commonPart(&layer) else { return false }
        if !took {
          if layer.composite == nil, let composite = keyword(of: Self.composites) {
            layer.composite = composite
          } else if layer.maskMode == nil,
            let mode = keyword(of: ValueParser.maskModes)
          {
            layer.maskMode = mode
          } else if layer.clip == nil, let box = maskClip() {
            if layer.origin == nil, box != .text, box != .noClip { layer.origin = box } else { layer.clip = box }
          } else {
            return false
          }
        }
        layer.isEmpty = false
      }
      guard !layer.isEmpty else { return false }
      layers.append(layer)
    } while comma()
    setCommon(layers, &values)
    values.set(5, layers.map { $0.origin ?? .borderBox }, self)
    values.set(6, layers.map { $0.clip ?? $0.origin ?? .borderBox }, self)
    values.set(7, layers.map { $0.composite ?? .add }, self)
    values.set(8, layers.map { $0.maskMode ?? .matchSource }, self)
    return true
  }
}
