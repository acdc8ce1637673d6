import OffprintCoreTypes

struct OutlineStyleValue: Sendable { var style: BorderLineStyle, isAuto: Bool }

extension TableBuilder {
  mutating func registerDecorations() {
    registerBorders()
    registerOutline()
    registerBackground()
    registerMask()
  }

  private mutating func registerBorders() {
    let styles = ValueParser.lineStyles
    specified("border-top-width", \BorderStyle.width.top, "<line-width>") { $0.lineWidth() }
    specified("border-right-width", \BorderStyle.width.right, "<line-width>") { $0.lineWidth() }
    specified("border-bottom-width", \BorderStyle.width.bottom, "<line-width>") { $0.lineWidth() }
    specified("border-left-width", \BorderStyle.width.left, "<line-width>") { $0.lineWidth() }
    keywords("border-top-style", \BorderStyle.style.top, styles)
    keywords("border-right-style", \BorderStyle.style.right, styles)
    keywords("border-bottom-style", \BorderStyle.style.bottom, styles)
    keywords("border-left-style", \BorderStyle.style.left, styles)
    field("border-top-color", \BorderStyle.color.top, "<color>") { $0.color() }
    field("border-right-color", \BorderStyle.color.right, "<color>") { $0.color() }
    field("border-bottom-color", \BorderStyle.color.bottom, "<color>") { $0.color() }
    field("border-left-color", \BorderStyle.color.left, "<color>") { $0.color() }
    let radius = "<length-percentage [0,∞]>{1,2}"
    field("border-top-left-radius", \BorderStyle.radius.topLeft, radius) { $0.cornerRadius() }
    field("border-top-right-radius", \BorderStyle.radius.topRight, radius) { $0.cornerRadius() }
    field("border-bottom-right-radius", \BorderStyle.radius.bottomRight, radius) { $0.cornerRadius() }
    field("border-bottom-left-radius", \BorderStyle.radius.bottomLeft, radius) { $0.cornerRadius() }
    let shape = "round | scoop | bevel | notch | square | squircle | superellipse( <number> | infinity | -infinity )"
    field("corner-top-left-shape", \BorderStyle.cornerShape.topLeft, shape) { $0.cornerShape() }
    field("corner-top-right-shape", \BorderStyle.cornerShape.topRight, shape) { $0.cornerShape() }
    field("corner-bottom-right-shape", \BorderStyle.cornerShape.bottomRight, shape) { $0.cornerShape() }
    field("corner-bottom-left-shape", \BorderStyle.cornerShape.bottomLeft, shape) { $0.cornerShape() }
    change(["border-top-width", "border-right-width", "border-bottom-width", "border-left-width"]) { $0.allowsUnitlessLength = true }
    change(["border-top-color", "border-right-color", "border-bottom-color", "border-left-color"]) { $0.allowsHashlessColor = true }
    field("border-image-source", \BorderStyle.image.source, "none | <image>") { $0.imageOrNone() }
    fields(
      "border-image-slice", "[ <number [0,∞]> | <percentage [0,∞]> ]{1,4} && fill?", parse: { $0.borderImageSlice() },
      set: { (style: inout BorderStyle, value: SliceValue) in
        style.image.slice = value.slice
        style.image.fill = value.fill
      }, get: { SliceValue(slice: $0.image.slice, fill: $0.image.fill) })
    field("border-image-width", \BorderStyle.image.width, "[ <length-percentage [0,∞]> | <number [0,∞]> | auto ]{1,4}") { parser in
      parser.sides { $0.borderImageWidth() }
    }
    field("border-image-outset", \BorderStyle.image.outset, "[ <length [0,∞]> | <number [0,∞]> ]{1,4}") { parser in
      parser.sides { $0.borderImageOutset() }
    }
    fields(
      "border-image-repeat", "[ stretch | repeat | round | space ]{1,2}", parse: { $0.borderImageRepeat() },
      set: { (style: inout BorderStyle, value: ImageRepeatValue) in
        style.image.repeatX = value.x
        style.image.repeatY = value.y
      }, get: { ImageRepeatValue(x: $0.image.repeatX, y: $0.image.repeatY) })
  }

  private mutating func registerOutline() {
    specified("outline-width", \BorderStyle.outlineWidth, "<line-width>") { $0.lineWidth() }
    fields(
      "outline-style", "auto | <line-style>",
      parse: { parser -> OutlineStyleValue? in
        if parser.keyword("auto") { return OutlineStyleValue(style: .solid, isAuto: true) }
        if parser.keyword("hidden") { return nil }
        return parser.keyword(of: ValueParser.lineStyles).map { OutlineStyleValue(style: $0, isAuto: false) }
      },
      set: { (border: inout BorderStyle, value: OutlineStyleValue) in
        border.outlineStyle = value.style
        border.outlineIsAuto = value.isAuto
      }, get: { OutlineStyleValue(style: $0.outlineStyle, isAuto: $0.outlineIsAuto) })
    field("outline-color", \BorderStyle.outlineColor, "<color>") { $0.color() }
    specified("outline-offset", \BorderStyle.outlineOffset, "<length>") { $0.specifiedLength() }
  }

