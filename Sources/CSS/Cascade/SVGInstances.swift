import OffprintCoreTypes
public import OffprintDOM

/// An element in the shadow tree of a `use` element: the original element with the style of the instance.
/// https://www.w3.org/TR/SVG2/struct.html#UseShadowTree
public struct SVGInstance {
  public var node: NodeID
  public var style: ComputedStyle
  /// Indices of the instances of the child elements, in order; for a `use` element, that of the referenced element.
  public var children: [Int32] = []
}

extension StyleResolver {
  /// Styles the shadow trees of all `use` elements.
  ///
  /// Rules match an instance if they match the original element. Inherited values come from the ancestors of the instance.
  ///
  /// - Throws: `LimitExceeded` (`nodes`), `DeadlineExceeded`.
  func styleInstances() throws {
    let use = context.names.table.intern("use")
    let isUsed = tree.document.nodes.indices.contains { index in
      let info = tree[UInt32(index)]
      return info.isElement && info.namespace == .svg && info.name == use
    }
    guard isUsed else { return }
    var builder = SVGInstanceBuilder(resolver: self, use: use)
    for index in tree.document.nodes.indices {
      let info = tree[UInt32(index)]
      guard info.isElement, info.namespace == .svg, info.name == use else { continue }
      try builder.add(UInt32(index))
    }
    svgInstances = builder.instances
    svgUses = builder.roots
  }
}

private struct SVGInstanceBuilder {
  let resolver: StyleResolver
  let use: Name
  var instances: [SVGInstance] = []
  var roots: [NodeID: Int32] = [:]
  private var ids: [ByteString: UInt32] = [:]
  /// The elements of grafted documents, by document.
  private var graftedIDs: [[ByteString: UInt32]] = []
  /// The ancestors of the current instance, across `use` references, to detect cycles.
  private var path: [UInt32] = []

  init(resolver: StyleResolver, use: Name) {
    self.resolver = resolver
    self.use = use
    let grafts = resolver.tree.document.grafts
    ids = elementIDs(0..<(grafts.first?.nodes.lowerBound ?? resolver.tree.document.nodes.count))
    graftedIDs = grafts.map { elementIDs($0.nodes) }
  }

  private func elementIDs(_ nodes: Range<Int>) -> [ByteString: UInt32] {
    let tree = resolver.tree
    var ids: [ByteString: UInt32] = [:]
    for index in nodes {
      guard let value = tree[UInt32(index)].isElement ? tree.attribute(.id, UInt32(index)) : nil, !value.isEmpty else { continue }
      let id = String(decoding: value, as: UTF8.self)
      if ids[id] == nil { ids[id] = UInt32(index) }
    }
    return ids
  }

  /// The element that a URL refers to: in the document of `element`, or in a grafted one.
  private func find(_ url: String, from element: UInt32) -> UInt32? {
    let grafts = resolver.tree.document.grafts
    guard let hash = url.firstIndex(ofByte: "#") else { return grafts.first { $0.url.hasSameBytes(as: url) }?.root.raw }
    let id = String(url[url.utf8.index(after: hash)...])
    if hash == url.startIndex {
      let own = grafts.firstIndex { $0.nodes.contains(Int(element)) }
      return own.map { graftedIDs[$0][id] } ?? ids[id]
    }
    return grafts.firstIndex { $0.url.hasSameBytes(as: url[..<hash]) }.flatMap { graftedIDs[$0][id] }
  }

  mutating func add(_ element: UInt32) throws {
    let style = resolver.styles[Int(element)]
    guard style.box.display != .none else { return }
    path.removeAll(keepingCapacity: true)
    var ancestor = element
    while ancestor != ElementInfo.none {
      path.append(ancestor)
      ancestor = resolver.tree[ancestor].parent
    }
    if let root = try target(of: element, style) { roots[NodeID(raw: element)] = root }
  }

  /// An instance of the element referenced by a `use` element; nil if the reference is invalid or refers to an ancestor.
  private mutating func target(of element: UInt32, _ style: ComputedStyle) throws -> Int32? {
    let tree = resolver.tree
    var reference = tree.attribute(.href, element)
    if reference == nil {
      for attribute in tree.attributes[tree.attributeRange(element)] where attribute.name == .href && attribute.namespace == .xlink {
        reference = tree.bytes(attribute.value)
      }
    }
    guard let reference else { return nil }
    guard let found = find(String(decoding: reference.trimmingHTMLSpaces, as: UTF8.self), from: element),
      tree[found].namespace == .svg, !path.contains(found)
    else { return nil }
    return try resolver.collector.withRoot(found) { try copy(found, style) }
  }

  private mutating func copy(_ element: UInt32, _ parent: ComputedStyle) throws -> Int32 {
    let tree = resolver.tree
    guard instances.count < resolver.options.limits.nodes else {
      throw LimitExceeded(limit: "nodes", allowed: resolver.options.limits.nodes)
    }
    try resolver.context.meter.check(64)
    let style = resolver.instanceStyle(element, parent: parent)
    let index = instances.count
    instances.append(SVGInstance(node: NodeID(raw: element), style: style))
    guard style.box.display != .none, path.count < 1024 else { return Int32(index) }
    path.append(element)
    defer { path.removeLast() }
    var children: [Int32] = []
    if tree[element].name == use, tree[element].namespace == .svg {
      if let target = try target(of: element, style) { children = [target] }
    } else {
      var child = tree[element].firstChild
      while child != ElementInfo.none {
        if tree[child].namespace == .svg { children.append(try copy(child, style)) }
        child = tree[child].next
      }
    }
    instances[index].children = children
    return Int32(index)
  }
}
