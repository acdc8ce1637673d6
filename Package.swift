// swift-tools-version: 6.1
import PackageDescription

let swiftSettings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault")]

/// The folder of a target in Sources, which has its name without "Offprint": names of modules must be unique among all packages of a program.
func folder(_ name: String) -> String {
  let own = ["Offprint", "OffprintC", "OffprintFonts", "OffprintObservability", "OffprintService", "OffprintCommandLine"]
  return "Sources/\(own.contains(name) ? name : name.replacing("Offprint", with: ""))"
}

func library(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [], settings: [SwiftSetting] = swiftSettings
) -> Target {
  .target(name: name, dependencies: dependencies, path: folder(name), resources: resources, swiftSettings: settings)
}

/// A C library of the system: a module map.
func system(_ name: String, pkgConfig: String? = nil, package: String? = nil) -> Target {
  .systemLibrary(name: name, path: folder(name), pkgConfig: pkgConfig, providers: package.map { [.apt([$0])] })
}

/// C sources of this package.
func clang(
  _ name: String, _ dependencies: [Target.Dependency] = [], libraries: [String] = [], settings: [CSetting] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: folder(name), cSettings: settings, linkerSettings: libraries.map { .linkedLibrary($0) })
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: swiftSettings)
}

// Where this repository's own builds make programs, which start faster without Foundation, OFFPRINT_SERVICE is 0 or 1. Packages that depend on the
// library have errors that Foundation knows.
let librarySettings = swiftSettings + (Context.environment["OFFPRINT_SERVICE"] == nil ? [.define("FOUNDATION")] : [])

// The stubs of COffprintLibraries open C libraries when they are needed first. OFFPRINT_STUBS=0 leaves them out, for processors that they are not
// written for and for packages whose dependencies are found by what is linked: see docs/install.md.
let hasStubs = Context.environment["OFFPRINT_STUBS"] != "0"

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
// The service needs twenty packages, which no package that depends on the library should have to fetch: OFFPRINT_SERVICE=1 adds it.
let hasService = Context.environment["OFFPRINT_SERVICE"] == "1"
// For the bundle, one program is both, by the name that it is started with: two would contain most of their code twice.
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
    "OffprintService",
    ["Offprint", "OffprintCoreTypes", "OffprintRenderCache", "OffprintIsolation", "OffprintRemote", "OffprintConfiguration"] + service,
    resources: ["index.html", "page.css", "page.js"].map { .embedInCode("Page/Resources/\($0)") }),
  .executableTarget(
    name: "offprint-server", dependencies: ["OffprintService", "COffprintDispatch"], swiftSettings: swiftSettings),
  tests(
    "RemoteTests",
    ["OffprintRemote", "Offprint", "OffprintResources", "OffprintRenderCache", "OffprintCoreTypes", "offprint", "offprint-server"],
    exclude: ["trap-server.py", "changing-names.py"]),
  tests(
    "ServiceTests",
    [
      "OffprintService", "offprint-server", "offprint", "Offprint", "OffprintCoreTypes", "OffprintRenderCache", "OffprintIsolation",
      "OffprintConfiguration", "OffprintRemote",
    ]
      + service, exclude: ["trace-receiver.py", "webhook-receiver.py"]),
]

