import OffprintCoreTypes
import Metrics
import Synchronization

/// A backend of swift-metrics in the format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/
final class PrometheusRegistry: MetricsFactory, Sendable {
  private struct Series: Hashable {
    var label: String
    var dimensions: [String]
  }

  private struct State {
    var counters: [Series: PrometheusCounter] = [:]
    var histograms: [Series: PrometheusHistogram] = [:]
    var gauges: [Series: PrometheusGauge] = [:]
  }

  private let state = Mutex(State())
  /// Labels come from fixed tables; this limits the damage of any that would not.
  private static let maximumSeries = 5000

  private static func series(_ label: String, _ dimensions: [(String, String)]) -> Series {
    Series(label: label, dimensions: dimensions.map { "\($0.0)=\"\(escaped($0.1))\"" })
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { $0 += $1 == "\"" ? "\\\"" : $1 == "\\" ? "\\\\" : $1 == "\n" ? "\\n" : String($1) }
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { counter(label, dimensions) }

  func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
    AccumulatingCounter(counter(label, dimensions))
  }

  func counter(_ label: String, _ dimensions: [(String, String)] = []) -> PrometheusCounter {
    let series = Self.series(label, dimensions)
    return state.withLock { state in
      if let existing = state.counters[series] { return existing }
      let made = PrometheusCounter()
      if state.counters.count < Self.maximumSeries { state.counters[series] = made }
      return made
    }
  }

  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    aggregate ? histogram(label, dimensions, PrometheusHistogram.sizes) : gauge(label, dimensions)
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { histogram(label, dimensions) }

  func histogram(_ label: String, _ dimensions: [(String, String)] = [], _ bounds: [Double] = PrometheusHistogram.seconds)
    -> PrometheusHistogram
  {
    let series = Self.series(label, dimensions)
    return state.withLock { state in
      if let existing = state.histograms[series] { return existing }
      let made = PrometheusHistogram(bounds)
      if state.histograms.count < Self.maximumSeries { state.histograms[series] = made }
      return made
    }
  }

  func gauge(_ label: String, _ dimensions: [(String, String)] = []) -> PrometheusGauge {
    let series = Self.series(label, dimensions)
    return state.withLock { state in
      if let existing = state.gauges[series] { return existing }
      let made = PrometheusGauge()
      if state.gauges.count < Self.maximumSeries { state.gauges[series] = made }
      return made
    }
  }

  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}

  // MARK: Text format

  /// All metrics, sorted by name.
  var text: String {
    let state = state.withLock { $0 }
    var lines: [String: [String]] = [:]
    for (series, counter) in state.counters { lines["counter \(series.label)", default: []].append(Self.line(series, "\(counter.value)")) }
    for (series, gauge) in state.gauges { lines["gauge \(series.label)", default: []].append(Self.line(series, "\(gauge.value)")) }
    for (series, histogram) in state.histograms { lines["histogram \(series.label)", default: []] += [Self.lines(series, histogram)] }
    var text = ""
    for kind in lines.keys.sorted(by: { $0.split(byte: " ")[1] < $1.split(byte: " ")[1] }) {
      let words = kind.split(byte: " ")
      if let help = MetricHelp.text(String(words[1])) { text += "# HELP \(words[1]) \(help)\n" }
      text += "# TYPE \(words[1]) \(words[0])\n" + (lines[kind]?.sorted().joined() ?? "")
    }
    return text
  }

  private static func line(_ series: Series, _ value: String, suffix: String = "", extra: [String] = []) -> String {
    let labels = series.dimensions + extra
    return "\(series.label)\(suffix)\(labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}") \(value)\n"
  }

  private static func lines(_ series: Series, _ histogram: PrometheusHistogram) -> String {
    let (counts, sum) = histogram.values
    var total = 0
    var text = ""
    for (index, count) in counts.enumerated() {
      total += count
      let bound = index < histogram.bounds.count ? "\(histogram.bounds[index])" : "+Inf"
      text += line(series, "\(total)", suffix: "_bucket", extra: ["le=\"\(bound)\""])
    }
    return text + line(series, "\(sum)", suffix: "_sum") + line(series, "\(total)", suffix: "_count")
  }
}

final class PrometheusCounter: CounterHandler, Sendable {
  private let count = Atomic<Int64>(0)
  var value: Int64 { count.load(ordering: .relaxed) }
  func increment(by amount: Int64) { count.wrappingAdd(max(0, amount), ordering: .relaxed) }
  func increment() { count.wrappingAdd(1, ordering: .relaxed) }
  func reset() { count.store(0, ordering: .relaxed) }
  /// For totals that are counted elsewhere.
  func raise(to total: Int) { count.max(Int64(total), ordering: .relaxed) }
}

/// Adds fractional increments to an integer counter, carrying the remainder.
final class AccumulatingCounter: FloatingPointCounterHandler, Sendable {
  private let counter: PrometheusCounter
  private let rest = Mutex(0.0)
  init(_ counter: PrometheusCounter) { self.counter = counter }

  func increment(by amount: Double) {
    guard amount.isFinite, amount > 0, amount < 1e15 else { return }
    let whole = rest.withLock { rest in
      rest += amount
      let whole = rest.rounded(.down)
      rest -= whole
      return Int64(whole)
    }
    counter.increment(by: whole)
  }
  func reset() { counter.reset() }
}

final class PrometheusGauge: RecorderHandler, Sendable {
  private let latest = Mutex(0.0)
  var value: Double { latest.withLock { $0 } }
  func set(_ value: Double) { latest.withLock { $0 = value } }
  func record(_ value: Int64) { set(Double(value)) }
  func record(_ value: Double) { set(value) }
}

final class PrometheusHistogram: TimerHandler, RecorderHandler, Sendable {
  static let seconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
  static let sizes: [Double] = [1e3, 5e3, 1e4, 5e4, 1e5, 5e5, 1e6, 5e6, 1e7, 1e8]

  let bounds: [Double]
  private let state: Mutex<(counts: [Int], sum: Double)>

  init(_ bounds: [Double]) {
    self.bounds = bounds
    state = Mutex((Array(repeating: 0, count: bounds.count + 1), 0))
  }

  var values: (counts: [Int], sum: Double) { state.withLock { $0 } }

  func observe(_ value: Double) {
    let index = bounds.firstIndex { value <= $0 } ?? bounds.count
    state.withLock { state in
      state.counts[index] += 1
      state.sum += value
    }
  }
  func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1e9) }
  func record(_ value: Int64) { observe(Double(value)) }
  func record(_ value: Double) { observe(value) }
}
