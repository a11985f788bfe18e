import Bluetooth
import DeviceKit
import Haptics
import JSON

/// What a machine looks up again and again, made once for all devices of a file.
final class FilePlan: Sendable {
    /// A feature that hears a characteristic: the indexes of the feature and of its source.
    struct Listener: Hashable, Sendable {
        var feature: Int
        var source: Int
    }

    /// A feature's report. An entry is large: a reference spares its copy at each event, and so does what is found of its
    /// sources here.
    final class Report: Sendable {
        let entry: ReportEntry
        /// Reads what each source sent.
        let readers: [@Sendable ([UInt8]) throws(PacketMisfit) -> JSON.Object]
        /// Whether what each source sent is another feature's, as far as that is seen at once.
        let strangers: [@Sendable ([UInt8]) -> Bool]

        init(_ entry: ReportEntry) {
            self.entry = entry
            readers = entry.sources.map(\.reader)
            strangers = entry.sources.map { source in
                guard case .packet(let packet) = source.form else { return { _ in false } }
                return { packet.isStranger($0) }
            }
        }
    }

    let file: DeviceFile
    /// What each feature reports; nil for one that only takes commands.
    let reports: [Report?]
    let indexes: [CharacteristicID: Int]
    /// Who hears each characteristic.
    let listeners: [[Listener]]
    /// The line in which commands of a feature wait: 0 for all that take longer than a write.
    let lanes: [Int]
    /// How many such lines there are.
    let laneCount: Int
    /// Whether a device can lack what a feature needs.
    let mayLack: Bool
    /// How strengths are written; nil for a device that cannot vibrate.
    let strengths: Strengths?
    /// The index of the feature that plays patterns.
    let hapticFeature: Int?

    init(_ file: DeviceFile) {
        self.file = file
        reports = file.features.map { $0.report.map(Report.init) }
        indexes = Dictionary(file.characteristics.enumerated().map { ($1.id, $0) }) { first, _ in first }
        var listeners: [[Listener]] = Array(repeating: [], count: file.characteristics.count)
        for (feature, entry) in file.features.enumerated() {
            for (source, part) in (entry.report?.sources ?? []).enumerated() {
                listeners[part.characteristic].append(Listener(feature: feature, source: source))
            }
        }
        self.listeners = listeners
        var lanes: [Int] = []
        var count = 1
        for entry in file.features {
            if entry.command?.steps.contains(where: \.takesTime) ?? false {
                lanes.append(0)
            } else {
                lanes.append(count)
                count += 1
            }
        }
        self.lanes = lanes
        laneCount = count
        mayLack = file.features.contains {
            $0.characteristics.contains { file.characteristics[$0].isOptional }
        }
        let hapticFeature = file.haptic.flatMap { haptic in
            file.features.firstIndex { $0.name == haptic.feature }
        }
        self.hapticFeature = hapticFeature
        strengths = file.haptic.flatMap { haptic in
            hapticFeature.flatMap { Strengths(haptic, file.features[$0].command) }
        }
    }
}