let package = Package(
  name: "offprint",
  platforms: [.macOS(.v14)],
  products: [
    .library(name: "Offprint", targets: ["Offprint"]),
    .library(name: "OffprintIsolation", targets: ["OffprintIsolation"]),
    .library(name: "OffprintRemote", targets: ["OffprintRemote"]),
    .library(name: "OffprintObservability", targets: ["OffprintObservability"]),
    // The C library: see Sources/OffprintC/include/offprint.h and 'make library'.
    .library(name: "OffprintC", type: .dynamic, targets: ["OffprintC"]),
    .executable(name: "offprint", targets: ["offprint"]),
  ] + (hasService ? [.executable(name: "offprint-server", targets: ["offprint-server"])] : []),
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
  ] + (hasService ? servicePackages : []),
  targets: [
    // C libraries: module maps and the few inline lines Swift cannot import.
    system("COffprintGLib", pkgConfig: "glib-2.0", package: "libglib2.0-dev"),
    system("COffprintSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
    system("COffprintLibXML2"),  // loaded when needed
    system("COffprintPango", pkgConfig: "pangocairo pangoft2 harfbuzz fontconfig freetype2", package: "libpango1.0-dev"),
    system("COffprintCairo", pkgConfig: "cairo", package: "libcairo2-dev"),
    clang("COffprintPixels"),
    // Stubs of the functions of all of them, which open the library that they stand for.
    clang("COffprintLibraries", libraries: ["dl"], settings: hasStubs ? [] : [.define("CLIBRARIES_LINKED")]),
    // For programs alone: what libdispatch needs where /proc is not mounted.
    clang("COffprintDispatch"),
    clang("COffprintCodecs", ["COffprintLibraries"], libraries: ["deflate", "jpeg", "webp", "png", "z", "dl"]),

    // One direction, left to right (see docs/architecture.md); Tests/ArchitectureTests holds this order.
    library("OffprintCoreTypes", ["COffprintGLib", "COffprintLibraries"]),
    library("OffprintConfiguration", ["OffprintCoreTypes"]),
    library("OffprintResources", ["OffprintCoreTypes"]),
    library("OffprintDOM", ["OffprintCoreTypes", "COffprintLibXML2"]),
    library("OffprintCSS", ["OffprintDOM", "OffprintCoreTypes"]),
    library("OffprintImages", ["OffprintCoreTypes", "COffprintCodecs", "COffprintCairo"]),
    library("OffprintTypography", ["OffprintCSS", "OffprintCoreTypes", "COffprintPango"]),
    library("OffprintLayout", ["OffprintCSS", "OffprintDOM", "OffprintImages", "OffprintTypography", "OffprintCoreTypes"]),
    library(
      "OffprintPainting",
      [
        "OffprintLayout", "OffprintCSS", "OffprintDOM", "OffprintImages", "OffprintTypography", "OffprintCoreTypes", "COffprintCairo",
        "COffprintPixels",
      ]),
    library("OffprintRenderCache", ["OffprintCoreTypes", "COffprintSQLite"]),
    // Fonts travel with every program that depends on the package, as a folder beside it.
    .target(name: "OffprintFonts", resources: [.copy("Fonts")]),
    library(
      "Offprint",
      [
        "OffprintCoreTypes", "OffprintResources", "OffprintDOM", "OffprintCSS", "OffprintImages", "OffprintTypography", "OffprintLayout",
        "OffprintPainting", "OffprintRenderCache", "OffprintFonts",
      ], settings: librarySettings),
    library("OffprintObservability", ["Offprint", log, metrics]),
    clang("COffprintIsolation", ["COffprintLibraries"], libraries: ["dl"]),
    library("OffprintIsolation", ["Offprint", "OffprintResources", "OffprintCoreTypes", "COffprintIsolation"]),
    // libcurl and libhiredis are loaded when needed.
    clang("COffprintRemote", ["COffprintLibraries"], libraries: ["dl"]),
    library("OffprintRemote", ["Offprint", "OffprintRenderCache", "OffprintResources", "OffprintCoreTypes", "COffprintRemote"]),
    library(
      "OffprintCommandLine",
      ["Offprint", "OffprintCoreTypes", "OffprintIsolation", "OffprintRemote", "OffprintConfiguration", argumentParser]),
    .target(
      name: "OffprintC", dependencies: ["OffprintCommandLine", "Offprint", "OffprintCoreTypes"], exclude: ["include", "launcher.c"],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "offprint",
      dependencies: ["OffprintCommandLine", "OffprintCoreTypes", "COffprintDispatch"] + (isCombined ? ["OffprintService"] : []),
      swiftSettings: swiftSettings + (isCombined ? [.define("COMBINED")] : [])),

    .executableTarget(
      name: "offprint-benchmark", dependencies: ["Offprint"], path: "Tests/Benchmarks/Library", swiftSettings: swiftSettings),
    .executableTarget(
      name: "offprint-parsing-benchmark", dependencies: ["OffprintCSS", "OffprintDOM", "OffprintCoreTypes"],
      path: "Tests/Benchmarks/Parsing",
      swiftSettings: swiftSettings),

    .executableTarget(
      name: "offprint-fuzz-pages", dependencies: ["Offprint", "OffprintCSS", "OffprintDOM", "OffprintCoreTypes"], path: "Fuzz/Pages",
      swiftSettings: swiftSettings),

    .target(
      name: "OffprintTestSupport",
      dependencies: [
        "Offprint", "OffprintCSS", "OffprintDOM", "OffprintCoreTypes", "OffprintLayout", "OffprintPainting", "OffprintImages",
        "OffprintTypography",
      ],
      path: "Tests/Support", swiftSettings: swiftSettings),
    .executableTarget(
      name: "offprint-cache-benchmark", dependencies: ["OffprintRenderCache", "OffprintCoreTypes"], path: "Tests/Benchmarks/Cache",
      swiftSettings: swiftSettings),
    // Another process for the tests of the cache.
    .executableTarget(
      name: "offprint-cache-peer", dependencies: ["OffprintRenderCache", "OffprintCoreTypes", "COffprintSQLite"], path: "Tests/CachePeer",
      swiftSettings: swiftSettings),
    // A worker that does harm, for the tests of isolation.
    .executableTarget(
      name: "offprint-isolation-peer", dependencies: ["OffprintIsolation", "COffprintIsolation", "Offprint"], path: "Tests/IsolationPeer",
      swiftSettings: swiftSettings),
    tests(
      "IsolationTests", ["OffprintIsolation", "Offprint", "OffprintResources", "OffprintCoreTypes", "offprint-isolation-peer", "offprint"]),
    tests("ArchitectureTests", []),
    tests(
      "OffprintTests",
      [
        "Offprint", "OffprintObservability", "OffprintCoreTypes", "OffprintImages", "OffprintResources", "OffprintRenderCache",
        "OffprintTypography", "OffprintTestSupport", log, metrics,
      ],
      exclude: ["Pages"]),
    tests(
      "FixtureTests", ["Offprint", "OffprintCSS", "OffprintTestSupport"], exclude: ["Fixtures", "README.md", "coverage", "make-font"]),
    tests("CSSTests", ["OffprintCSS", "OffprintDOM", "OffprintCoreTypes"]),
    tests("DOMTests", ["OffprintDOM", "OffprintCoreTypes"]),
    tests("CommandLineTests", ["OffprintCommandLine", "offprint"]),
    tests("ConfigurationTests", ["OffprintConfiguration"]),
    tests("TypographyTests", ["OffprintTypography", "OffprintCoreTypes"]),
    tests("ResourcesTests", ["OffprintResources", "OffprintCoreTypes"]),
    tests("RenderCacheTests", ["OffprintRenderCache", "OffprintCoreTypes", "COffprintSQLite", "offprint-cache-peer"]),
    tests("ImagesTests", ["OffprintImages", "OffprintCoreTypes", "COffprintCodecs"]),
    tests("LayoutTests", ["OffprintLayout", "OffprintCSS", "OffprintDOM", "OffprintTypography", "OffprintCoreTypes"]),
    tests(
      "PaintingTests",
      ["OffprintPainting", "OffprintLayout", "OffprintCSS", "OffprintDOM", "OffprintImages", "OffprintTypography", "OffprintCoreTypes"]),
  ] + (hasService ? serviceTargets : []),
  swiftLanguageModes: [.v6]
)
