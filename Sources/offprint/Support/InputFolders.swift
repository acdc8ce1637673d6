import Offprint

/// The folders of a list's inputs. A list is written by one hand: its pages may load from their own folder, from the widest folder around it
/// that another input lies in, and, where there is none, from the one above if inputs lie beside: a site's pages share its pictures.
struct InputFolders: Sendable {
  private var folders: Set<String> = []
  /// How many of the inputs' folders lie in a folder.
  private var counts: [String: Int] = [:]

  init(_ lines: [JobLine]) {
    for line in lines {
      guard let input = JSONValue(parsing: line.text)?["input"]?.string, input != "-" else { continue }
      let folder = Files.folder(of: input)
      if folders.insert(folder).inserted { counts[Files.folder(of: String(folder.dropLast())), default: 0] += 1 }
    }
  }

  /// - Parameter folder: an input's, ending in `/`.
  func allowed(for folder: String) -> [String] {
    var end = folder.startIndex
    while let slash = folder[end...].firstIndex(of: "/") {
      end = folder.index(after: slash)
      let outer = String(folder[..<end])
      // A page in the file system's root opens nothing to others.
      if outer != "/", outer != folder, folders.contains(outer) { return [outer, folder] }
    }
    let above = Files.folder(of: String(folder.dropLast()))
    return above != "/" && counts[above, default: 0] > 1 ? [above, folder] : [folder]
  }
}
