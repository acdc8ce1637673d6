import Offprint

extension Files {
  /// Refuses an output that is one of the files a command reads: the image would replace its own source.
  ///
  /// - Parameters:
  ///   - output: `-` for standard output.
  ///   - inputs: paths; `-` and addresses of pages name no file.
  /// - Throws: `usage`.
  static func checkOutput(_ output: String, inputs: [String]) throws(OffprintError) {
    guard output != "-", isRegular(output), let same = inputs.first(where: { areSame($0, output) }) else { return }
    throw OffprintError(.usage, "'\(output)' would overwrite '\(same)', which this run needs. Nothing was changed.")
  }
}

extension PageOptions {
  /// The files that these options name, those of them that can be named: the page, the data, style sheets and the template.
  func inputs(_ input: String?) -> [String] {
    [input, data, template.flatMap { (try? templates.path(of: $0)) ?? nil }].compactMap(\.self) + css
  }
}