  private mutating func registerBackground() {
    field("background-color", \BackgroundStyle.color, "<color>") { $0.color() }
    change(["background-color"]) { $0.allowsHashlessColor = true }
    field("background-image", \BackgroundStyle.lists.images, "[ none | <image> ]#") { parser in parser.commaList { $0.imageOrNone() } }
    field("background-position-x", \BackgroundStyle.lists.positionsX, "[ center | [ left | right ]? <length-percentage>? ]#") { parser in
      parser.commaList { $0.axisPosition(horizontal: true) }
    }
    field("background-position-y", \BackgroundStyle.lists.positionsY, "[ center | [ top | bottom ]? <length-percentage>? ]#") { parser in
      parser.commaList { $0.axisPosition(horizontal: false) }
    }
    change(["background-position-x", "background-position-y"]) { $0.allowsUnitlessLength = true }
    field("background-size", \BackgroundStyle.lists.sizes, "[ cover | contain | [ <length-percentage [0,∞]> | auto ]{1,2} ]#") { parser in
      parser.commaList { $0.backgroundSize() }
    }
    field("background-repeat", \BackgroundStyle.lists.repeats, "[ repeat-x | repeat-y | [ repeat | space | round | no-repeat ]{1,2} ]#") {
      parser in
      parser.commaList { $0.backgroundRepeat() }
    }
    field("background-attachment", \BackgroundStyle.lists.attachments, "[ scroll | fixed | local ]#") { parser in
      parser.commaList { $0.keyword(of: ValueParser.attachments) }
    }
    field("background-origin", \BackgroundStyle.lists.origins, "<visual-box>#") { parser in
      parser.commaList { $0.keyword(of: ValueParser.backgroundBoxes) }
    }
    field("background-clip", \BackgroundStyle.lists.clips, "[ <visual-box> | text | border-area ]#") { parser in
      parser.commaList { $0.backgroundClip() }
    }
    field("background-blend-mode", \BackgroundStyle.lists.blendModes, "<blend-mode>#") { parser in
      parser.commaList { $0.keyword(of: ValueParser.blendModes) }
    }
    specified("box-shadow", \BackgroundStyle.boxShadow, "none | [ inset? && <length>{2,4} && <color>? ]#") { $0.shadows(isText: false) }
  }

  /// https://drafts.fxtf.org/css-masking/
  private mutating func registerMask() {
    field("mask-image", \EffectStyle.maskLists.images, "[ none | <image> ]#") { parser in parser.commaList { $0.imageOrNone() } }
    field("-webkit-mask-position-x", \EffectStyle.maskLists.positionsX, "as background-position-x") { parser in
      parser.commaList { $0.axisPosition(horizontal: true) }
    }
    field("-webkit-mask-position-y", \EffectStyle.maskLists.positionsY, "as background-position-y") { parser in
      parser.commaList { $0.axisPosition(horizontal: false) }
    }
    field("mask-size", \EffectStyle.maskLists.sizes, "as background-size") { parser in parser.commaList { $0.backgroundSize() } }
    field("mask-repeat", \EffectStyle.maskLists.repeats, "as background-repeat") { parser in parser.commaList { $0.backgroundRepeat() } }
    field("mask-origin", \EffectStyle.maskLists.origins, "<coord-box>#") { parser in
      parser.commaList { $0.keyword(of: ValueParser.backgroundBoxes + ValueParser.shapeBoxes) }
    }
    field("mask-clip", \EffectStyle.maskLists.clips, "[ <coord-box> | no-clip | text ]#") { parser in
      parser.commaList { $0.maskClip() }
    }
    field("mask-composite", \EffectStyle.maskLists.composites, "[ add | subtract | intersect | exclude ]#") { parser in
      parser.commaList { $0.keyword(of: ValueParser.composites) }
    }
    field("mask-mode", \EffectStyle.maskLists.maskModes, "[ alpha | luminance | match-source ]#") { parser in
      parser.commaList { $0.keyword(of: ValueParser.maskModes) }
    }
  }
}

struct SliceValue: Sendable { var slice: PhysicalSides<BorderImage.Slice>, fill: Bool }
struct ImageRepeatValue: Sendable { var x: BorderImage.Repeat, y: BorderImage.Repeat }

