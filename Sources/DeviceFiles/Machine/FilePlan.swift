import Bluetooth
import DeviceKit
import Haptics
import JSON

/// Lookup tables that the state machines of all devices of a device file share.
final class FilePlan: Sendable {
    /// A report source that decodes a characteristic: the index of the feature, and the index of the source in the
    /// feature's report.
    struct Listener: Hashable, Sendable {
        var feature: Int
        var source: Int
    }

    /// A feature's report. The type is a class because a ``ReportEntry`` is large: a reference avoids a copy for each
    /// received packet. Values that are derived from the sources are stored here, so that they are not derived for each
    /// packet.
    final class Report: Sendable {
        let entry: ReportEntry
        /// For each source, the function that decodes the bytes of the source's characteristic.
        let readers: [ReportEntry.Source.Reader]
        /// For each source, a quick check of whether bytes belong to another feature.
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
    /// The report of each feature; nil for a feature that only accepts commands.
    let reports: [Report?]
    let indexes: [CharacteristicID: Int]
    /// For each characteristic, the report sources that decode its bytes.
    let listeners: [[Listener]]
    /// The index of the ``Lane`` for each feature's commands. Lane 0 is for all commands that take longer than a write.
    let lanes: [Int]
    let laneCount: Int
    /// Whether a device can lack a characteristic that a feature needs.
    let mayLack: Bool
    /// Whether any feature needs facts, which are known only at the end of the setup.
    let needsFacts: Bool
    /// The conversion of strengths; nil for a device that cannot vibrate.
    let strengths: Strengths?
    /// The index of the feature that plays patterns.
    let hapticFeature: Int?

    /// Whether the devices are visited.
    let isVisited: Bool
    /// The cipher for encrypted advertisements.
    let decrypt: Cipher?
    /// The indexes of the entries in ``DeviceFile/characteristics`` that stand for advertised data.
    let advertised: [Int]

    init(_ file: DeviceFile, decrypt: Cipher? = nil) {
        self.file = file
        self.decrypt = decrypt
        isVisited = file.visit != nil
        advertised = file.characteristics.indices.filter { file.characteristics[$0].advertised != nil }
        reports = file.features.map { $0.report.map(Report.init) }
        indexes = Dictionary(
            file.characteristics.enumerated().flatMap { index, entry in entry.ids.map { ($0, index) } }
        ) { first, _ in first }
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
        needsFacts = file.features.contains { !$0.needs.isEmpty }
        let hapticFeature = file.haptic.flatMap { haptic in
            file.features.firstIndex { $0.name == haptic.feature }
        }
        self.hapticFeature = hapticFeature
        strengths = file.haptic.flatMap { haptic in
            hapticFeature.flatMap { Strengths(haptic, file.features[$0].command) }
        }
    }
}
