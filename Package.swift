// swift-tools-version: 6.1
import PackageDescription

let swiftSettings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault")]

func library(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: swiftSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: swiftSettings)
}

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
// The service's packages are twenty, and take as long to fetch as a module takes to compile: OFFPRINT_SERVICE=0 leaves the service out.
let hasService = Context.environment["OFFPRINT_SERVICE"] != "0"
// One program that is both, by the name that it is started with: two would have most of their code twice. For the bundle.
let isCombined = hasService && Context.environment["OFFPRINT_COMBINED"] == "1"
// The service alone: nothing that the library or the command line needs depends on these.
let service: [Target.Dependency] = [
  log, metrics, .product(name: "Hummingbird", package: "hummingbird"),
  .product(name: "HummingbirdCore", package: "hummingbird"), .product(name: "Tracing", package: "swift-distributed-tracing"),
  .product(name: "Instrumentation", package: "swift-distributed-tracing"),
  .product(name: "ServiceContextModule", package: "swift-service-context"), .product(name: "HTTPTypes", package: "swift-http-types"),
  .product(name: "NIOHTTPTypes", package: "swift-nio-extras"), .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
  .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
  .product(name: "NIOPosix", package: "swift-nio"), .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
  .product(name: "UnixSignals", package: "swift-service-lifecycle"),
]

let servicePackages: [Package.Dependency] = [
  .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
  .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
  .package(url: "https://github.com/apple/swift-service-context", from: "1.5.0"),
  .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
  .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
]
let serviceTargets: [Target] = [
  library(
    "OffprintService", ["Offprint", "CoreTypes", "RenderCache", "Isolation", "Remote", "OffprintConfiguration"] + service,
    resources: ["index.html", "page.css", "page.js"].map { .embedInCode("Page/Resources/\($0)") }),
  .executableTarget(name: "offprint-server", dependencies: ["OffprintService"], swiftSettings: swiftSettings),
  tests(
    "RemoteTests", ["Remote", "Offprint", "Resources", "RenderCache", "CoreTypes", "offprint", "offprint-server"],
    exclude: ["trap-server.py", "changing-names.py"]),
  tests(
    "ServiceTests",
    ["OffprintService", "offprint-server", "offprint", "Offprint", "CoreTypes", "RenderCache", "Isolation", "OffprintConfiguration"]
      + service),
]

