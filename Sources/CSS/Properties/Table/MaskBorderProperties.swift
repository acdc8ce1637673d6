import OffprintCoreTypes

/// `-webkit-box-reflect`: the box is painted again, mirrored, adjacent to one of its edges.
///
/// https://developer.mozilla.org/en-US/docs/Web/CSS/-webkit-box-reflect
public struct BoxReflection: Hashable, Sendable {
  public enum Side: UInt8, Hashable, Sendable { case above, below, left, right }
  public var side: Side
  /// The gap between the box and its reflection; percentages refer to the size of the box.
  public var offset: LengthPercentage
  /// The mask of the reflection.
  public var mask: BorderImage?
}

extension BorderImage {
  /// The initial value of `-webkit-mask-box-image`.
  static let mask: BorderImage = {
    var image = BorderImage()
    image.slice = PhysicalSides(all: .number(0))
    image.fill = true
    image.width = PhysicalSides(all: .auto)
    return image
  }()
}

extension EffectStyle {
  fileprivate var usedMaskBorder: BorderImage {
    get { maskBorder ?? .mask }
    set { maskBorder = newValue == .mask ? nil : newValue }
  }
}

extension TableBuilder {
  /// Registers mask borders under their legacy names, which Chromium uses. https://drafts.fxtf.org/css-masking-1/#mask-borders
  mutating func registerMaskBorders() {
    maskBorder("-webkit-mask-box-image-source", "none | <image>", \.source) { $0.imageOrNone() }
    fields(
      "-webkit-mask-box-image-slice", "[ <number [0,∞]> | <percentage [0,∞]> ]{1,4} && fill?", parse: { $0.borderImageSlice() },
      set: { (style: inout EffectStyle, value: SliceValue) in
        // The middle part is always included in these masks.
        style.usedMaskBorder.slice = value.slice
      }, get: { SliceValue(slice: $0.usedMaskBorder.slice, fill: true) })
    maskBorder("-webkit-mask-box-image-width", "[ <length-percentage [0,∞]> | <number [0,∞]> | auto ]{1,4}", \.width) { parser in
      parser.sides { $0.borderImageWidth() }
    }
    maskBorder("-webkit-mask-box-image-outset", "[ <length [0,∞]> | <number [0,∞]> ]{1,4}", \.outset) { parser in
      parser.sides { $0.borderImageOutset() }
    }
    fields(
      "-webkit-mask-box-image-repeat", "[ stretch | repeat | round | space ]{1,2}", parse: { $0.borderImageRepeat() },
      set: { (style: inout EffectStyle, value: ImageRepeatValue) in
        style.usedMaskBorder.repeatX = value.x
        style.usedMaskBorder.repeatY = value.y
      }, get: { ImageRepeatValue(x: $0.usedMaskBorder.repeatX, y: $0.usedMaskBorder.repeatY) })
    field(
      "-webkit-box-reflect", \EffectStyle.reflection, "none | [ above | below | left | right ] <length-percentage>? <mask-box-image>?",
      read: { value, writer in value?.css(writer) ?? "none" }
    ) { parser -> BoxReflection?? in parser.keyword("none") ? .some(nil) : parser.boxReflection().map { .some($0) } }
    field("border-shape", \BorderStyle.shapes, "none | [ <basic-shape> <geometry-box>? ]{1,2}", read: { $0.css($1) }) {
      $0.borderShapes()
    }
  }

  private mutating func maskBorder<Value: Sendable>(
    _ name: StaticString, _ grammar: String, _ path: any WritableKeyPath<BorderImage, Value> & Sendable,
    _ parse: @escaping @Sendable (inout ValueParser) -> Value?
  ) {
    fields(
      name, grammar, parse: parse, set: { (style: inout EffectStyle, value: Value) in style.usedMaskBorder[keyPath: path] = value },
      get: { $0.usedMaskBorder[keyPath: path] })
  }

  mutating func registerMaskBorderShorthand() {
    shorthand(
      "-webkit-mask-box-image",
      [
        "-webkit-mask-box-image-source", "-webkit-mask-box-image-slice", "-webkit-mask-box-image-width", "-webkit-mask-box-image-outset",
        "-webkit-mask-box-image-repeat",
      ]
    ) { $0.borderImage(&$1) }
  }
}

extension ValueParser {
  fileprivate mutating func boxReflection() -> BoxReflection? {
    let sides: [(StaticString, BoxReflection.Side)] = [("above", .above), ("below", .below), ("left", .left), ("right", .right)]
    guard let side = keyword(of: sides) else { return nil }
    let offset = lengthPercentage() ?? .zero
    if isAtEnd() { return BoxReflection(side: side, offset: offset, mask: nil) }
    return maskBoxImage().map { BoxReflection(side: side, offset: offset, mask: $0) }
  }

  /// Parses `<image> || [ <slice> [ / <width> [ / <outset> ]? ]? ] || <repeat>`.
  private mutating func maskBoxImage() -> BorderImage? {
    var image = BorderImage.mask
    var seen: Set<Int> = []
    while !isAtEnd() {
      if !seen.contains(0), let slice = borderImageSlice() {
        seen.insert(0)
        image.slice = slice.slice
        guard delimiter("/") else { continue }
        guard let width = sides({ $0.borderImageWidth() }) else { return nil }
        image.width = width
        guard delimiter("/") else { continue }
        guard let outset = sides({ $0.borderImageOutset() }) else { return nil }
        image.outset = outset
      } else if !seen.contains(1), let source = attempt({ $0.imageOrNone() }) {
        seen.insert(1)
        image.source = source
      } else if !seen.contains(2), let repetition = borderImageRepeat() {
        seen.insert(2)
        (image.repeatX, image.repeatY) = (repetition.x, repetition.y)
      } else {
        return nil
      }
    }
    return seen.isEmpty ? nil : image
  }
}

extension BoxReflection {
  fileprivate func css(_ writer: ComputedTextWriter) -> String {
    ["\(side)", offset.css(writer), mask?.source.css(writer)].compactMap { $0 }.joined(separator: " ")
  }

  func zoomed(_ zoom: Float) -> BoxReflection { BoxReflection(side: side, offset: offset.zoomed(zoom), mask: mask?.zoomed(zoom)) }
}

// MARK: border-shape

/// An outline of `border-shape`: a single shape is stroked, the ring between two is filled.
/// https://drafts.csswg.org/css-borders-4/#border-shape
public struct BorderShape: Hashable, Sendable {
  public var shape: BasicShape
  /// The reference box; nil for the default, see `BorderShapePainter`.
  public var box: BoxEdge?
}

extension [BorderShape] {
  fileprivate func css(_ writer: ComputedTextWriter) -> String {
    isEmpty
      ? "none"
      : map { [$0.shape.css(writer), $0.box.map { ComputedTextWriter.keyword("\($0)") }].compactMap { $0 }.joined(separator: " ") }
        .joined(separator: " ")
  }

  func zoomed(_ zoom: Float) -> [BorderShape] { map { BorderShape(shape: $0.shape.zoomed(zoom), box: $0.box) } }
}

extension ValueParser {
  fileprivate mutating func borderShapes() -> [BorderShape]? {
    if keyword("none") { return [] }
    return list(max: 2) { parser in
      parser.basicShape().map { BorderShape(shape: $0, box: parser.keyword(of: Self.borderShapeBoxes)) }
    }
  }

  private static let borderShapeBoxes: [(StaticString, BoxEdge)] = [
    ("half-border-box", .halfBorderBox), ("border-box", .borderBox), ("padding-box", .paddingBox), ("content-box", .contentBox),
    ("margin-box", .marginBox),
  ]
}
