public import OffprintCoreTypes

/// The computed values of all properties for one element or pseudo-element: eight bytes that point into a `StyleArena`.
///
/// Values are in groups, each shared with the parent or with other elements until a declaration changes it. Valid as long as its arena is.
@frozen public struct ComputedStyle: Hashable {
  public let record: UnsafePointer<StyleRecord>
  @inlinable public init(record: UnsafePointer<StyleRecord>) { self.record = record }

  @inlinable public var font: FontStyle { unsafeAddress { record.pointee.font } }
  @inlinable public var text: TextStyle { unsafeAddress { record.pointee.text } }
  @inlinable public var box: BoxStyle { unsafeAddress { record.pointee.box } }
  @inlinable public var border: BorderStyle { unsafeAddress { record.pointee.border } }
  @inlinable public var background: BackgroundStyle { unsafeAddress { record.pointee.background } }
  @inlinable public var align: AlignStyle { unsafeAddress { record.pointee.align } }
  @inlinable public var effects: EffectStyle { unsafeAddress { record.pointee.effects } }
  @inlinable public var content: ContentStyle { unsafeAddress { record.pointee.content } }
  @inlinable public var svg: SVGStyle { unsafeAddress { record.pointee.svg } }
  @inlinable public var origins: StyleOrigins { record.pointee.origins }
  /// What all lengths of the style are multiplied with already; pictures are that much larger as well.
  @inlinable public var zoom: Float { record.pointee.zoom }
  /// The style that is inherited and printed: without `zoom`.
  var unzoomed: ComputedStyle { record.pointee.unzoomed.map { ComputedStyle(record: $0) } ?? self }
}

/// The groups of one style.
public struct StyleRecord {
  public var font: UnsafePointer<FontStyle>
  public var text: UnsafePointer<TextStyle>
  public var box: UnsafePointer<BoxStyle>
  public var border: UnsafePointer<BorderStyle>
  public var background: UnsafePointer<BackgroundStyle>
  public var align: UnsafePointer<AlignStyle>
  public var effects: UnsafePointer<EffectStyle>
  public var content: UnsafePointer<ContentStyle>
  public var svg: UnsafePointer<SVGStyle>
  /// Computed custom properties; nil where there is none.
  public var custom: UnsafePointer<CustomProperties>?
  /// Properties without effect; nil unless they are reported.
  var inert: UnsafePointer<InertStyle>?
  public var origins: StyleOrigins = []
  /// The product of `zoom` of the element and all around it.
  public var zoom: Float = 1
  /// The style before lengths were multiplied; nil where `zoom` is 1.
  public internal(set) var unzoomed: UnsafePointer<StyleRecord>?
}

public struct CustomProperties: Sendable {
  /// By name, the tokens as UTF-8 after substitution.
  public var values: [Name: [UInt8]] = [:]
  public init() {}
}
