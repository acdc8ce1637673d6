import OffprintCoreTypes
import Testing

@testable import OffprintRenderCache

func digest(_ bytes: [UInt8]) -> [UInt8] { SHA256.hash(bytes) }

@Suite("Keys")
struct KeyTests {
  @Test("A key is printed as 64 hexadecimal digits and parsed from them")
  func text() throws {
    let key = makeKey("a")
    #expect(key.description.count == 64)
    #expect(CacheKey(hex: key.description.uppercased()) == key)
    #expect(CacheKey(key.bytes) == key)
    #expect(CacheKey(hex: "abc") == nil)
    #expect(CacheKey(hex: String(repeating: "g", count: 64)) == nil)
    #expect(CacheKey([1, 2, 3]) == nil)
  }

  @Test("Boundaries between values, types, names and order affect the key")
  func unambiguous() {
    func key(_ build: (inout CanonicalEncoder) -> Void) -> CacheKey {
      var encoder = CanonicalEncoder(domain: "test")
      build(&encoder)
      return encoder.key
    }
    let long = String(repeating: "long ", count: 100)
    let keys = [
      key { $0.add("css", ["ab", "c"]) }, key { $0.add("css", ["a", "bc"]) }, key { $0.add("css", ["abc"]) }, key { $0.add("css", "abc") },
      key { $0.add("css", Array("abc".utf8)) }, key { $0.add("cs", "sabc") }, key { $0.add("n", 1) }, key { $0.add("n", 1.0) },
      key { $0.add("n", true) }, key { $0.add("n", "1") }, key { $0.add("n", nil as String?) }, key { $0.add("n", "") },
      key { $0.add("long", long) }, key { $0.add("long", long + "x") }, key { $0.add("long", Array(long.utf8)) },
      key { $0.add("long", digest(Array(long.utf8))) }, key { $0.add("long", [long, "x"]) }, key { $0.add("long", ["x", long]) },
      key {
        $0.add("a", 1)
        $0.add("b", 2)
      },
      key {
        $0.add("b", 2)
        $0.add("a", 1)
      },
      key {
        $0.add("a", 2)
        $0.add("b", 1)
      },
      CanonicalEncoder(domain: "other").key, CanonicalEncoder(domain: "test").key,
    ]
    #expect(Set(keys).count == keys.count)
  }

  @Test("Equal values, and zero and minus zero, give equal keys, and the encoding does not change accidentally")
  func stable() {
    var a = CanonicalEncoder(domain: "test")
    a.add("scale", 0.0)
    var b = CanonicalEncoder(domain: "test")
    b.add("scale", -0.0)
    #expect(a.key == b.key)
    #expect(makeKey("a").description == "805f0b390e42cff33363fe800fd7d71b5cc63dff9e23b30ae7d4a6ba1008a53b")
  }

  @Test("The parts tell which input differs")
  func parts() {
    func parts(_ width: Int) -> [CacheKeyPart] {
      var encoder = CanonicalEncoder(domain: "test")
      encoder.add("html", Array("<p>".utf8))
      encoder.add("width", width)
      return encoder.parts
    }
    let differences = RenderCache.differences(parts(800), parts(600))
    #expect(differences.map(\.name) == ["width"])
    #expect(differences.first?.wanted?.summary == "800")
    #expect(differences.first?.stored?.summary == "600")
    #expect(PartsText.decode(PartsText.encode(parts(800))) == parts(800))
  }
}
