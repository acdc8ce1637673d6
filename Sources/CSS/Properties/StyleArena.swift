/// Owns the memory that `ComputedStyle` values point into. Used by one thread; what it handed out is never changed.
public final class StyleArena: @unchecked Sendable {
  private var releases: [() -> Void] = []
  private let initial: StyleRecord

  public init() {
    var releases: [() -> Void] = []
    initial = StyleRecord(
      font: Self.make(FontStyle(), &releases), text: Self.make(TextStyle(), &releases), box: Self.make(BoxStyle(), &releases),
      border: Self.make(BorderStyle(), &releases), background: Self.make(BackgroundStyle(), &releases),
      align: Self.make(AlignStyle(), &releases), effects: Self.make(EffectStyle(), &releases),
      content: Self.make(ContentStyle(), &releases), custom: nil)
    self.releases = releases
  }

  deinit { releases.forEach { $0() } }

  /// All properties at their initial values.
  public private(set) lazy var initialStyle = ComputedStyle(record: allocate(initial))

  /// Keeps `value` until the arena goes.
  public func allocate<Value>(_ value: Value) -> UnsafePointer<Value> { Self.make(value, &releases) }

  private static func make<Value>(_ value: Value, _ releases: inout [() -> Void]) -> UnsafePointer<Value> {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    pointer.initialize(to: value)
    releases.append {
      pointer.deinitialize(count: 1)
      pointer.deallocate()
    }
    return UnsafePointer(pointer)
  }

  /// The style of an anonymous box: inherited properties from `parent`, initial values else, with `display`.
  ///
  /// https://drafts.csswg.org/css-display-3/#anonymous
  public func anonymousStyle(inheriting parent: ComputedStyle, display: Display) -> ComputedStyle {
    var record = initial
    record.font = parent.record.pointee.font
    record.text = parent.record.pointee.text
    record.custom = parent.record.pointee.custom
    var box = BoxStyle()
    box.display = display
    box.originalDisplay = display
    record.box = allocate(box)
    return ComputedStyle(record: allocate(record))
  }

  /// `style` with one group changed.
  public func modified(_ style: ComputedStyle, _ change: (inout StyleRecord) -> Void) -> ComputedStyle {
    var record = style.record.pointee
    change(&record)
    return ComputedStyle(record: allocate(record))
  }
}
