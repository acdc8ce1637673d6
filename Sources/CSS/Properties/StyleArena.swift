/// Owns the memory of `ComputedStyle` values; owned by the document or box tree to which the styles belong. Allocated values never move or change.
public final class StyleArena {
  fileprivate var fonts = Slab<FontStyle>()
  fileprivate var texts = Slab<TextStyle>()
  fileprivate var boxes = Slab<BoxStyle>()
  fileprivate var borders = Slab<BorderStyle>()
  fileprivate var backgrounds = Slab<BackgroundStyle>()
  fileprivate var aligns = Slab<AlignStyle>()
  fileprivate var effects = Slab<EffectStyle>()
  fileprivate var contents = Slab<ContentStyle>()
  fileprivate var drawings = Slab<SVGStyle>()
  fileprivate var customs = Slab<CustomProperties>()
  fileprivate var inerts = Slab<InertStyle>()
  fileprivate var derivedColors = Slab<DerivedColor>()
  fileprivate var records = Slab<StyleRecord>()

  public init() {}

  /// The style with all properties at their initial values.
  public private(set) lazy var initialStyle = ComputedStyle(
    record: allocate(
      StyleRecord(
        font: allocate(FontStyle()), text: allocate(TextStyle()), box: allocate(BoxStyle()), border: allocate(BorderStyle()),
        background: allocate(BackgroundStyle()), align: allocate(AlignStyle()), effects: allocate(EffectStyle()),
        content: allocate(ContentStyle()), svg: allocate(SVGStyle()), custom: nil)))

  /// Stores `value` for the lifetime of the arena.
  package func allocate<Value: StyleStored>(_ value: Value) -> UnsafePointer<Value> { Value.add(value, to: self) }

  /// The style of an anonymous box: inherited properties from `parent`, initial values otherwise, and `display`.
  ///
  /// https://drafts.csswg.org/css-display-3/#anonymous
  public func anonymousStyle(inheriting parent: ComputedStyle, display: Display) -> ComputedStyle {
    var record = initialStyle.record.pointee
    record.font = parent.record.pointee.font
    record.text = parent.record.pointee.text
    record.svg = parent.record.pointee.svg
    record.custom = parent.record.pointee.custom
    record.zoom = parent.zoom
    var box = BoxStyle()
    box.display = display
    box.originalDisplay = display
    record.box = allocate(box)
    return ComputedStyle(record: allocate(record))
  }

  /// A copy of `style` with changed groups.
  public func modified(_ style: ComputedStyle, _ change: (inout StyleRecord) -> Void) -> ComputedStyle {
    var record = style.record.pointee
    change(&record)
    return ComputedStyle(record: allocate(record))
  }
}

/// A type that an arena can store.
package protocol StyleStored {
  static func add(_ value: Self, to arena: StyleArena) -> UnsafePointer<Self>
}
extension FontStyle: StyleStored {
  package static func add(_ value: FontStyle, to arena: StyleArena) -> UnsafePointer<FontStyle> { arena.fonts.add(value) }
}
extension TextStyle: StyleStored {
  package static func add(_ value: TextStyle, to arena: StyleArena) -> UnsafePointer<TextStyle> { arena.texts.add(value) }
}
extension BoxStyle: StyleStored {
  package static func add(_ value: BoxStyle, to arena: StyleArena) -> UnsafePointer<BoxStyle> { arena.boxes.add(value) }
}
extension BorderStyle: StyleStored {
  package static func add(_ value: BorderStyle, to arena: StyleArena) -> UnsafePointer<BorderStyle> { arena.borders.add(value) }
}
extension BackgroundStyle: StyleStored {
  package static func add(_ value: BackgroundStyle, to arena: StyleArena) -> UnsafePointer<BackgroundStyle> { arena.backgrounds.add(value) }
}
extension AlignStyle: StyleStored {
  package static func add(_ value: AlignStyle, to arena: StyleArena) -> UnsafePointer<AlignStyle> { arena.aligns.add(value) }
}
extension EffectStyle: StyleStored {
  package static func add(_ value: EffectStyle, to arena: StyleArena) -> UnsafePointer<EffectStyle> { arena.effects.add(value) }
}
extension ContentStyle: StyleStored {
  package static func add(_ value: ContentStyle, to arena: StyleArena) -> UnsafePointer<ContentStyle> { arena.contents.add(value) }
}
extension SVGStyle: StyleStored {
  package static func add(_ value: SVGStyle, to arena: StyleArena) -> UnsafePointer<SVGStyle> { arena.drawings.add(value) }
}
extension CustomProperties: StyleStored {
  package static func add(_ value: CustomProperties, to arena: StyleArena) -> UnsafePointer<CustomProperties> { arena.customs.add(value) }
}
extension DerivedColor: StyleStored {
  static func add(_ value: DerivedColor, to arena: StyleArena) -> UnsafePointer<DerivedColor> { arena.derivedColors.add(value) }
}
extension InertStyle: StyleStored {
  static func add(_ value: InertStyle, to arena: StyleArena) -> UnsafePointer<InertStyle> { arena.inerts.add(value) }
}
extension StyleRecord: StyleStored {
  package static func add(_ value: StyleRecord, to arena: StyleArena) -> UnsafePointer<StyleRecord> { arena.records.add(value) }
}

/// Values of one type in memory blocks that never move.
private struct Slab<Value>: ~Copyable {
  private var blocks: [UnsafeMutableBufferPointer<Value>] = []
  /// Number of values in the last block.
  private var used = 0
  private static var firstCapacity: Int { 4 }
  private static var maximumCapacity: Int { 256 }

  mutating func add(_ value: Value) -> UnsafePointer<Value> {
    if blocks.last.map({ used == $0.count }) ?? true {
      let capacity = blocks.last.map { min($0.count * 4, Self.maximumCapacity) } ?? Self.firstCapacity
      blocks.append(.allocate(capacity: capacity))
      used = 0
    }
    let place = blocks[blocks.count - 1].baseAddress.unsafelyUnwrapped + used
    place.initialize(to: value)
    used += 1
    return UnsafePointer(place)
  }

  deinit {
    for (index, block) in blocks.enumerated() {
      block.extracting(0..<(index == blocks.count - 1 ? used : block.count)).deinitialize()
      block.deallocate()
    }
  }
}
