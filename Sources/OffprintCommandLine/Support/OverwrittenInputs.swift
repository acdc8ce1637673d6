import Offprint

extension Files {
  /// Rejects an output that is one of the command's input files, which the image would replace.
  ///
  /// - Parameters:
  ///   - output: `-` for standard output.
  ///   - inputs: Paths; `-` and URLs of pages are ignored.
  /// - Throws: `usage`.
  static func checkOutput(_ output: String, inputs: [String]) throws(OffprintError) {
    guard output != "-", isRegular(output), let same = inputs.first(where: { areSame($0, output) }) else { return }
    throw OffprintError(.usage, "'\(output)' would overwrite '\(same)', an input of this run. No file was changed.")
  }
}

extension PageOptions {
  /// The known input files of these options: the page, the data, style sheets and the template.
  func inputs(_ input: String?) -> [String] {
    [input, data, template.flatMap { (try? templates.path(of: $0)) ?? nil }].compactMap(\.self) + css
  }
}
