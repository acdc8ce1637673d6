import OffprintCoreTypes

/// One group of the style being computed, copied on first write.
final class GroupSlot<Group> {
  /// The group without declarations: that of the parent if inherited, otherwise the initial values.
  fileprivate var base: UnsafePointer<Group>
  fileprivate let scratch: UnsafeMutablePointer<Group>
  private(set) var isChanged = false
  /// Recently created groups, reused if equal, since neighboring elements often have equal groups.
  fileprivate var recent: [UnsafePointer<Group>] = []
  fileprivate var next = 0

  init(base: UnsafePointer<Group>) {
    self.base = base
    scratch = .allocate(capacity: 1)
    scratch.initialize(to: base.pointee)
  }

  deinit {
    scratch.deinitialize(count: 1)
    scratch.deallocate()
  }

  func begin(_ base: UnsafePointer<Group>) {
    self.base = base
    isChanged = false
  }

  /// The group to write to: on first use a copy of `start`, or of the base.
  func writable(start: UnsafePointer<Group>? = nil) -> UnsafeMutablePointer<Group> {
    if !isChanged {
      scratch.pointee = (start ?? base).pointee
      isChanged = true
    }
    return scratch
  }

  var current: UnsafePointer<Group> { isChanged ? UnsafePointer(scratch) : base }

}

// The constraint is on the extension instead of the class, which saves the runtime conformance lookups at startup.
extension GroupSlot where Group: StyleGroup {
  func finish(_ arena: StyleArena) -> UnsafePointer<Group> {
    guard isChanged, scratch.pointee != base.pointee else { return base }
    for candidate in recent where candidate.pointee == scratch.pointee { return candidate }
    let result = arena.allocate(scratch.pointee)
    if recent.count < 8 { recent.append(result) } else { recent[next] = result }
    next = (next + 1) % 8
    return result
  }
}

/// The groups of the style being computed.
final class StyleBuilder {
  let arena: StyleArena
  let initial: StyleRecord
  /// Initial values before border styles are known: the initial border width is `medium`.
  private let initialBorder: UnsafePointer<BorderStyle>
  private let initialAlign: UnsafePointer<AlignStyle>

  let font: GroupSlot<FontStyle>
  let text: GroupSlot<TextStyle>
  let box: GroupSlot<BoxStyle>
  let border: GroupSlot<BorderStyle>
  let background: GroupSlot<BackgroundStyle>
  let align: GroupSlot<AlignStyle>
  let effects: GroupSlot<EffectStyle>
  let content: GroupSlot<ContentStyle>
  let svg: GroupSlot<SVGStyle>
  /// Properties without effect; nil unless they are reported.
  let inert: GroupSlot<InertStyle>?
  private let initialInert: UnsafePointer<InertStyle>?
  private(set) var parent: StyleRecord

  /// - Parameter reportsAll: Whether to also compute properties that do not affect images.
  init(arena: StyleArena, reportsAll: Bool = false) {
    self.arena = arena
    initialInert = reportsAll ? arena.allocate(InertStyle()) : nil
    inert = initialInert.map { GroupSlot(base: $0) }
    initial = arena.initialStyle.record.pointee
    parent = initial
    var border = BorderStyle()
    border.width = PhysicalSides(all: 3)
    border.outlineWidth = 3
    initialBorder = arena.allocate(border)
    initialAlign = arena.allocate(AlignStyle())
    font = GroupSlot(base: initial.font)
    text = GroupSlot(base: initial.text)
    box = GroupSlot(base: initial.box)
    self.border = GroupSlot(base: initial.border)
    background = GroupSlot(base: initial.background)
    self.align = GroupSlot(base: initial.align)
    effects = GroupSlot(base: initial.effects)
    content = GroupSlot(base: initial.content)
    svg = GroupSlot(base: initial.svg)
  }

  func begin(parent: StyleRecord) {
    self.parent = parent
    font.begin(parent.font)
    text.begin(parent.text)
    box.begin(initial.box)
    border.begin(initial.border)
    background.begin(initial.background)
    align.begin(initial.align)
    effects.begin(initial.effects)
    content.begin(initial.content)
    svg.begin(parent.svg)
    if let inert, let initialInert { inert.begin(inheritedInert(parent.inert ?? initialInert)) }
  }

  /// The inherited part of `parent`.
  private func inheritedInert(_ parent: UnsafePointer<InertStyle>) -> UnsafePointer<InertStyle> {
    let inherited = parent.pointee.inherited(PropertyTable.shared)
    return inherited == parent.pointee ? parent : arena.allocate(inherited)
  }

  /// The memory that properties of `group` are written to.
  func writable(_ group: GroupIndex) -> UnsafeMutableRawPointer? {
    switch group {
    case .font: UnsafeMutableRawPointer(font.writable())
    case .text: UnsafeMutableRawPointer(text.writable())
    case .box: UnsafeMutableRawPointer(box.writable())
    case .border: UnsafeMutableRawPointer(border.writable(start: initialBorder))
    case .background: UnsafeMutableRawPointer(background.writable())
    case .align: UnsafeMutableRawPointer(align.writable(start: initialAlign))
    case .effects: UnsafeMutableRawPointer(effects.writable())
    case .content: UnsafeMutableRawPointer(content.writable())
    case .svg: UnsafeMutableRawPointer(svg.writable())
    case .none: inert.map { UnsafeMutableRawPointer($0.writable()) }
    }
  }

  func setInitial(_ row: Longhand) {
    let source: UnsafeRawPointer? =
      switch row.group {
      case .border: UnsafeRawPointer(initialBorder)
      case .align: UnsafeRawPointer(initialAlign)
      case .none: initialInert.map { UnsafeRawPointer($0) }
      default: initial.group(row.group)
      }
    guard let source, let target = writable(row.group) else { return }
    row.kind.copy(source, target)
  }

  func inherit(_ row: Longhand) {
    let source = parent.group(row.group) ?? initialInert.map { UnsafeRawPointer($0) }
    guard let source, let target = writable(row.group) else { return }
    row.kind.copy(source, target)
  }

  func finish(custom: UnsafePointer<CustomProperties>?, origins: StyleOrigins) -> ComputedStyle {
    let record = StyleRecord(
      font: font.finish(arena), text: text.finish(arena), box: box.finish(arena), border: border.finish(arena),
      background: background.finish(arena), align: align.finish(arena), effects: effects.finish(arena), content: content.finish(arena),
      svg: svg.finish(arena),
      custom: custom, inert: inert?.finish(arena), origins: origins)
    return ComputedStyle(record: arena.allocate(record))
  }
}

extension StyleRecord {
  func group(_ group: GroupIndex) -> UnsafeRawPointer? {
    switch group {
    case .font: UnsafeRawPointer(font)
    case .text: UnsafeRawPointer(text)
    case .box: UnsafeRawPointer(box)
    case .border: UnsafeRawPointer(border)
    case .background: UnsafeRawPointer(background)
    case .align: UnsafeRawPointer(align)
    case .effects: UnsafeRawPointer(effects)
    case .content: UnsafeRawPointer(content)
    case .svg: UnsafeRawPointer(svg)
    case .none: inert.map { UnsafeRawPointer($0) }
    }
  }
}
