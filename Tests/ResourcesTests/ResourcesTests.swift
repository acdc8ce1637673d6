import OffprintCoreTypes
import Foundation
import Synchronization
import Testing

@testable import OffprintResources

/// A folder that is removed with its contents.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/offprint-resources-XXXXXX".utf8CString)
    let made = try #require(mkdtemp(&template))
    let resolved = try #require(realpath(made, nil))
    path = String(cString: resolved)
    free(resolved)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = try #require(fopen(path + "/" + name, "w"))
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    return path + "/" + name
  }

  func folder(_ name: String) { mkdir(path + "/" + name, 0o755) }
}

@Suite("URLs")
struct ResourceURLTests {
  @Test(
    "References are resolved according to the URL standard",
    arguments: [
      ("b.png", "file:///a/b.png"), ("../b.png", "file:///b.png"), ("../../../b.png", "file:///b.png"),
      ("./x/./y/../z.css", "file:///a/x/z.css"),
      ("/r/s", "file:///r/s"), ("?q=1", "file:///a/page.html?q=1"), ("#top", "file:///a/page.html#top"), ("", "file:///a/page.html"),
      ("a b.png", "file:///a/a%20b.png"), ("%2e%2E/b", "file:///b"), ("//host/p", "file://host/p"), ("x\\y.png", "file:///a/x/y.png"),
      ("  \n b.p\tng ", "file:///a/b.png"), ("https://Example.org/x", "https://Example.org/x"), ("file:c.png", "file:///a/c.png"),
      ("ü.png", "file:///a/%C3%BC.png"), ("..", "file:///"), ("x/..", "file:///a/"),
    ])
  func resolves(_ reference: String, _ expected: String) throws {
    let base = try #require(ResourceURL("file:///a/page.html"))
    #expect(base.resolving(reference)?.description == expected)
  }

  @Test("The path of a file URL is decoded, without query and fragment")
  func filePath() {
    #expect(ResourceURL("file:///a%20b/c.png?v=2#x")?.filePath == "/a b/c.png")
    #expect(ResourceURL("file://localhost/a")?.filePath == "/a")
    #expect(ResourceURL("file://server/a")?.filePath == nil)
    #expect(ResourceURL("file:///a%00b")?.filePath == nil)
    #expect(ResourceURL(filePath: "/tmp/100% #1?.html").filePath == "/tmp/100% #1?.html")
  }

  @Test("A page without a hierarchical URL has no relative references")
  func opaqueBase() {
    #expect(ResourceURL("data:text/html,x")?.resolving("a.png") == nil)
    #expect(ResourceURL("relative/path") == nil)
  }

  @Test("The host has no user and port")
  func host() {
    #expect(ResourceURL("http://me@Example.org:8080/x")?.host == "example.org")
    #expect(ResourceURL("http://[::1]:80/")?.host == "[::1]")
  }
}

@Suite("Loading")
struct ResourceLoaderTests {
  @Test(
    "data: URLs are decoded from base64 and from percent escapes",
    arguments: [
      ("data:text/css,a%20%7Bcolor:red}", "text/css", "a {color:red}"), ("DATA:;base64,aGVs bG8", "text/plain;charset=US-ASCII", "hello"),
      ("data:text/plain;charset=utf-8;BASE64,aGk=", "text/plain;charset=utf-8", "hi"),
      ("data:,100%", "text/plain;charset=US-ASCII", "100%"),
    ])
  func dataURL(_ url: String, _ type: String, _ text: String) throws {
    let resource = try ResourceLoader().load(url, relativeTo: nil)
    #expect(String(decoding: resource.bytes, as: UTF8.self) == text)
    #expect(resource.mimeType == type)
  }

  @Test("A damaged data: URL is an error", arguments: ["data:", "data:text/plain", "data:;base64,a", "data:;base64,a$b="])
  func damagedData(_ url: String) {
    #expect(throws: ResourceError.self) { try ResourceLoader().load(url, relativeTo: nil) }
  }

