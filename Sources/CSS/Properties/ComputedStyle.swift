public import OffprintCoreTypes

/// The computed values of all properties for one element or pseudo-element: a pointer into a `StyleArena`.
///
/// Values are stored in groups. A group is shared with the parent or other elements until a declaration changes it. Valid as long as the
/// arena exists.
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
  /// The factor already applied to all lengths of the style; images are enlarged by it too.
  @inlinable public var zoom: Float { record.pointee.zoom }
  /// The style without `zoom`, which is inherited and serialized.
  var unzoomed: ComputedStyle { record.pointee.unzoomed.map { ComputedStyle(record: $0) } ?? self }
}

/// The groups of a style.
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
  /// Computed custom properties; nil if absent.
  public var custom: UnsafePointer<CustomProperties>?
  /// Properties without effect; nil unless they are reported.
  var inert: UnsafePointer<InertStyle>?
  public var origins: StyleOrigins = []
  /// The product of `zoom` of the element and its ancestors.
  public var zoom: Float = 1
  /// The style before lengths were zoomed; nil if `zoom` is 1.
  public internal(set) var unzoomed: UnsafePointer<StyleRecord>?
}

public struct CustomProperties: Sendable {
  /// Token text as UTF-8 after substitution, by name.
  public var values: [Name: [UInt8]] = [:]
  public init() {}
}
