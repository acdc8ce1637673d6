import OffprintCoreTypes

// MARK: Backgrounds and borders

extension OutlineStyleValue: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String { isAuto ? "auto" : writer.text(style) }
}
extension FlexWrapValue: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String { writer.text(wrap) + (balances ? " balance" : "") }
}
extension BackgroundLayer.Size: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    guard case .explicit(let width, let height) = self else { return "\(self)" }
    let texts = [width, height].map { $0?.css(writer) ?? "auto" }
    return height == nil ? texts[0] : texts.joined(separator: " ")
  }
}
extension LayerLists.Repetition: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    x == y
      ? ComputedTextWriter.keyword("\(x)")
      : "\(ComputedTextWriter.keyword("\(x)")) \(ComputedTextWriter.keyword("\(y)"))"
  }
}
extension BorderImage.Slice: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .number(let value): ComputedTextWriter.number(Double(value))
    case .percentage(let value): ComputedTextWriter.number(Double(value)) + "%"
    }
  }
}
extension SliceValue: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String { writer.sides(slice) + (fill ? " fill" : "") }
}
extension BorderImage.Width: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .auto: "auto"
    case .number(let value): ComputedTextWriter.number(Double(value))
    case .value(let length): length.css(writer)
    }
  }
}
extension BorderImage.Outset: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .number(let value): ComputedTextWriter.number(Double(value))
    case .length(let px): ComputedTextWriter.px(px)
    }
  }
}
extension ImageRepeatValue: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String { x == y ? "\(x)" : "\(x) \(y)" }
}
extension Shadow: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    let lengths = [x, y, blur] + (writer.unit == "text" ? [] : [spread])
    return ([color.css(writer)] + lengths.map(ComputedTextWriter.px) + (inset ? ["inset"] : []))
      .joined(separator: " ")
  }
}

// MARK: Images

extension ImageValue: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .none: "none"
    case .url(let url): "url(\(ComputedTextWriter.quoted(url.text)))"
    case .dense(let url, let density):
      "image-set(url(\(ComputedTextWriter.quoted(url.text))) \(ComputedTextWriter.number(Double(density)))dppx)"
    case .gradient(let gradient): gradient.css(writer)
    case .solid(let color): "image(\(color.css(writer)))"
    }
  }
}
extension Gradient: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    let name: String
    var parts: [String] = []
    switch shape {
    case .linear(let angle):
      name = "linear"
      if angle != 180 { parts.append(ComputedTextWriter.number(Double(angle)) + "deg") }
    case .linearTo(let x, let y):
      name = "linear"
      parts.append(
        (["to"] + (x == 0 ? [] : [x < 0 ? "left" : "right"])
          + (y == 0 ? [] : [y < 0 ? "top" : "bottom"])).joined(separator: " "))
    case .line(let from, let to): return legacyText("linear, \(from.css(writer)), \(to.css(writer))", writer)
    case .circles(let from, let first, let to, let second):
      let circles = [(from, first), (to, second)].map { "\($0.css(writer)), \(ComputedTextWriter.number($1.resolve(0.0)))" }
      return legacyText("radial, \(circles.joined(separator: ", "))", writer)
    case .radial(let ending, let position):
      name = "radial"
      parts.append("\(ending.css(writer)) at \(position.css(writer))")
    case .conic(let angle, let position):
      name = "conic"
      parts.append("from \(ComputedTextWriter.number(Double(angle)))deg at \(position.css(writer))")
    }
    parts += stops.map { $0.css(writer) }
    return "\(repeating ? "repeating-" : "")\(name)-gradient(\(parts.joined(separator: ", ")))"
  }
}
extension Gradient {
  fileprivate func legacyText(_ shape: String, _ writer: ComputedTextWriter) -> String {
    let stops = stops.map { stop -> String in
      let place = stop.position?.resolve(1.0) ?? 0, color = stop.color?.css(writer) ?? ""
      return place == 0 ? "from(\(color))" : place == 1 ? "to(\(color))" : "color-stop(\(ComputedTextWriter.number(place)), \(color))"
    }
    return "-webkit-gradient(\(shape), \(stops.joined(separator: ", ")))"
  }
}
extension Gradient.Stop: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    [color?.css(writer), position?.css(writer)].compactMap { $0 }.joined(separator: " ")
  }
}
extension Gradient.RadialEnding: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    func shaped(_ name: String, _ isCircle: Bool) -> String { isCircle ? "circle \(name)" : name }
    return switch self {
    case .closestSide(let isCircle): shaped("closest-side", isCircle)
    case .farthestSide(let isCircle): shaped("farthest-side", isCircle)
    case .closestCorner(let isCircle): shaped("closest-corner", isCircle)
    case .farthestCorner(let isCircle): shaped("farthest-corner", isCircle)
    case .circle(let radius): radius.css(writer)
    case .ellipse(let x, let y): "\(x.css(writer)) \(y.css(writer))"
    }
  }
}

