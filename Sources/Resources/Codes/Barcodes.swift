/// EAN-13, which includes UPC-A as the codes that begin with 0. https://www.gs1.org/docs/barcodes/GS1_General_Specifications.pdf section
/// 5.2
enum EAN13 {
  /// Digits 0 to 9 as L codes; R codes are their complements, and G codes are R codes reversed.
  private static let left: [UInt8] = [
    0b0001101, 0b0011001, 0b0010011, 0b0111101, 0b0100011, 0b0110001, 0b0101111, 0b0111011, 0b0110111, 0b0001011,
  ]
  /// By the first digit: which of the six digits on the left are G codes.
  private static let parity: [UInt8] = [0b000000, 0b001011, 0b001101, 0b001110, 0b010011, 0b011001, 0b011100, 0b010101, 0b010110, 0b011010]

  /// True for dark modules, from the left; nil if the text is not 12 or 13 digits, or the check digit is wrong.
  static func modules(_ text: [UInt8]) -> [Bool]? {
    var digits = text.map { Int($0) - 0x30 }
    guard digits.count == 12 || digits.count == 13, digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    let sum = digits.prefix(12).enumerated().reduce(0) { $0 + $1.element * ($1.offset.isMultiple(of: 2) ? 1 : 3) }
    let check = (10 - sum % 10) % 10
    if digits.count == 12 { digits.append(check) }
    guard digits[12] == check else { return nil }
    var modules: [Bool] = [true, false, true]
    for index in 1...6 {
      let isG = parity[digits[0]] >> (6 - index) & 1 == 1
      append(isG ? reversed(~left[digits[index]]) : left[digits[index]], to: &modules)
    }
    modules += [false, true, false, true, false]
    for index in 7...12 { append(~left[digits[index]], to: &modules) }
    return modules + [true, false, true]
  }

  private static func append(_ code: UInt8, to modules: inout [Bool]) {
    for bit in (0..<7).reversed() { modules.append(code >> bit & 1 == 1) }
  }

  private static func reversed(_ code: UInt8) -> UInt8 { (0..<7).reduce(0) { $0 | (code >> $1 & 1) << (6 - $1) } }
}

/// Code 128. https://www.gs1.org/docs/barcodes/GS1_General_Specifications.pdf section 5.4
enum Code128 {
  /// Alternating widths of bars and spaces for the values 0 to 105; the last entry is the stop pattern.
  private static let patterns: [String] = [
    "212222", "222122", "222221", "121223", "121322", "131222", "122213", "122312", "132212", "221213", "221312", "231212", "112232",
    "122132", "122231",
    "113222", "123122", "123221", "223211", "221132", "221231", "213212", "223112", "312131", "311222", "321122", "321221", "312212",
    "322112", "322211",
    "212123", "212321", "232121", "111323", "131123", "131321", "112313", "132113", "132311", "211313", "231113", "231311", "112133",
    "112331", "132131",
    "113123", "113321", "133121", "313121", "211331", "231131", "213113", "213311", "213131", "311123", "311321", "331121", "312113",
    "312311", "332111",
    "314111", "221411", "431111", "111224", "111422", "121124", "121421", "141122", "141221", "112214", "112412", "122114", "122411",
    "142112", "142211",
    "241211", "221114", "413111", "241112", "134111", "111242", "121142", "121241", "114212", "124112", "124211", "411212", "421112",
    "421211", "212141",
    "214121", "412121", "111143", "111341", "131141", "114113", "114311", "411113", "411311", "113141", "114131", "311141", "411131",
    "211412", "211214",
    "211232", "2331112",
  ]

  private enum Set: Int {
    case a = 101
    case b = 100
    case c = 99
    var start: Int { 204 - rawValue }
  }

  /// True for dark modules, from the left; nil if the text is empty, too long or not ASCII.
  static func modules(_ text: [UInt8]) -> [Bool]? {
    guard (1...200).contains(text.count), text.allSatisfy({ $0 < 0x80 }) else { return nil }
    var values = values(text)
    let sum = values.enumerated().reduce(0) { $0 + $1.element * max(1, $1.offset) }
    values += [sum % 103, 106]
    var modules: [Bool] = []
    for value in values {
      for (index, width) in patterns[value].utf8.enumerated() {
        modules += [Bool](repeating: index.isMultiple(of: 2), count: Int(width) - 0x30)
      }
    }
    return modules
  }

  /// The values of the start character and the data: pairs of digits in set C for runs of at least four digits, otherwise set B, and set A
  /// for control characters.
  private static func values(_ text: [UInt8]) -> [Int] {
    var values: [Int] = [], current: Set?, index = 0
    func change(to set: Set) {
      guard current != set else { return }
      values.append(current == nil ? set.start : set.rawValue)
      current = set
    }
    while index < text.count {
      let digits = text[index...].prefix { (0x30...0x39).contains($0) }.count
      if digits >= 4 || current == .c && digits >= 2 || digits == 2 && text.count == 2 {
        // In an odd number of digits, the first is encoded as a character of its own.
        if current != .c, !digits.isMultiple(of: 2) {
          change(to: current ?? .b)
          values.append(Int(text[index]) - 0x20)
          index += 1
        }
        change(to: .c)
        for _ in 0..<(text[index...].prefix { (0x30...0x39).contains($0) }.count / 2) {
          values.append((Int(text[index]) - 0x30) * 10 + Int(text[index + 1]) - 0x30)
          index += 2
        }
        continue
      }
      let byte = Int(text[index])
      if byte < 0x20 { change(to: .a) } else if byte >= 0x60 || current != .a { change(to: .b) }
      values.append(byte < 0x20 ? byte + 0x40 : byte - 0x20)
      index += 1
    }
    return values
  }
}