extension ValueParser {
  static let lineStyles: [(StaticString, BorderLineStyle)] = [
    ("none", .none), ("hidden", .hidden), ("solid", .solid), ("dashed", .dashed), ("dotted", .dotted), ("double", .double),
    ("groove", .groove),
    ("ridge", .ridge), ("inset", .inset), ("outset", .outset),
  ]
  static let attachments: [(StaticString, BackgroundLayer.Attachment)] = [("scroll", .scroll), ("fixed", .fixed), ("local", .local)]
  static let backgroundBoxes: [(StaticString, BoxEdge)] = [
    ("border-box", .borderBox), ("padding-box", .paddingBox), ("content-box", .contentBox), ("border", .borderBox),
    ("padding", .paddingBox),
    ("content", .contentBox),
  ]
  static let composites: [(StaticString, BackgroundLayer.Composite)] = [
    ("add", .add), ("subtract", .subtract), ("intersect", .intersect), ("exclude", .exclude),
  ]
  /// Those of `-webkit-mask-composite`, as far as they have a standard name.
  static let prefixedComposites: [(StaticString, BackgroundLayer.Composite)] = [
    ("source-over", .add), ("source-in", .intersect), ("source-out", .subtract), ("xor", .exclude),
  ]
  static let blendModes: [(StaticString, BlendMode)] = [
    ("normal", .normal), ("multiply", .multiply), ("screen", .screen), ("overlay", .overlay), ("darken", .darken), ("lighten", .lighten),
    ("color-dodge", .colorDodge), ("color-burn", .colorBurn), ("hard-light", .hardLight), ("soft-light", .softLight),
    ("difference", .difference), ("exclusion", .exclusion), ("hue", .hue), ("saturation", .saturation), ("color", .color),
    ("luminosity", .luminosity), ("plus-lighter", .plusLighter),
  ]

  mutating func backgroundClip() -> BoxEdge? {
    if keyword("border-area") { return .borderArea }
    return clipBox()
  }

  private mutating func clipBox() -> BoxEdge? {
    keyword("text") || keyword("-webkit-text") ? .text : keyword(of: Self.backgroundBoxes)
  }

  mutating func maskClip() -> BoxEdge? {
    if keyword("no-clip") { return .noClip }
    return clipBox() ?? keyword(of: Self.shapeBoxes)
  }

  mutating func backgroundSize() -> BackgroundLayer.Size? {
    if keyword("cover") { return .cover }
    if keyword("contain") { return .contain }
    func axis(_ parser: inout ValueParser) -> LengthPercentage?? {
      parser.keyword("auto") ? .some(nil) : parser.lengthPercentage(nonNegative: true).map { .some($0) }
    }
    guard let width = axis(&self) else { return nil }
    guard let height = axis(&self) else { return .explicit(width, nil) }
    return .explicit(width, height)
  }

  private static let repeats: [(StaticString, BackgroundLayer.Repeat)] = [
    ("repeat", .repeat), ("no-repeat", .noRepeat), ("space", .space), ("round", .round),
  ]

  mutating func backgroundRepeat() -> LayerLists.Repetition? {
    if keyword("repeat-x") { return LayerLists.Repetition(x: .repeat, y: .noRepeat) }
    if keyword("repeat-y") { return LayerLists.Repetition(x: .noRepeat, y: .repeat) }
    guard let x = keyword(of: Self.repeats) else { return nil }
    return LayerLists.Repetition(x: x, y: keyword(of: Self.repeats) ?? x)
  }

  mutating func cornerRadius() -> CornerRadius? {
    guard let horizontal = lengthPercentage(nonNegative: true) else { return nil }
    return CornerRadius(horizontal: horizontal, vertical: lengthPercentage(nonNegative: true) ?? horizontal)
  }

  mutating func borderImageSlice() -> SliceValue? {
    var fill = keyword("fill")
    guard
      let slice = sides({ parser -> BorderImage.Slice? in
        if let number = parser.float(Self.nonNegative) { return .number(number) }
        return parser.percentage(Self.nonNegative).map { .percentage(Float($0)) }
      })
    else { return nil }
    if !fill { fill = keyword("fill") }
    return SliceValue(slice: slice, fill: fill)
  }

  mutating func borderImageWidth() -> BorderImage.Width? {
    if keyword("auto") { return .auto }
    if let number = float(Self.nonNegative) { return .number(number) }
    return lengthPercentage(nonNegative: true).map { .value($0) }
  }

  mutating func borderImageOutset() -> BorderImage.Outset? {
    if let number = float(Self.nonNegative) { return .number(number) }
    return nonNegativeLength().map { .length($0) }
  }

  mutating func borderImageRepeat() -> ImageRepeatValue? {
    let table: [(StaticString, BorderImage.Repeat)] = [("stretch", .stretch), ("repeat", .repeat), ("round", .round), ("space", .space)]
    guard let x = keyword(of: table) else { return nil }
    return ImageRepeatValue(x: x, y: keyword(of: table) ?? x)
  }
}
