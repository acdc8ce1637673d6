import OffprintCSS
import OffprintCoreTypes

// The output of `inspect --display-list`: one command per line, indented between push and pop.
extension DisplayList: CustomStringConvertible {
  public var description: String { dump { _ in } }

  /// - Parameter spend: Called with the number of bytes before they are added. An error that it throws ends the dump.
  package func dump(_ spend: (Int) throws -> Void) rethrows -> String {
    var text = "bounds \(bounds)\n"
    var depth = 0
    for item in items {
      if item.command.closes { depth = max(0, depth - 1) }
      let line = String(repeating: "  ", count: depth) + item.command.description + "  [\(item.bounds)]\n"
      try spend(line.utf8.count)
      text += line
      if item.command.opens { depth += 1 }
    }
    return text
  }
}

extension DisplayCommand: CustomStringConvertible {
  var opens: Bool {
    switch self {
    case .pushClip, .pushGroup, .pushTransform: true
    default: false
    }
  }
  var closes: Bool {
    switch self {
    case .popClip, .popGroup, .popTransform: true
    default: false
    }
  }

  public var description: String {
    switch self {
    case .fillRect(let rect, let color): "rect \(rect) \(hex(color))"
    case .fillRoundedRect(let shape, let color): "rounded \(shape) \(hex(color))"
    case .fillRing(let outer, let inner, let color): "ring \(outer) around \(inner) \(hex(color))"
    case .fillPath(let path, let color): "path of \(path.elements.count) \(hex(color))"
    case .strokePath(let path, let stroke, let color):
      "stroke of \(path.elements.count) width \(short(stroke.width)) dashes \(stroke.dashes.map { short($0) }) \(hex(color))"
    case .pattern(let pattern):
      "\(pattern.source.name) tile \(RoundedRect(pattern.tile)) period \(short(pattern.periodX)),\(short(pattern.periodY)) in \(pattern.area)"
    case .glyphs(let run):
      "glyphs \(run.glyphs.count) of \(run.face.face.info.postScriptName) \(short(Double(run.size))) at "
        + "\(short(run.origin.x)),\(short(run.origin.y)) \(hex(run.color))\(run.isSideways ? " sideways" : "")"
        + "\(run.face.isSyntheticBold ? " emboldened" : "")\(run.face.isSyntheticOblique ? " slanted" : "")"
    case .shadow(let shadow):
      "\(shadow.isInset ? "inner " : "")shadow \(shadow.shape) sigma \(short(shadow.sigma)) beside \(shadow.box) \(hex(shadow.color))"
    case .backdrop(let backdrop): "backdrop \(backdrop.shape) \(plain(backdrop.filters))\(backdrop.isBelowGroup ? " below the group" : "")"
    case .pushClip(.rect(let rect)): "clip \(rect)"
    case .pushClip(.rounded(let shape)): "clip \(shape)"
    case .pushClip(.path(let path)): "clip path of \(path.elements.count)"
    case .pushClip(.stroke(let path, let stroke)): "clip stroke of \(path.elements.count) width \(short(stroke.width))"
    case .popClip: "end clip"
    case .pushGroup(let group):
      "group opacity \(short(Double(group.opacity))) \(plain(group.operation))\(group.filters.isEmpty ? "" : " \(plain(group.filters))")"
    case .popGroup: "end group"
    case .pushTransform(let m):
      "transform " + [m.a, m.b, m.c, m.d, m.e, m.f].map { short($0) }.joined(separator: " ")
    case .popTransform: "end transform"
    }
  }
}

extension Pattern.Source {
  var name: String {
    switch self {
    case .bitmap(let bitmap, let isSmooth): "image \(bitmap.width)x\(bitmap.height)\(isSmooth ? "" : " pixelated")"
    case .vector: "vector image"
    case .list(let list): "drawing \(list.bounds.width)x\(list.bounds.height) of \(list.items.count)"
    case .gradient(let gradient): gradient.description
    }
  }
}

extension ResolvedGradient: CustomStringConvertible {
  /// The gradient line, relative to the corner of the tile, and the stops.
  public var description: String {
    let line =
      switch geometry {
      case .linear(let from, let to): "linear gradient \(short(from.x)),\(short(from.y)) to \(short(to.x)),\(short(to.y))"
      case .radial(let center, let rx, let ry): "radial gradient \(short(center.x)),\(short(center.y)) by \(short(rx)),\(short(ry))"
      case .conical(let focus, let inner, let center, let radius):
        "conical gradient \(short(focus.x)),\(short(focus.y)) \(short(inner)) to \(short(center.x)),\(short(center.y)) \(short(radius))"
      case .conic(let center, let start): "conic gradient \(short(center.x)),\(short(center.y)) from \(short(start * 180 / .pi))deg"
      }
    let stops = stops.prefix(16).map { "\(hex($0.color)) \(short(Double($0.offset)))" }.joined(separator: " ")
    return "\(isRepeating ? "repeating " : "")\(line) in \(space): \(stops)"
  }
}

/// `#rrggbbaa`.
func hex(_ color: Color) -> String {
  let (r, g, b, a) = color.rgba8
  return "#" + [r, g, b, a].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// Swift's description of a value, without module names.
private func plain(_ value: some Any) -> String { "\(value)".replacing("OffprintCSS.", with: "").replacing("OffprintPainting.", with: "") }
