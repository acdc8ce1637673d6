// Colours, diagnostics and limits are part of this library's interface.
@_exported public import CoreTypes
