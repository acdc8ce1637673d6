import Glibc
import OffprintCoreTypes

/// The error correction level of a QR code, which recovers 7, 15, 25 or 30 % of damage.
enum QRLevel: String, Sendable {
  case low = "L"
  case medium = "M"
  case quartile = "Q"
  case high = "H"

  /// The value of libqrencode's enumeration.
  fileprivate var number: Int32 {
    switch self {
    case .low: 0
    case .medium: 1
    case .quartile: 2
    case .high: 3
    }
  }
}

/// A QR code, encoded by libqrencode. https://fukuchi.org/works/qrencode/manual/
struct QRCode {
  /// The number of modules per side: 21 to 177.
  let width: Int
  /// True for dark modules, row by row.
  let modules: [Bool]

  /// - Throws: `resourceMissing` if the library is not installed, `resourceInvalidURL` if the text does not fit into a code.
  init(_ text: [UInt8], level: QRLevel, shown: String) throws(ResourceError) {
    guard let library = QRLibrary.loaded else {
      throw ResourceError(
        .resourceMissing, url: shown, "\"\(shown)\" cannot be created: libqrencode (Debian: libqrencode4) is not installed.")
    }
    guard !text.isEmpty, text.count <= 7089, let code = library.encode(text, level.number) else {
      throw CodeURL.invalid(shown, "is empty or too long for a QR code")
    }
    // https://github.com/fukuchi/libqrencode/blob/master/qrencode.h: struct { int version; int width; unsigned char *data; }
    width = Int(code.load(fromByteOffset: 4, as: Int32.self))
    let data = code.load(fromByteOffset: 8, as: UnsafePointer<UInt8>?.self)
    modules = (0..<(width * width)).map { index in data.map { $0[index] & 1 == 1 } ?? false }
    library.free(code)
  }
}

/// The library, opened for the first code.
package enum QRLibrary {
  fileprivate struct Functions: Sendable {
    let encodeText: @convention(c) (UnsafePointer<CChar>?, Int32, Int32, Int32, Int32) -> UnsafeMutableRawPointer?
    let encodeData: @convention(c) (Int32, UnsafePointer<UInt8>?, Int32, Int32) -> UnsafeMutableRawPointer?
    let free: @convention(c) (UnsafeMutableRawPointer?) -> Void
    let newInput: @convention(c) (Int32, Int32) -> UnsafeMutableRawPointer?
    let appendECI: @convention(c) (UnsafeMutableRawPointer?, UInt32) -> Int32
    let append: @convention(c) (UnsafeMutableRawPointer?, Int32, Int32, UnsafePointer<UInt8>?) -> Int32
    let encodeInput: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    let freeInput: @convention(c) (UnsafeMutableRawPointer?) -> Void

    private static let bytesMode: Int32 = 2
    /// UTF-8. https://www.aimglobal.org/eci.html
    private static let utf8: UInt32 = 26

    /// Uses the shortest combination of numeric, alphanumeric and byte modes; only byte mode for text that a C string cannot represent.
    /// Text that is not ASCII is marked as UTF-8, because readers would otherwise guess the encoding.
    func encode(_ text: [UInt8], _ level: Int32) -> UnsafeMutableRawPointer? {
      let bytesMode = Self.bytesMode, isCaseSensitive: Int32 = 1
      if text.contains(where: { $0 >= 0x80 }), String(validating: text, as: UTF8.self) != nil {
        guard let input = newInput(0, level) else { return nil }
        defer { freeInput(input) }
        guard appendECI(input, Self.utf8) == 0, append(input, bytesMode, Int32(text.count), text) == 0 else { return nil }
        return encodeInput(input)
      }
      if text.contains(0) { return text.withUnsafeBufferPointer { encodeData(Int32($0.count), $0.baseAddress, 0, level) } }
      return (text + [0]).withUnsafeBytes {
        encodeText($0.baseAddress?.assumingMemoryBound(to: CChar.self), 0, level, bytesMode, isCaseSensitive)
      }
    }
  }

  fileprivate static let loaded = open()

  package static let fileName = "libqrencode.so.4"
  /// For processes that cannot open libraries later.
  package static func openLibrary() { _ = loaded }

  private static func open() -> Functions? {
    guard let library = SharedLibraries.open(fileName), let text = dlsym(library, "QRcode_encodeString"),
      let data = dlsym(library, "QRcode_encodeData"),
      let free = dlsym(library, "QRcode_free"), let newInput = dlsym(library, "QRinput_new2"),
      let eci = dlsym(library, "QRinput_appendECIheader"),
      let append = dlsym(library, "QRinput_append"), let encodeInput = dlsym(library, "QRcode_encodeInput"),
      let freeInput = dlsym(library, "QRinput_free")
    else { return nil }
    return Functions(
      encodeText: unsafeBitCast(
        text, to: (@convention(c) (UnsafePointer<CChar>?, Int32, Int32, Int32, Int32) -> UnsafeMutableRawPointer?).self),
      encodeData: unsafeBitCast(data, to: (@convention(c) (Int32, UnsafePointer<UInt8>?, Int32, Int32) -> UnsafeMutableRawPointer?).self),
      free: unsafeBitCast(free, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self),
      newInput: unsafeBitCast(newInput, to: (@convention(c) (Int32, Int32) -> UnsafeMutableRawPointer?).self),
      appendECI: unsafeBitCast(eci, to: (@convention(c) (UnsafeMutableRawPointer?, UInt32) -> Int32).self),
      append: unsafeBitCast(append, to: (@convention(c) (UnsafeMutableRawPointer?, Int32, Int32, UnsafePointer<UInt8>?) -> Int32).self),
      encodeInput: unsafeBitCast(encodeInput, to: (@convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?).self),
      freeInput: unsafeBitCast(freeInput, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self))
  }
}
