import JSON

/// The parts of a device file that its examples have used.
struct Coverage: Sendable {
    /// The items of a packet that were present in some example, and the items that were absent in some example, as bit
    /// masks: bit 0 represents the first item.
    struct Items: Hashable, Sendable {
        var reached: UInt64 = 0
        var missed: UInt64 = 0

        mutating func note(_ reached: UInt64, of count: Int) {
            self.reached |= reached
            missed |= ~reached & (UInt64.max >> UInt64(64 - max(1, count)))
        }
    }

    struct Step: Hashable, Sendable {
        var feature: Int
        var step: Int
    }

    private var sources: [FilePlan.Listener: Items] = [:]
    private var steps: [Step: Items] = [:]

    /// Records that a source of a report has successfully decoded the bytes of a characteristic.
    mutating func heard(_ listener: FilePlan.Listener, _ source: ReportEntry.Source, _ bytes: [UInt8]) {
        switch source.form {
        case .line: sources[listener, default: Items()].note(1, of: 1)
        case .packet(let packet):
            guard let reading = try? packet.read(bytes) else { return }
            sources[listener, default: Items()].note(reading.reached, of: packet.items.count)
        }
    }

    /// Records that a step of a command was written.
    mutating func wrote(_ feature: Int, _ index: Int, _ step: WriteStep, _ values: JSON.Object) {
        var items = steps[Step(feature: feature, step: index)] ?? Items()
        if case .packet(let packet) = step.content, let writing = try? packet.write(values) {
            items.note(writing.reached, of: packet.items.count)
        }
        steps[Step(feature: feature, step: index)] = items
    }

    /// Returns the parts of the file that no example has used.
    func unused(of file: DeviceFile) -> [Unused] {
        var unused: [Unused] = []
        for (index, feature) in file.features.enumerated() {
            let path = "features.\(feature.name)"
            for (number, source) in (feature.report?.sources ?? []).enumerated() {
                let items = sources[FilePlan.Listener(feature: index, source: number)] ?? Items()
                switch source.form {
                case .line:
                    if items.reached == 0 { unused.append(Unused(line: feature.line, "\(path).line")) }
                case .packet(let packet):
                    let isOne = feature.report?.sources.count == 1
                    let name = file.characteristics[source.characteristic].name
                    unused += Self.unused(packet, items, isOne ? "\(path).packet" : "\(path).packet.\(name)")
                }
            }
            for (number, step) in (feature.command?.steps ?? []).enumerated() {
                let isOne = feature.command?.steps.count == 1
                let path = isOne ? "\(path).command.write" : "\(path).command.write[\(number)]"
                guard let items = steps[Step(feature: index, step: number)] else {
                    unused.append(Unused(line: step.line, path))
                    continue
                }
                if case .packet(let packet) = step.content {
                    unused += Self.unused(packet, items, "\(path).packet")
                }
            }
        }
        return unused
    }

    private static func unused(_ packet: PacketFormat, _ items: Items, _ path: String) -> [Unused] {
        packet.items.enumerated().compactMap { index, item in
            let bit: UInt64 = 1 << UInt64(index)
            let name = item.name.map { " (\($0))" } ?? ""
            if items.reached & bit == 0 { return Unused(line: item.line, "\(path)[\(index)]\(name)") }
            if item.condition != nil, items.missed & bit == 0 {
                return Unused(line: item.line, "\(path)[\(index)].if\(name), which never fails")
            }
            return nil
        }
    }
}

/// A part of a device file that no example reaches.
package struct Unused: Hashable, Sendable, CustomStringConvertible {
    package var line: Int
    /// The keys that lead to the part, joined by points.
    package var path: String

    init(line: Int, _ path: String) {
        self.line = line
        self.path = path
    }

    /// `line 31: features.battery.packet[0] (level)`
    package var description: String { "line \(line): \(path)" }
}
