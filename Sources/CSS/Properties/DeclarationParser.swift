/// Parses the value of one declaration and expands shorthands.
///
/// https://drafts.csswg.org/css-syntax-3/#consume-a-declaration
public enum DeclarationParser {
  /// - Parameters:
  ///   - name: lower case, unless it is a custom property's.
  ///   - tokens: the value without `!important`.
  /// - Returns: false where the declaration is invalid and to be ignored.
  public static func parse(
    name: ArraySlice<UInt8>, tokens: Range<Int>, in buffer: TokenBuffer, context: ParserContext, important: Bool,
    into declarations: inout [Declaration]
  ) -> Bool {
    false
  }

  /// https://drafts.csswg.org/css-conditional-3/#support-definition
  public static func supports(name: ArraySlice<UInt8>, tokens: Range<Int>, in buffer: TokenBuffer, context: ParserContext) -> Bool {
    var ignored: [Declaration] = []
    return parse(name: name, tokens: tokens, in: buffer, context: context, important: false, into: &ignored)
  }
}
