import ArgumentParser
import OffprintCoreTypes
import Glibc
import Offprint

/// `--terminal`: the graphics protocol of the terminal at standard output.
enum TerminalChoice: String, ExpressibleByArgument, CaseIterable { case auto, kitty, iterm2, sixel, none }

/// Shows images on the terminal at standard output.
struct TerminalDisplay {
  let graphics: TerminalImage

  /// - Returns: Nil if images cannot or should not be shown.
  init?(_ choice: TerminalChoice) {
    switch choice {
    case .none: return nil
    case .kitty: graphics = .kitty
    case .iterm2: graphics = .iterm2
    case .sixel: graphics = .sixel
    case .auto:
      guard isatty(STDOUT_FILENO) == 1, let known = Self.known() ?? Self.asked() else { return nil }
      graphics = known
    }
  }

  /// Clears the screen and shows an image.
  func show(_ result: RenderResult) throws(OffprintError) {
    var size = winsize()
    let isKnown = isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
    let bytes = try graphics.sequence(
      png: result.image, width: result.width, terminalWidth: isKnown ? Int(size.ws_xpixel) : 0,
      columns: isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80)
    let clear = isKnown ? (graphics == .kitty ? "\u{1B}_Ga=d\u{1B}\\" : "") + "\u{1B}[H\u{1B}[2J" : ""
    try Output.bytes(Array(clear.utf8) + bytes)
  }

  /// Detects the protocol by environment variables.
  private static func known() -> TerminalImage? {
    func value(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    let program = value("TERM_PROGRAM")
    if !value("KITTY_WINDOW_ID").isEmpty || value("TERM").contains("kitty") || value("TERM").contains("ghostty") { return .kitty }
    if ["ghostty", "WezTerm"].contains(program) || !value("KONSOLE_VERSION").isEmpty { return .kitty }
    if program == "iTerm.app" || value("LC_TERMINAL") == "iTerm2" || program == "mintty" { return .iterm2 }
    if value("TERM").hasPrefix("foot") || value("TERM").contains("sixel") || value("TERM") == "mlterm" { return .sixel }
    return nil
  }

  /// Queries the terminal's device attributes, of which 4 is sixel graphics: https://vt100.net/docs/vt510-rm/DA1.html
  private static func asked() -> TerminalImage? {
    var before = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp(), tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0 else { return nil }
    defer { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
    guard FileDescriptorIO.write(Array("\u{1B}[c".utf8), to: STDOUT_FILENO) == 0 else { return nil }
    var answer: [UInt8] = []
    var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    while answer.count < 200, answer.last != UInt8(ascii: "c"), poll(&waiting, 1, 200) > 0 {
      var byte: UInt8 = 0
      guard read(STDIN_FILENO, &byte, 1) == 1 else { break }
      answer.append(byte)
    }
    let numbers = answer.dropFirst(3).dropLast().split(separator: UInt8(ascii: ";")).map { String(decoding: $0, as: UTF8.self) }
    return numbers.dropFirst().contains("4") ? .sixel : nil
  }
}
