public import CoreTypes

/// A colour in sRGB.
public typealias Color = CoreTypes.Color
/// Something the engine noticed about a page.
public typealias Diagnostic = CoreTypes.Diagnostic
/// Where in a source a diagnostic points.
public typealias SourcePosition = CoreTypes.SourcePosition
/// What a render may use.
public typealias Limits = CoreTypes.Limits
