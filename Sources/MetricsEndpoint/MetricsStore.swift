import CoreMetrics
import Synchronization

/// Keeps everything that is recorded through swift-metrics, for Prometheus.
///
/// In swift-metrics, the label of an instrument is the name of its metric. Two instruments with the same label and
/// dimensions share one value.
package final class MetricsStore: MetricsFactory {
    private struct Key: Hashable {
        var name: String
        var labels: [MetricFamily.Sample.Label]
    }

    private struct Instruments {
        var counts: [Key: CountingInstrument] = [:]
        var levels: [Key: LevelInstrument] = [:]
        var distributions: [Key: DistributionInstrument] = [:]
    }

    private let instruments = Mutex(Instruments())

    package init() {}

    /// All recorded metrics, by name.
    ///
    /// - Parameter help: The descriptions of metrics, by name.
    func families(help: [String: String]) -> [MetricFamily] {
        let (counts, levels, distributions) = instruments.withLock {
            ($0.counts, $0.levels, $0.distributions)
        }
        var families: [String: MetricFamily] = [:]
        func add(_ samples: [MetricFamily.Sample], to name: String, _ kind: MetricFamily.Kind) {
            let new = MetricFamily(name: name, help: help[name] ?? "", kind: kind, samples: [])
            families[name, default: new].samples += samples
        }
        for (key, count) in Self.sorted(counts) {
            add([.init(labels: key.labels, value: count.value)], to: key.name, .counter)
        }
        for (key, level) in Self.sorted(levels) {
            add([.init(labels: key.labels, value: level.value)], to: key.name, .gauge)
        }
        for (key, distribution) in Self.sorted(distributions) {
            add(Self.samples(distribution.state, key.labels), to: key.name, .histogram)
        }
        return families.values.sorted { $0.name < $1.name }
    }

    private static func sorted<Instrument>(_ all: [Key: Instrument]) -> [(Key, Instrument)] {
        all.sorted { first, second in
            let (left, right) = (first.key, second.key)
            return left.name == right.name
                ? left.labels.map(\.value).lexicographicallyPrecedes(right.labels.map(\.value))
                : left.name < right.name
        }
    }

    private static func samples(
        _ state: DistributionInstrument.State, _ labels: [MetricFamily.Sample.Label]
    ) -> [MetricFamily.Sample] {
        var count = 0
        var samples = zip(DistributionInstrument.bounds + [.infinity], state.counts).map { bound, size in
            count += size
            return MetricFamily.Sample(
                suffix: "_bucket", labels: labels + [.init(name: "le", value: MetricFamily.number(bound))],
                value: Double(count))
        }
        samples.append(.init(suffix: "_sum", labels: labels, value: state.sum))
        samples.append(.init(suffix: "_count", labels: labels, value: Double(count)))
        return samples
    }

    // MARK: swift-metrics

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        count(label, dimensions)
    }

    func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        count(label, dimensions)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        level(label, dimensions)
    }

    func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        aggregate ? distribution(label, dimensions) : level(label, dimensions)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        distribution(label, dimensions)
    }

    func destroyCounter(_ handler: any CounterHandler) { destroy(handler) }
    func destroyMeter(_ handler: any MeterHandler) { destroy(handler) }
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { destroy(handler) }
    func destroyRecorder(_ handler: any RecorderHandler) { destroy(handler) }
    func destroyTimer(_ handler: any TimerHandler) { destroy(handler) }

    private func count(_ label: String, _ dimensions: [(String, String)]) -> CountingInstrument {
        instruments.withLock { $0.counts.entry(Self.key(label, dimensions)) { CountingInstrument() } }
    }

    private func level(_ label: String, _ dimensions: [(String, String)]) -> LevelInstrument {
        instruments.withLock { $0.levels.entry(Self.key(label, dimensions)) { LevelInstrument() } }
    }

    private func distribution(_ label: String, _ dimensions: [(String, String)]) -> DistributionInstrument {
        instruments.withLock {
            $0.distributions.entry(Self.key(label, dimensions)) { DistributionInstrument() }
        }
    }

    private func destroy(_ handler: AnyObject) {
        instruments.withLock { all in
            all.counts = all.counts.filter { $0.value !== handler }
            all.levels = all.levels.filter { $0.value !== handler }
            all.distributions = all.distributions.filter { $0.value !== handler }
        }
    }

    private static func key(_ label: String, _ dimensions: [(String, String)]) -> Key {
        Key(name: label, labels: dimensions.map { .init(name: $0.0, value: $0.1) })
    }
}

extension Dictionary {
    /// Returns the value of a key. A missing value is created.
    fileprivate mutating func entry(_ key: Key, make: () -> Value) -> Value {
        if let value = self[key] { return value }
        let value = make()
        self[key] = value
        return value
    }
}
