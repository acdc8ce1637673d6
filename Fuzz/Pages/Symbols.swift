import Foundation

/// Resolves addresses to function names of this executable, which is also that of the workers.
final class Symbols {
  private static let modules = ["9CoreTypes", "9Resources", "3DOM", "3CSS", "6Images", "10Typography", "6Layout", "8Painting", "8Offprint"]
  private var addresses: [UInt64] = []
  private var names: [String] = []

  private func load() {
    guard addresses.isEmpty else { return }
    for line in Self.output("nm", ["-n", "/proc/\(getpid())/exe"]).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, words[1].lowercased() == "t", let address = UInt64(words[0], radix: 16) else { continue }
      addresses.append(address)
      names.append(String(words[2]))
    }
  }

  private static func output(_ tool: String, _ arguments: [String]) -> String {
    let process = Foundation.Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return "" }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  private func name(_ frame: Substring) -> String? {
    guard let open = frame.firstIndex(of: "("), let close = frame.firstIndex(of: ")") else { return nil }
    let place = frame[frame.index(after: open)..<close]
    guard let plus = place.firstIndex(of: "+") else { return nil }
    if plus > place.startIndex { return String(place[..<plus]) }
    guard let address = UInt64(place[plus...].dropFirst(3), radix: 16) else { return nil }
    load()
    var low = 0
    var high = addresses.count
    while low < high {
      let middle = (low + high) / 2
      if addresses[middle] <= address { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? names[low - 1] : nil
  }

  /// The functions in a stack that a worker wrote, innermost first. `short` has the first functions of the engine, `long` all functions after
  /// the message of a trap.
  func place(_ text: String) -> (short: String, long: String) {
    var own: [String] = []
    var all: [String] = []
    for line in text.split(separator: "\n") where line.contains("(") && line.contains("[0x") {
      guard let name = name(line) else { continue }
      all.append(name)
      if Self.modules.contains(where: { name.contains($0) }), !own.contains(name) { own.append(name) }
    }
    let top = own.isEmpty ? Array(all.prefix(6)) : Array(own.prefix(3))
    let fatal = text.split(separator: "\n").first { $0.contains("atal error") }.map { String($0) + "\n" } ?? ""
    return (demangled(top).joined(separator: " < "), fatal + demangled(Array(all.prefix(40))).joined(separator: "\n"))
  }

  private func demangled(_ names: [String]) -> [String] {
    guard !names.isEmpty else { return [] }
    let lines = Self.output("swift", ["demangle", "--compact", "--simplified"] + names).split(separator: "\n").map(String.init)
    return lines.count == names.count ? lines : names
  }
}
