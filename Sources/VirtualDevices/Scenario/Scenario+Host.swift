import Bluetooth

extension Scenario {
    /// A host near the devices, with a Bluetooth service on its own bus.
    public struct Host: Hashable, Sendable {
        /// The name in live lines and reports.
        public var name: String
        /// The D-Bus address of the host's bus; nil for a private bus.
        public var bus: String?
        /// Whether and how strongly the host receives devices, by device name. For a device without an entry, the
        /// device's own signal strength applies.
        public var reaches: [String: Reach] = [:]
        /// The names of the devices that have a bond with the host from the start; nil if the scenario sets the bond
        /// for each device instead.
        public var bonds: Set<String>?
        /// The supervision timeout of the host's connections; nil for the value in the section `bluez`.
        public var supervisionTimeout: Duration?

        /// Creates a host that receives every device at the device's signal strength.
        public init(name: String, bus: String? = nil, reaches: [String: Reach] = [:]) {
            self.name = name
            self.bus = bus
            self.reaches = reaches
        }

        /// The maximum number of hosts in a scenario.
        package static let most = 64

        /// Whether a text is a valid host name: only letters, digits, `-`, `_` and `.`, so that a live line can contain
        /// the name as one word.
        package static func isName(_ text: String) -> Bool {
            !text.isEmpty
                && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        }

        /// A description of the allowed host names for error messages.
        package static let expectedName = "a name of letters, digits, '-', '_' and '.'"
    }

    /// Reads the section `hosts`, after the devices were read.
    mutating func readHosts(_ reader: MappingReader) throws(ScenarioError) {
        guard reader.keys.count <= Host.most else {
            throw ScenarioError(
                .invalidValue, file: reader.file, line: reader.line, key: reader.path,
                message: "\(reader.keys.count) hosts found, expected at most \(Host.most)")
        }
        let names = devices.map(\.name)
        for entry in reader.keys {
            hosts.append(try Host(entry, file: reader.file, devices: names))
        }
        for device in devices {
            for step in device.steps {
                guard case .move(let placements) = LiveLine.Action(step.act) else { continue }
                let unknown = placements.first { placement in !hosts.contains { $0.name == placement.host } }
                guard let unknown else { continue }
                throw ScenarioError(
                    .invalidValue, file: reader.file, line: reader.line, key: "devices.\(device.name).acts",
                    message: "no host named '\(unknown.host)'; there are: "
                        + hosts.map(\.name).joined(separator: ", "))
            }
        }
    }
}

extension Scenario.Host {
    fileprivate init(_ entry: ScenarioNode.Entry, file: String, devices: [String]) throws(ScenarioError) {
        guard Self.isName(entry.key) else {
            throw ScenarioError(
                .invalidValue, file: file, line: entry.line, key: "hosts",
                message: "'\(entry.key)' found, expected \(Self.expectedName)")
        }
        var reader = try MappingReader(entry.value, path: "hosts.\(entry.key)", file: file)
        self.init(name: entry.key)
        bus = try reader.scalar("bus", expected: "the address of a bus") { $0.isEmpty ? nil : $0 }
        if let levels = try reader.mapping("rssi") {
            for level in levels.keys {
                guard devices.contains(level.key) else {
                    throw levels.invalid(
                        ScenarioNode(line: level.line, .scalar(level.key)), level.key,
                        expected: "a device: \(devices.joined(separator: ", "))")
                }
                guard case .scalar(let text) = level.value.content, let reach = Reach(text) else {
                    throw levels.invalid(level.value, level.key, expected: Reach.expected)
                }
                reaches[level.key] = reach
            }
        }
        let expected = "a list of devices: \(devices.joined(separator: ", "))"
        bonds = try reader.list("bonds", expected: expected) { devices.contains($0) ? $0 : nil }
            .map { Set($0) }
        supervisionTimeout = try reader.duration("supervision_timeout", from: .milliseconds(1))
        try reader.finish()
    }
}