let package = Package(
  name: "offprint",
  platforms: [.macOS(.v14)],
  products: [
    .library(name: "Offprint", targets: ["Offprint"]),
    .library(name: "OffprintIsolation", targets: ["Isolation"]),
    .library(name: "OffprintRemote", targets: ["Remote"]),
    .library(name: "OffprintObservability", targets: ["OffprintObservability"]),
    .executable(name: "offprint", targets: ["offprint"]),
  ] + (hasService ? [.executable(name: "offprint-server", targets: ["offprint-server"])] : []),
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
  ] + (hasService ? servicePackages : []),
  targets: [
    // C libraries: module maps and the few inline lines Swift cannot import.
    .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CLibXML2"),  // loaded when needed
    .systemLibrary(
      name: "CPango", pkgConfig: "pangocairo pangoft2 harfbuzz fontconfig freetype2", providers: [.apt(["libpango1.0-dev"])]),
    .target(name: "CPixels"),
    // Stubs of the functions of all of them, which open the library that they stand for.
    .target(name: "CLibraries", linkerSettings: [.linkedLibrary("dl")]),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .target(
      name: "CCodecs", dependencies: ["CLibraries"],
      linkerSettings: [
        .linkedLibrary("deflate"), .linkedLibrary("jpeg"), .linkedLibrary("webp"), .linkedLibrary("png"), .linkedLibrary("z"),
        .linkedLibrary("dl"),
      ]),

    // One direction, left to right (see docs/architecture.md); Tests/ArchitectureTests holds this order.
    library("CoreTypes", ["CGLib", "CLibraries"]),
    // Not "Configuration": swift-configuration, which Hummingbird names, has a module of that name.
    .target(name: "OffprintConfiguration", dependencies: ["CoreTypes"], path: "Sources/Configuration", swiftSettings: swiftSettings),
    library("Resources", ["CoreTypes"]),
    library("DOM", ["CoreTypes", "CLibXML2"]),
    library("CSS", ["DOM", "CoreTypes"]),
    library("Images", ["CoreTypes", "CCodecs", "CCairo"]),
    library("Typography", ["CSS", "CoreTypes", "CPango"]),
    library("Layout", ["CSS", "DOM", "Images", "Typography", "CoreTypes"]),
    library("Painting", ["Layout", "CSS", "DOM", "Images", "Typography", "CoreTypes", "CCairo", "CPixels"]),
    library("RenderCache", ["CoreTypes", "CSQLite"]),
    // Fonts travel with every program that depends on the package, as a folder beside it.
    .target(name: "OffprintFonts", resources: [.copy("Fonts")]),
    library(
      "Offprint",
      ["CoreTypes", "Resources", "DOM", "CSS", "Images", "Typography", "Layout", "Painting", "RenderCache", "OffprintFonts"]),
    library("OffprintObservability", ["Offprint", log, metrics]),
    .target(name: "CIsolation", dependencies: ["CLibraries"], linkerSettings: [.linkedLibrary("dl")]),
    library("Isolation", ["Offprint", "Resources", "CoreTypes", "CIsolation"]),
    // libcurl and libhiredis are loaded when needed.
    .target(name: "CRemote", dependencies: ["CLibraries"], linkerSettings: [.linkedLibrary("dl")]),
    library("Remote", ["Offprint", "RenderCache", "Resources", "CoreTypes", "CRemote"]),
    .executableTarget(
      name: "offprint",
      dependencies: ["Offprint", "Isolation", "Remote", "OffprintConfiguration", argumentParser] + (isCombined ? ["OffprintService"] : []),
      swiftSettings: swiftSettings + (isCombined ? [.define("COMBINED")] : [])),

    .executableTarget(
      name: "offprint-benchmark", dependencies: ["Offprint"], path: "Tests/Benchmarks/Library", swiftSettings: swiftSettings),
    .executableTarget(
      name: "offprint-parsing-benchmark", dependencies: ["CSS", "DOM", "CoreTypes"], path: "Tests/Benchmarks/Parsing",
      swiftSettings: swiftSettings),

    .executableTarget(
      name: "offprint-fuzz-pages", dependencies: ["Offprint", "CSS", "DOM", "CoreTypes"], path: "Fuzz/Pages", swiftSettings: swiftSettings),

    .target(
      name: "TestSupport", dependencies: ["Offprint", "CSS", "DOM", "CoreTypes", "Layout", "Painting", "Images", "Typography"],
      path: "Tests/Support", swiftSettings: swiftSettings),
    .executableTarget(
      name: "offprint-cache-benchmark", dependencies: ["RenderCache", "CoreTypes"], path: "Tests/Benchmarks/Cache",
      swiftSettings: swiftSettings),
    // Another process for the tests of the cache.
    .executableTarget(
      name: "offprint-cache-peer", dependencies: ["RenderCache", "CoreTypes", "CSQLite"], path: "Tests/CachePeer",
      swiftSettings: swiftSettings),
    // A worker that does harm, for the tests of isolation.
    .executableTarget(
      name: "offprint-isolation-peer", dependencies: ["Isolation", "CIsolation", "Offprint"], path: "Tests/IsolationPeer",
      swiftSettings: swiftSettings),
    tests("IsolationTests", ["Isolation", "Offprint", "Resources", "CoreTypes", "offprint-isolation-peer", "offprint"]),
    tests("ArchitectureTests", []),
    tests(
      "OffprintTests",
      ["Offprint", "OffprintObservability", "CoreTypes", "Images", "Resources", "RenderCache", "Typography", "TestSupport", log, metrics],
      exclude: ["Pages"]),
    tests("FixtureTests", ["Offprint", "CSS", "TestSupport"], exclude: ["Fixtures", "README.md", "coverage", "make-font"]),
    tests("CSSTests", ["CSS", "DOM", "CoreTypes"]),
    tests("DOMTests", ["DOM", "CoreTypes"]),
    tests("CommandLineTests", ["offprint"]),
    tests("ConfigurationTests", ["OffprintConfiguration"]),
    tests("TypographyTests", ["Typography", "CoreTypes"]),
    tests("ResourcesTests", ["Resources", "CoreTypes"]),
    tests("RenderCacheTests", ["RenderCache", "CoreTypes", "CSQLite", "offprint-cache-peer"]),
    tests("ImagesTests", ["Images", "CoreTypes"]),
    tests("LayoutTests", ["Layout", "CSS", "DOM", "Typography", "CoreTypes"]),
    tests("PaintingTests", ["Painting", "Layout", "CSS", "DOM", "Images", "Typography", "CoreTypes"]),
  ] + (hasService ? serviceTargets : []),
  swiftLanguageModes: [.v6]
)