// MARK: Shapes and effects

extension BasicShape.Radius: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    if case .value(let length) = self { return length.css(writer) }
    return ComputedTextWriter.keyword("\(self)")
  }
}
extension BasicShape: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .inset(let sides, let radius):
      return "inset(\(writer.sides(sides))\(radius == PhysicalCorners(all: .zero) ? "" : " round \(radii(radius, writer))"))"
    case .circle(let radius, let position):
      return "circle(\(radius.css(writer)) at \(position.css(writer)))"
    case .ellipse(let x, let y, let position):
      return "ellipse(\(x.css(writer)) \(y.css(writer)) at \(position.css(writer)))"
    case .polygon(let evenOdd, let points, let radius):
      let prelude = [evenOdd ? "evenodd" : nil, radius == .zero ? nil : "round \(radius.css(writer))"].compactMap { $0 }
      let parts = (prelude.isEmpty ? [] : [prelude.joined(separator: " ")]) + points.map { $0.css(writer) }
      return "polygon(\(parts.joined(separator: ", ")))"
    case .path(let evenOdd, let data):
      return "path(\(evenOdd ? "evenodd, " : "")\(ComputedTextWriter.quoted(data)))"
    case .shape(let evenOdd, let path):
      return "shape(\(evenOdd ? "evenodd " : "")from \(path.css(writer)))"
    }
  }
}
extension BasicShape {
  /// Serializes horizontal radii, followed by vertical ones if they differ, as in `border-radius`.
  private func radii(_ radii: PhysicalCorners<CornerRadius>, _ writer: ComputedTextWriter) -> String {
    func sides(_ radius: (CornerRadius) -> LengthPercentage) -> String {
      writer.sides(
        PhysicalSides(
          top: radius(radii.topLeft), right: radius(radii.topRight), bottom: radius(radii.bottomRight), left: radius(radii.bottomLeft)))
    }
    let horizontal = sides(\.horizontal), vertical = sides(\.vertical)
    return horizontal == vertical ? horizontal : "\(horizontal) / \(vertical)"
  }
}
extension ShapePath: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    ([start.css(writer)] + commands.map { text($0, writer) }).joined(separator: ", ")
  }

  private func text(_ command: Command, _ writer: ComputedTextWriter) -> String {
    func control(_ point: ControlPoint) -> String {
      let isUsual = point.anchor == (command.isRelative ? .start : .origin)
      return point.offset.css(writer) + (isUsual ? "" : " from \(point.anchor)")
    }
    let direction = command.isRelative ? "by" : "to", end = "\(direction) \(command.end.css(writer))"
    switch command.segment {
    case .close: return "close"
    case .move: return "move \(end)"
    case .line: return "line \(end)"
    case .horizontal: return "hline \(direction) \(command.end.x.css(writer))"
    case .vertical: return "vline \(direction) \(command.end.y.css(writer))"
    case .curve(let points): return "curve \(end) with \(points.map(control).joined(separator: " / "))"
    case .smooth(let point): return "smooth \(end)\(point.map { " with " + control($0) } ?? "")"
    case .arc(let arc):
      let radii = "\(arc.horizontal.css(writer)) \(arc.vertical.css(writer))"
      return "arc \(end) of \(radii)\(arc.isClockwise ? " cw" : "")\(arc.isLarge ? " large" : "")"
        + (arc.angle == 0 ? "" : " rotate \(ComputedTextWriter.number(Double(arc.angle)))deg")
    }
  }
}
extension ShapeValue: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .none: "none"
    case .box(let box): ComputedTextWriter.keyword("\(box)")
    case .shape(let shape, let box):
      // The initial box of `clip-path` is left out; `shape-outside` has another, which Chromium never leaves out.
      shape.css(writer) + (box.flatMap { $0 == .borderBox ? nil : " " + ComputedTextWriter.keyword("\($0)") } ?? "")
    case .image(let image): image.css(writer)
    case .reference(let url): "url(\(ComputedTextWriter.quoted(url.text)))"
    }
  }
}
extension OriginValue: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    position.css(writer) + (z == 0 ? "" : " \(ComputedTextWriter.px(z))")
  }
}
extension WillChangeValue: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    containing ? "transform" : position ? "position" : stacking ? "opacity" : "auto"
  }
}
extension TransformFunction: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    func call(_ name: String, _ numbers: [Float], _ unit: String = "") -> String {
      "\(name)(\(numbers.map { ComputedTextWriter.number(Double($0)) + unit }.joined(separator: ", ")))"
    }
    switch self {
    case .translate(let x, let y, let z):
      return z == 0
        ? "translate(\(x.css(writer)), \(y.css(writer)))"
        : "translate3d(\(x.css(writer)), \(y.css(writer)), \(ComputedTextWriter.px(z)))"
    case .scale(let x, let y, let z):
      return z == 1 ? call("scale", [x, y]) : call("scale3d", [x, y, z])
    case .rotate(let angle): return call("rotate", [angle], "deg")
    case .rotate3d(let x, let y, let z, let angle):
      return
        "rotate3d(\([x, y, z].map { ComputedTextWriter.number(Double($0)) }.joined(separator: ", ")), \(ComputedTextWriter.number(Double(angle)))deg)"
    case .skew(let x, let y): return call("skew", [x, y], "deg")
    case .matrix(let a, let b, let c, let d, let e, let f):
      return call("matrix", [a, b, c, d, e, f])
    case .matrix3d(let values): return call("matrix3d", values)
    case .perspective(let distance): return call("perspective", [distance], "px")
    case .interpolation(let mixture): return mixture.resolved(0, 0).css(writer)
    }
  }
}
extension FilterFunction: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    func call(_ name: String, _ value: Float, _ unit: String = "") -> String {
      "\(name)(\(ComputedTextWriter.number(Double(value)))\(unit))"
    }
    switch self {
    case .blur(let px): return call("blur", px, "px")
    case .brightness(let value): return call("brightness", value)
    case .contrast(let value): return call("contrast", value)
    case .grayscale(let value): return call("grayscale", value)
    case .hueRotate(let angle): return call("hue-rotate", angle, "deg")
    case .invert(let value): return call("invert", value)
    case .opacity(let value): return call("opacity", value)
    case .saturate(let value): return call("saturate", value)
    case .sepia(let value): return call("sepia", value)
    case .dropShadow(let shadow):
      var plain = writer
      plain.unit = "text"
      return "drop-shadow(\(shadow.css(plain)))"
    case .reference(let url): return "url(\(ComputedTextWriter.quoted(url.text)))"
    }
  }
}

