import Foundation
import Testing

@Suite("The C library")
struct CLibraryTests {
  private static let library = Program.url.deletingLastPathComponent().appendingPathComponent("libOffprintC.so").path
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Compiles a C program with the header, and runs it with the fonts in the source.
  private func run(_ source: URL, _ arguments: [String], _ folder: Scratch) throws -> (status: Int32, output: String) {
    let program = folder.path("program")
    let compiled = try start(
      "/usr/bin/env",
      [
        "clang", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pthread", "-I",
        Self.root.appendingPathComponent("Sources/OffprintC/include").path, source.path, Self.library, "-o", program,
      ])
    try #require(compiled.status == 0, "\(compiled.output)")
    return try start(program, arguments)
  }

  private func start(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process(), pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let folder = Program.url.deletingLastPathComponent().path
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["LD_LIBRARY_PATH": folder, "OFFPRINT_FONTS": Self.root.appendingPathComponent("Sources/OffprintFonts/Fonts").path]) { $1 }
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (
      process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus,
      String(decoding: output, as: UTF8.self)
    )
  }

  @Test("The example compiles as C99 without warnings and writes an image")
  func example() throws {
    let folder = try Scratch()
    let image = folder.path("a.png")
    let outcome = try run(Self.root.appendingPathComponent("docs/examples/library.c"), [image], folder)
    #expect(outcome.status == 0 && outcome.output.contains("\"mediaType\":\"image/png\""), "\(outcome.output)")
    #expect(pngSize(try folder.data("a.png")).first == 840)
  }

  @Test("Threads share a renderer, errors have codes, NULL does not crash, and a canceled render ends")
  func harness() throws {
    let folder = try Scratch()
    let source = folder.url.appendingPathComponent("harness.c")
    try """
    #define _DEFAULT_SOURCE
    #include <offprint.h>
    #include <pthread.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>
    #define CHECK(condition) if (!(condition)) { printf("line %d: %s\\n", __LINE__, #condition); exit(1); }
    static offprint_renderer *renderer;
    static offprint_result *render(const char *job, const char *html) { return offprint_render(renderer, job, strlen(job), html, html ? strlen(html) : 0, NULL); }
    static void *many(void *unused) {
      (void)unused;
      for (int i = 0; i < 20; i++) {
        offprint_result *result = render("{\\"width\\": 50}", "<p>x");
        size_t length;
        CHECK(!offprint_result_is_error(result) && offprint_result_data(result, &length) && length > 50);
        offprint_result_free(result);
      }
      return NULL;
    }
    static void *cancel(void *cancellation) { usleep(100000); offprint_cancel(cancellation); return NULL; }
    int main(void) {
      CHECK(offprint_abi_version() == OFFPRINT_ABI_VERSION);
      offprint_result *error = NULL;
      CHECK(!offprint_renderer_create("{\\"widht\\": 1}", 12, &error) && strstr(offprint_result_json(error, NULL), "did you mean 'width'?"));
      offprint_result_free(error);
      CHECK(!offprint_renderer_create("[", 1, &error) && strstr(offprint_result_json(error, NULL), "\\"code\\":\\"dataInvalid\\""));
      offprint_result_free(error);
      CHECK(!offprint_renderer_create("{\\"fonts\\": \\"/nowhere\\"}", 21, NULL));
      renderer = offprint_renderer_create(NULL, 0, &error);
      CHECK(renderer && !error);
      pthread_t threads[8];
      for (int i = 0; i < 8; i++) pthread_create(&threads[i], NULL, many, NULL);
      for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
      size_t length;
      offprint_result *raw = render("{\\"format\\": \\"raw\\", \\"width\\": 3, \\"height\\": 2}", "<body style='background:#010203'>");
      const uint8_t *pixels = offprint_result_data(raw, &length);
      CHECK(length == 24 && pixels[20] == 1 && pixels[21] == 2 && pixels[22] == 3 && pixels[23] == 255);
      offprint_result_free(raw);
      offprint_result *measured = offprint_measure(renderer, "{}", 2, "<p>Hi", 5, NULL);
      CHECK(strstr(offprint_result_json(measured, &length), "\\"baseline\\"") && strlen(offprint_result_json(measured, NULL)) == length);
      offprint_result_free(measured);
      offprint_result *bad = render("{\\"width\\": -1}", "<p>");
      CHECK(offprint_result_is_error(bad) && strstr(offprint_result_json(bad, NULL), "\\"status\\":400") && offprint_result_data(bad, &length) && length == 0);
      offprint_result_free(bad);
      offprint_result *none = offprint_render(NULL, NULL, 0, NULL, 0, NULL);
      CHECK(offprint_result_is_error(none) && offprint_result_is_error(NULL) && !offprint_result_json(NULL, NULL));
      offprint_result_free(none);
      offprint_cancellation *cancellation = offprint_cancellation_create();
      pthread_t canceller;
      pthread_create(&canceller, NULL, cancel, cancellation);
      char *large = malloc(640001);
      for (int i = 0; i < 40000; i++) memcpy(large + i * 16, "<b><i>x</i></b> ", 16);
      large[640000] = 0;
      offprint_result *cancelled = offprint_render(renderer, "{}", 2, large, 640000, cancellation);
      if (!strstr(offprint_result_json(cancelled, NULL), "\\"code\\":\\"cancelled\\"")) return puts(offprint_result_json(cancelled, NULL)), 1;
      pthread_join(canceller, NULL);
      offprint_result_free(cancelled);
      offprint_cancellation_destroy(cancellation);
      free(large);
      offprint_result *version = offprint_list(NULL, "version");
      CHECK(strstr(offprint_result_json(version, NULL), "\\"version\\""));
      offprint_result_free(version);
      offprint_renderer_destroy(renderer);
      offprint_renderer_destroy(NULL);
      offprint_result_free(NULL);
      puts("done");
      return 0;
    }
    """.write(to: source, atomically: true, encoding: .utf8)
    let outcome = try run(source, [], folder)
    #expect(outcome.status == 0 && outcome.output == "done\n", "\(outcome.output)")
  }

  @Test("The library exports exactly the functions of the header")
  func functions() throws {
    let header = try String(contentsOf: Self.root.appendingPathComponent("Sources/OffprintC/include/offprint.h"), encoding: .utf8)
    let declared = Set(header.matches(of: /^[a-z].*?\b(offprint_\w+)\(/.anchorsMatchLineEndings()).map { String($0.1) })
    // In released libraries, this list hides everything else.
    let exported = try String(contentsOf: Self.root.appendingPathComponent("Distribution/liboffprint.map"), encoding: .utf8)
    #expect(Set(exported.matches(of: /\boffprint_\w+/).map { String($0.0) }) == declared)
    let symbols = try start("/usr/bin/env", ["nm", "-D", "--defined-only", Self.library]).output
    let defined = Set(symbols.matches(of: /\bT (offprint_\w+)$/.anchorsMatchLineEndings()).map { String($0.1) })
    #expect(declared.count == 14 && declared == defined, "\(declared.symmetricDifference(defined))")
  }
}
