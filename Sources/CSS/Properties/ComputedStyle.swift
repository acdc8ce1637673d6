public import CoreTypes

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
}

/// The groups of one style.
@frozen public struct StyleRecord {
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
  public var origins: StyleOrigins = []
}

public struct CustomProperties: Sendable {
  /// By name, the tokens as UTF-8 after substitution.
  public var values: [Name: [UInt8]] = [:]
  public init() {}
}