// MARK: Grid

extension TrackBreadth: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .value(let length): length.css(writer)
    case .flex(let factor): ComputedTextWriter.number(Double(factor)) + "fr"
    case .auto, .minContent, .maxContent: ComputedTextWriter.keyword("\(self)")
    }
  }
}
extension TrackSize: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .breadth(let breadth): breadth.css(writer)
    case .minmax(let low, let high): "minmax(\(low.css(writer)), \(high.css(writer)))"
    case .fitContent(let limit): "fit-content(\(limit.css(writer)))"
    }
  }
}
extension TrackComponent: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .lineNames(let names): return "[\(names.map(\.text).joined(separator: " "))]"
    case .track(let size): return size.css(writer)
    case .repeat(let count, let tracks):
      let number =
        if case .count(let count) = count { String(count) } else {
          ComputedTextWriter.keyword("\(count)")
        }
      return "repeat(\(number), \(tracks.map { $0.css(writer) }.joined(separator: " ")))"
    }
  }
}
extension GridTemplate: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .none: "none"
    case .tracks(let tracks): tracks.map { $0.css(writer) }.joined(separator: " ")
    case .subgrid(let names): (["subgrid"] + names.map { $0.css(writer) }).joined(separator: " ")
    }
  }
}
extension GridTemplateAreas: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    (1..<rows + 1).map { row -> String in
      let cells = (1..<columns + 1).map { column -> String in
        let area = areas.first { ($0.rowStart..<$0.rowEnd).contains(row) && ($0.columnStart..<$0.columnEnd).contains(column) }
        return area?.name.text ?? "."
      }
      return ComputedTextWriter.quoted(cells.joined(separator: " "))
    }.joined(separator: " ")
  }
}
extension GridLine: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .auto: "auto"
    case .line(let number): String(number)
    case .named(let name, let number): number.map { "\($0) \(name)" } ?? name.text
    case .span(let count): "span \(count)"
    case .spanNamed(let name, let count): count == 1 ? "span \(name)" : "span \(count) \(name)"
    }
  }
}
extension GridAutoFlow: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    (isColumn ? "column" : "row") + (isDense ? " dense" : "")
  }
}
