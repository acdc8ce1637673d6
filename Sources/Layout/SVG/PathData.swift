package import OffprintCoreTypes
import Glibc

extension VectorPath {
  /// Parses SVG path data up to the first error.
  package init(svgPath data: some Sequence<UInt8>) { self = SVGPathParser.parse(data) }
}

/// Parses SVG path data up to the first error. https://www.w3.org/TR/SVG2/paths.html#PathDataBNF
struct SVGPathParser {
  private let bytes: [UInt8]
  private var index = 0
  private var path = VectorPath()
  private var current = DisplayPoint(0, 0)
  private var start = DisplayPoint(0, 0)
  /// The last control point, for smooth curves, and whether it is that of a cubic curve.
  private var control: DisplayPoint?
  private var controlIsCubic = false

  static func parse(_ data: some Sequence<UInt8>) -> VectorPath {
    var parser = SVGPathParser(bytes: Array(data.prefix(8 << 20)))
    parser.run()
    return parser.path
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func skipSpace() {
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x2C || (0x09...0x0D).contains(bytes[index]) { index += 1 }
  }

  private mutating func number() -> Double? {
    skipSpace()
    let first = index
    var end = index, digits = 0
    if end < bytes.count, bytes[end] == 0x2B || bytes[end] == 0x2D { end += 1 }
    while end < bytes.count, (0x30...0x39).contains(bytes[end]) { end += 1; digits += 1 }
    if end < bytes.count, bytes[end] == 0x2E {
      end += 1
      while end < bytes.count, (0x30...0x39).contains(bytes[end]) { end += 1; digits += 1 }
    }
    guard digits > 0 else { return nil }
    if end < bytes.count, bytes[end] | 0x20 == 0x65 {
      var exponent = end + 1
      if exponent < bytes.count, bytes[exponent] == 0x2B || bytes[exponent] == 0x2D { exponent += 1 }
      let digitsStart = exponent
      while exponent < bytes.count, (0x30...0x39).contains(bytes[exponent]) { exponent += 1 }
      if exponent > digitsStart { end = exponent }
    }
    index = end
    guard let value = Double(String(decoding: bytes[first..<end], as: UTF8.self)), value.isFinite else { return nil }
    return max(-1e9, min(1e9, value))
  }

  private mutating func flag() -> Bool? {
    skipSpace()
    guard index < bytes.count, bytes[index] == 0x30 || bytes[index] == 0x31 else { return nil }
    index += 1
    return bytes[index - 1] == 0x31
  }

  private mutating func point(_ relative: Bool) -> DisplayPoint? {
    guard let x = number(), let y = number() else { return nil }
    return relative ? DisplayPoint(current.x + x, current.y + y) : DisplayPoint(x, y)
  }

  private mutating func run() {
    var command: UInt8 = 0
    while true {
      skipSpace()
      guard index < bytes.count else { return }
      let byte = bytes[index]
      if (0x41...0x5A).contains(byte & 0xDF), byte & 0xDF != 0x45 {
        command = byte
        index += 1
      } else if command == 0 || command & 0xDF == UInt8(ascii: "Z") {
        return
      }
      let relative = command & 0x20 != 0
      if path.elements.isEmpty, command & 0xDF != UInt8(ascii: "M") { return }
      guard segment(command & 0xDF, relative) else { return }
      if command & 0xDF == UInt8(ascii: "M") { command = relative ? UInt8(ascii: "l") : UInt8(ascii: "L") }
    }
  }

  private mutating func segment(_ kind: UInt8, _ relative: Bool) -> Bool {
    var nextControl: DisplayPoint?
    var isCubic = false
    switch kind {
    case UInt8(ascii: "M"):
      guard let p = point(relative) else { return false }
      path.elements.append(.move(p))
      (current, start) = (p, p)
    case UInt8(ascii: "Z"):
      path.close()
      current = start
    case UInt8(ascii: "L"):
      guard let p = point(relative) else { return false }
      line(p)
    case UInt8(ascii: "H"):
      guard let x = number() else { return false }
      line(DisplayPoint(relative ? current.x + x : x, current.y))
    case UInt8(ascii: "V"):
      guard let y = number() else { return false }
      line(DisplayPoint(current.x, relative ? current.y + y : y))
    case UInt8(ascii: "C"), UInt8(ascii: "S"):
      let reflected = control.flatMap { controlIsCubic ? DisplayPoint(2 * current.x - $0.x, 2 * current.y - $0.y) : nil } ?? current
      guard let a = kind == UInt8(ascii: "C") ? point(relative) : reflected, let b = point(relative), let p = point(relative) else {
        return false
      }
      path.elements.append(.cubic(a, b, p))
      current = p
      (nextControl, isCubic) = (b, true)
    case UInt8(ascii: "Q"), UInt8(ascii: "T"):
      let reflected = control.flatMap { controlIsCubic ? nil : DisplayPoint(2 * current.x - $0.x, 2 * current.y - $0.y) } ?? current
      guard let c = kind == UInt8(ascii: "Q") ? point(relative) : reflected, let p = point(relative) else { return false }
      path.quadratic(from: current, c, p)
      current = p
      nextControl = c
    case UInt8(ascii: "A"):
      guard let rx = number(), let ry = number(), let angle = number(), let large = flag(), let sweep = flag(), let p = point(relative)
      else { return false }
      arc(abs(rx), abs(ry), angle * .pi / 180, large, sweep, to: p)
    default: return false
    }
    (control, controlIsCubic) = (nextControl, isCubic)
    return true
  }

  private mutating func line(_ p: DisplayPoint) {
    path.elements.append(.line(p))
    current = p
  }

  /// https://www.w3.org/TR/SVG2/implnote.html#ArcConversionEndpointToCenter
  private mutating func arc(_ rx: Double, _ ry: Double, _ phi: Double, _ large: Bool, _ sweep: Bool, to p: DisplayPoint) {
    guard rx > 0, ry > 0, p != current else { return line(p) }
    let (c, s) = (cos(phi), sin(phi))
    let dx = (current.x - p.x) / 2, dy = (current.y - p.y) / 2
    let x1 = c * dx + s * dy, y1 = c * dy - s * dx
    let excess = (x1 / rx) * (x1 / rx) + (y1 / ry) * (y1 / ry)
    let grow = excess > 1 ? excess.squareRoot() : 1
    let (rx, ry) = (rx * grow, ry * grow)
    let numerator = max(0, rx * rx * ry * ry - rx * rx * y1 * y1 - ry * ry * x1 * x1)
    let root = (numerator / max(rx * rx * y1 * y1 + ry * ry * x1 * x1, 1e-12)).squareRoot() * (large == sweep ? -1 : 1)
    let cx1 = root * rx * y1 / ry, cy1 = -root * ry * x1 / rx
    let cx = c * cx1 - s * cy1 + (current.x + p.x) / 2, cy = s * cx1 + c * cy1 + (current.y + p.y) / 2
    let from = atan2((y1 - cy1) / ry, (x1 - cx1) / rx)
    var delta = atan2((-y1 - cy1) / ry, (-x1 - cx1) / rx) - from
    // The squares of the radii overflow.
    guard delta.isFinite, cx.isFinite, cy.isFinite else { return line(p) }
    if sweep, delta < 0 { delta += 2 * .pi }
    if !sweep, delta > 0 { delta -= 2 * .pi }
    let pieces = max(1, Int((abs(delta) / (.pi / 2) - 1e-9).rounded(.up)))
    let step = delta / Double(pieces), k = 4.0 / 3 * tan(step / 4)
    func onEllipse(_ x: Double, _ y: Double) -> DisplayPoint {
      DisplayPoint(cx + c * rx * x - s * ry * y, cy + s * rx * x + c * ry * y)
    }
    for piece in 0..<pieces {
      let a = from + step * Double(piece), b = a + step
      let end = piece == pieces - 1 ? p : onEllipse(cos(b), sin(b))
      path.elements.append(
        .cubic(onEllipse(cos(a) - k * sin(a), sin(a) + k * cos(a)), onEllipse(cos(b) + k * sin(b), sin(b) - k * cos(b)), end))
    }
    current = p
  }
}