  @Test("A file under an allowed folder is loaded with its digest and type")
  func file() throws {
    let folder = try TemporaryFolder()
    try folder.write("a b.css", Array("abc".utf8))
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: folder.path + "/a b.css")
    try folder.write("old.css", [1])
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 5)], ofItemAtPath: folder.path + "/old.css")
    let old = try ResourceLoader(allowedFolders: [folder.path]).load(
      "old.css", relativeTo: ResourceURL(filePath: folder.path + "/page.html"))
    #expect(old.modified == 5_000_000_000)
    let loader = ResourceLoader(allowedFolders: [folder.path])
    let resource = try loader.load("a%20b.css?v=1#f", relativeTo: ResourceURL(filePath: folder.path + "/page.html"))
    #expect(resource.bytes == Array("abc".utf8))
    #expect(resource.mimeType == "text/css")
    #expect(resource.digest.prefix(4) == [0xba, 0x78, 0x16, 0xbf])
    #expect(resource.modified == 0, "a file with a recent or future modification time can change without getting another time")
    let dependency = try #require(loader.dependencies.first)
    #expect(dependency.location == folder.path + "/a b.css")
    #expect(dependency.state == .present(digest: resource.digest, size: 3, modified: resource.modified))
  }

  @Test("A changed file is read again, even if its size and modification time are unchanged")
  func remembered() throws {
    let folder = try TemporaryFolder()
    let memory = FileMemory(), url = ResourceURL(filePath: folder.path + "/page.css")
    func load() throws -> LoadedResource {
      try ResourceLoader(
        allowedFolders: [folder.path], allowedHosts: [], limits: Limits(), provider: nil, network: nil, memory: memory, deadline: .never
      ).load(url)
    }
    for text in ["old", "new", "odd"] {
      try folder.write("page.css", Array(text.utf8))
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 5)], ofItemAtPath: folder.path + "/page.css")
      // Read at once, when the file can change without a new time, and when it is settled: then it is remembered.
      for wait in [0, 0.1, 0] {
        Thread.sleep(forTimeInterval: wait)
        let resource = try load()
        #expect(resource.bytes == Array(text.utf8))
        #expect(resource.digest == SHA256.hash(resource.bytes))
      }
    }
    try FileManager.default.removeItem(atPath: folder.path + "/page.css")
    #expect(throws: ResourceError.self) { try load() }
  }

  @Test("Files outside the allowed folders are refused, whether they exist or not, also through links and .. components")
  func outside() throws {
    let folder = try TemporaryFolder()
    folder.folder("allowed")
    folder.folder("allowed-not")
    try folder.write("secret.txt", [1])
    try folder.write("allowed-not/secret.txt", [1])
    symlink(folder.path + "/secret.txt", folder.path + "/allowed/link")
    let loader = ResourceLoader(allowedFolders: [folder.path + "/allowed"])
    let base = ResourceURL(filePath: folder.path + "/allowed/")
    symlink("/etc", folder.path + "/allowed/elsewhere")
    for reference in [
      "../secret.txt", "link", "../nothing", "..%2fsecret.txt", "../allowed-not/secret.txt", "/etc/passwd", "..%2f..%2fnothing",
      "elsewhere/passwd", "elsewhere/nothing",
    ] {
      let error = #expect(throws: ResourceError.self) { try loader.load(reference, relativeTo: base) }
      #expect(error?.code == .resourceRefused, "\(reference)")
    }
  }

  @Test("A link into an allowed folder may be followed, and a linked folder may be allowed")
  func allowedLinks() throws {
    let folder = try TemporaryFolder()
    folder.folder("real")
    try folder.write("real/x", [7])
    symlink(folder.path + "/real", folder.path + "/alias")
    let loader = ResourceLoader(allowedFolders: [folder.path + "/alias/"])
    #expect(try loader.load("x", relativeTo: ResourceURL(filePath: folder.path + "/alias/")).bytes == [7])
    #expect(loader.dependencies.map(\.location) == [folder.path + "/alias/x"])
    let error = #expect(throws: ResourceError.self) { try loader.load("y", relativeTo: ResourceURL(filePath: folder.path + "/alias/")) }
    #expect(error?.code == .resourceMissing)
  }

  @Test("FIFOs, devices and folders are refused without waiting")
  func special() throws {
    let folder = try TemporaryFolder()
    folder.folder("sub")
    mkfifo(folder.path + "/fifo", 0o644)
    let loader = ResourceLoader(allowedFolders: [folder.path, "/dev"])
    for path in [folder.path + "/fifo", folder.path + "/sub", "/dev/zero", "/dev/null"] {
      let error = #expect(throws: ResourceError.self) { try loader.load(ResourceURL(filePath: path)) }
      #expect(error?.code == .resourceRefused, "\(path)")
    }
  }

  @Test("A missing file is an error and a dependency, so that creating it invalidates the image")
  func missing() throws {
    let folder = try TemporaryFolder()
    let loader = ResourceLoader(allowedFolders: [folder.path])
    let error = #expect(throws: ResourceError.self) { try loader.load(ResourceURL(filePath: folder.path + "/later.png")) }
    #expect(error?.code == .resourceMissing)
    #expect(loader.dependencies == [ResourceDependency(location: folder.path + "/later.png", isFile: true, state: .absent)])
  }

  @Test("Limits of bytes and number apply, and a repeated resource counts once")
  func limits() throws {
    let folder = try TemporaryFolder()
    try folder.write("big", [UInt8](repeating: 1, count: 101))
    try folder.write("fits", [UInt8](repeating: 1, count: 100))
    var limits = Limits()
    limits.resourceBytes = 100
    limits.resources = 2
    let loader = ResourceLoader(allowedFolders: [folder.path], limits: limits)
    let base = ResourceURL(filePath: folder.path + "/")
    let error = #expect(throws: ResourceError.self) { try loader.load("big", relativeTo: base) }
    #expect(error?.code == .limitExceeded)
    for _ in 0..<5 { #expect(try loader.load("fits#\(Int.random(in: 0..<9))", relativeTo: base).size == 100) }
    let third = #expect(throws: ResourceError.self) { try loader.load("third", relativeTo: base) }
    #expect(third?.code == .limitExceeded)
    #expect(third?.message.contains("resources") == true)
  }

  @Test("The resources of a page share a limit, and each may use only the remainder")
  func loadedBytes() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "c"] { try folder.write(name, [UInt8](repeating: 1, count: 60)) }
    var limits = Limits()
    limits.resourceBytes = 80
    limits.loadedBytes = 150
    let network = CountingNetwork(size: 40)
    let loader = ResourceLoader(allowedFolders: [folder.path], allowedHosts: ["example.org"], limits: limits, network: network)
    let base = ResourceURL(filePath: folder.path + "/")
    for name in ["a", "b", "a"] { #expect(try loader.load(name, relativeTo: base).size == 60) }
    let file = #expect(throws: ResourceError.self) { try loader.load("c", relativeTo: base) }
    #expect(file?.code == .limitExceeded && file?.message.contains("limit loadedBytes") == true)
    let remote = #expect(throws: ResourceError.self) { try loader.load("http://example.org/x", relativeTo: nil) }
    #expect(remote?.code == .limitExceeded && remote?.message.contains("limit loadedBytes") == true)
    #expect(network.limits == [30])
  }

  @Test("A loader that hands over its resources retains none, counts repeated ones again and lists each once")
  func handingOver() throws {
    var limits = Limits()
    limits.loadedBytes = 100
    let network = CountingNetwork(size: 40)
    let loader = ResourceLoader(
      allowedFolders: [], allowedHosts: ["example.org"], limits: limits, provider: nil, network: network, memory: nil, deadline: .never,
      handsOver: true)
    for _ in 0..<2 { #expect(try loader.load("http://example.org/x", relativeTo: nil).size == 40) }
    #expect(network.limits == [100, 60] && loader.dependencies.count == 1)
    #expect(throws: ResourceError.self) { try loader.load("http://example.org/x", relativeTo: nil) }
  }

  @Test("Network access is refused with a message that names the host, and other schemes are refused, too")
  func network() {
    let loader = ResourceLoader(allowedFolders: ["/"])
    let error = #expect(throws: ResourceError.self) { try loader.load("https://example.org/x.png", relativeTo: nil) }
    #expect(error?.code == .resourceRefused)
    #expect(error?.message.contains("example.org") == true)
    let other = #expect(throws: ResourceError.self) { try loader.load("ftp://example.org/x", relativeTo: nil) }
    #expect(other?.code == .resourceRefused)
    #expect(loader.dependencies.map(\.isFile) == [false, false])
  }

  @Test("A relative reference without a base is an invalid URL")
  func noBase() {
    let error = #expect(throws: ResourceError.self) { try ResourceLoader().load("x.png", relativeTo: nil) }
    #expect(error?.code == .resourceInvalidURL)
  }

  @Test("A provider is called first for allowed URLs, and its resources have a digest and are non-file dependencies")
  func provider() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", [1])
    try folder.write("b", [2])
    let loader = ResourceLoader(
      allowedFolders: [folder.path], allowedHosts: ["Example.org"], provider: FixedProvider(path: folder.path + "/a", bytes: [9, 9]))
    #expect(try loader.load(ResourceURL(filePath: folder.path + "/a")).bytes == [9, 9])
    #expect(try loader.load(ResourceURL(filePath: folder.path + "/b")).bytes == [2])
    #expect(loader.dependencies.map(\.isFile) == [false, true])
    #expect(loader.dependencies.first?.state == .present(digest: SHA256.hash([9, 9]), size: 2, modified: 0))
    let allowed = #expect(throws: ResourceError.self) { try loader.load("http://example.org/x", relativeTo: nil) }
    #expect(allowed?.code == .resourceMissing)
    let refused = #expect(throws: ResourceError.self) { try loader.load("http://example.com/x", relativeTo: nil) }
    #expect(refused?.code == .resourceRefused)
  }
}

private struct FixedProvider: ResourceProviding {
  let path: String
  let bytes: [UInt8]
  func resource(at url: ResourceURL, limit: Int) throws(ResourceError) -> ProvidedResource? {
    url.filePath == path ? ProvidedResource(bytes: bytes) : nil
  }
}

/// Gives each URL so many bytes, and knows what it was asked for.
private final class CountingNetwork: NetworkLoading {
  let hosts = ["example.org"]
  private let size: Int
  private let asked = Mutex<[Int]>([])

  init(size: Int) { self.size = size }

  /// Of each request.
  var limits: [Int] { asked.withLock { $0 } }

  func load(
    _ url: ResourceURL, limit: Int, deadline: Deadline, allows: (@Sendable (ResourceURL) -> Bool)?
  ) throws(ResourceError) -> NetworkResource {
    asked.withLock { $0.append(limit) }
    guard size <= limit else { throw ResourceError(.limitExceeded, url: url.description, "too large") }
    return NetworkResource(bytes: [UInt8](repeating: 1, count: size), url: url, mimeType: nil)
  }
}
