import ArgumentParser
import Offprint

/// The folder of installed font packs.
struct FontFolderOptions: ParsableArguments {
  @Option(
    name: .customLong("folder"),
    help: ArgumentHelp(
      "The folder of fonts (default: the user's font folder: $OFFPRINT_USER_FONTS, else offprint/fonts in $XDG_DATA_HOME or ~/.local/share).",
      valueName: "dir"))
  var folder: String?

  @Flag(name: .customLong("json"), help: "Print JSON.") var json = false

  /// - Throws: `usage` if there is no home directory.
  func path() throws(OffprintError) -> String {
    guard let path = folder ?? UserFonts.folder, !path.isEmpty else {
      throw OffprintError(
        .usage, "The folder of the user's fonts is unknown: specify it with --folder, or set OFFPRINT_USER_FONTS or HOME.")
    }
    return path
  }

  static func pack(_ name: String) throws(OffprintError) -> FontPack {
    if let pack = FontPack.named(name) { return pack }
    throw OffprintError(
      .fontPackUnknown,
      "There is no font pack '\(name)'; the packs are "
        + "\(FontPack.all.map(\.name).filter { !$0.hasPrefix("hyphens-") }.joined(separator: ", ")), and hyphens-LANGUAGE."
    )
  }
}

extension FontsCommand {
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Installs fonts for pages: files, and packs of freely licensed fonts from installed Debian packages.",
      discussion: """
        A pack is copied to a folder of its name, with its license. Pages rendered after that use it, and images that contain its glyphs have \
        different cache keys. Nothing is downloaded: if a package is not installed, the error message names it.

        Examples:
          offprint fonts add --list
          offprint fonts add MyFont.ttf
          apt-get install fonts-noto-color-emoji fonts-noto-cjk && offprint fonts add emoji cjk
          offprint fonts add indic --folder Fonts
        """)

    @Argument(help: ArgumentHelp("A pack, or a font file (.ttf, .otf, .ttc).", valueName: "pack|file")) var packs: [String] = []
    @Flag(name: .customLong("list"), help: "List the packs, their packages, and whether they are installed.") var list = false
    @Option(
      name: .customLong("root"),
      help: ArgumentHelp("Use the packages of the system in this folder, such as a container image.", valueName: "dir"))
    var root: String = "/"
    @OptionGroup var target: FontFolderOptions

    mutating func validate() throws {
      if list, !packs.isEmpty { throw ValidationError("--list does not take a pack.") }
      if !list, packs.isEmpty { throw ValidationError("Specify a pack; 'offprint fonts add --list' lists them.") }
    }

    mutating func run() throws {
      let source = FontPackSource(root: root)
      let installer = FontPackInstaller(folder: try target.path(), source: source)
      if list { return printList(source, installer) }
      // All names are checked before anything is written.
      var chosen: [FontPack] = [], files: [String] = []
      for name in packs {
        if FontPackInstaller.isFontFile(name) {
          files.append(name)
          continue
        }
        let pack = try FontFolderOptions.pack(name)
        if !chosen.contains(pack) { chosen.append(pack) }
      }
      try source.check(chosen)
      for file in files {
        let path = try installer.add(file: file)
        Output.line(target.json ? "{\"file\":\(JSONText.string(path))}" : Sentence.printable(path))
      }
      for pack in chosen {
        let outcome = try installer.add(pack)
        if target.json {
          let files = outcome.files.map { JSONText.string($0) }.joined(separator: ",")
          Output.line(
            "{\"pack\":\(JSONText.string(pack.name)),\"folder\":\(JSONText.string(outcome.folder)),\"files\":[\(files)],\"bytes\":\(outcome.bytes)}"
          )
        } else {
          Output.line(
            "\(pack.name): \(outcome.files.count - 1) \(pack.name.hasPrefix("hyphens-") ? "dictionaries" : "fonts"), "
              + "\(outcome.bytes) bytes, license \(pack.licence), in \(outcome.folder)"
          )
        }
      }
    }

    private func printList(_ source: FontPackSource, _ installer: FontPackInstaller) {
      if target.json {
        let lines = FontPack.all.map { pack in
          """
          {"pack":\(JSONText.string(pack.name)),"summary":\(JSONText.string(pack.summary)),"package":\(JSONText.string(pack.package)),\
          "licence":\(JSONText.string(pack.licence)),"installed":\(source.has(pack)),"added":\(installer.has(pack))}
          """
        }
        return Output.line("[\(lines.joined(separator: ",\n"))]")
      }
      Table.print(
        [["PACK", "STATE", "PACKAGE", "LICENSE", "FOR"]]
          + FontPack.all.map { pack in
            let state = installer.has(pack) ? "added" : source.has(pack) ? "can be added" : "not installed"
            return [pack.name, state, pack.package, pack.licence, pack.summary]
          })
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Removes packs and files that were added.")

    @Argument(help: ArgumentHelp("A pack, or the name of an added file.", valueName: "pack|file")) var packs: [String]
    @OptionGroup var target: FontFolderOptions

    mutating func run() throws {
      let installer = FontPackInstaller(folder: try target.path())
      for name in packs {
        let isFile = FontPackInstaller.isFontFile(name)
        guard try isFile ? installer.remove(file: name) : installer.remove(try FontFolderOptions.pack(name)) else {
          throw OffprintError(.inputNotFound, "\(isFile ? "The font" : "The pack") '\(name)' is not in '\(installer.folder)'.")
        }
        Output.line(target.json ? "{\"removed\":\(JSONText.string(name))}" : "\(Sentence.printable(name)): removed")
      }
    }
  }
}

extension TextMatch {
  var json: String {
    """
    {"text":\(JSONText.string(text)),"family":\(JSONText.string(family)),"postScriptName":\(JSONText.string(postScriptName)),\
    "file":\(JSONText.string(file)),"asked":\(asked.map { JSONText.string($0) } ?? "null"),"reason":"\(reason.rawValue)",\
    "synthesized":\(isSynthesized)}
    """
  }
}
