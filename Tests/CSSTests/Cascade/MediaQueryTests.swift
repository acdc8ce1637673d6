import Testing

@testable import OffprintCSS

@Suite struct MediaQueryTests {
  private let environment = MediaEnvironment(width: 800, height: 600, resolution: 2)

  @Test(
    "Media queries that match a screen of 800×600",
    arguments: [
      "", "screen", "ALL", "only screen", "(min-width: 50em)", "(width >= 800px)", "(400px <= width < 801px)", "print, screen", "not print",
      "screen and (orientation: landscape)", "(min-resolution: 1.5dppx)", "(-webkit-min-device-pixel-ratio: 2)",
      "(hover) and (pointer: fine)",
      "(prefers-color-scheme: light)", "not (prefers-color-scheme: dark)", "(aspect-ratio: 4/3)", "(min-width: calc(10px + 2 * 5px))",
      "(width > 10px) or (unknown)", "((width) and (not (monochrome)))", "not screen and (max-width: 1px)",
    ])
  func matching(_ query: String) {
    #expect(MediaQueryEvaluator.matches(query, environment))
  }

  @Test(
    "Media queries that do not match a screen of 800×600",
    arguments: [
      "print", "(min-width: 801px)", "(width: 800)", "not (unknown)", "screen or print", "(prefers-reduced-motion)", "tv, (width<1px)",
      "not all",
      "(min-hover: 1)", "screen and", "(width >= 800px) and (height > 600px) or (width)", "(800px < width > 1px)", "and",
      "not or", "not only", "not and", "not layer", "only and", "not screen or (hover)", "(aspect-ratio: 0/0)", "not tv and",
    ])
  func failing(_ query: String) {
    #expect(!MediaQueryEvaluator.matches(query, environment))
  }

  @Test(
    "Specified media features override those of a desktop",
    arguments: [
      ("prefers-reduced-motion", "reduce", "(prefers-reduced-motion)"),
      ("prefers-reduced-motion", "no-preference", "not (prefers-reduced-motion)"),
      ("prefers-contrast", "more", "(prefers-contrast: more) and (prefers-contrast) and (not (prefers-contrast: less))"),
      ("color-gamut", "p3", "(color-gamut: srgb) and (color-gamut: p3) and (not (color-gamut: rec2020))"),
      ("dynamic-range", "high", "(dynamic-range: standard) and (dynamic-range: high)"),
      ("hover", "none", "(hover: none) and (not (hover)) and (any-hover)"), ("pointer", "coarse", "(pointer: coarse)"),
      ("scripting", "enabled", "(scripting) and (scripting: enabled)"), ("inverted-colors", "inverted", "(inverted-colors)"),
      ("resolution", "3dppx", "(resolution: 3x) and (-webkit-device-pixel-ratio: 3) and (min-resolution: 250dpi)"),
    ])
  func chosen(name: String, value: String, query: String) {
    var chosen = environment
    chosen.chosen[name] = value
    #expect(MediaFeatureOverrides.isValid(name, value))
    #expect(MediaQueryEvaluator.matches(query, chosen) && !MediaQueryEvaluator.matches("not (\(query))", chosen))
    #expect(name == "resolution" || !MediaQueryEvaluator.matches(query, environment) || value == "no-preference")
  }

  @Test(
    "Features that cannot be specified are rejected",
    arguments: [
      ("width", "3px"), ("prefers-reduced-motion", "yes"), ("prefers-color-scheme", "dark"), ("resolution", "0dppx"), ("resolution", "2"),
      ("resolution", "2dppx 3dppx"), ("", ""), ("color-gamut", ""), ("forced-colors", "active"),
    ])
  func refused(name: String, value: String) { #expect(!MediaFeatureOverrides.isValid(name, value)) }
}
