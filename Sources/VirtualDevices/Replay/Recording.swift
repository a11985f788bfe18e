import Bluetooth
import JSON

/// The contents of a recording of the bridge (`docs/reference/recordings.md`) that are needed to simulate its devices.
package struct Recording: Hashable, Sendable {
    /// The devices that had a connection, in the order of their first connection.
    package private(set) var devices: [RecordedDevice] = []

    /// The version of the recording format that the simulator can read.
    private static let version = 1

    private let file: String
    /// The devices whose connection the bridge is closing at this point of the recording.
    private var closing: Set<String> = []

    /// Parses a recording.
    ///
    /// - Parameters:
    ///   - text: The lines. An incomplete last line is ignored.
    ///   - file: The file name for errors.
    /// - Throws: ``ScenarioError`` with file, line, and the actual and the allowed value.
    package init(_ text: String, file: String) throws(ScenarioError) {
        self.file = file
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let rest = lines.popLast()
        if let rest, (try? Value(parsing: rest.utf8)) != nil { lines.append(rest) }
        for (index, text) in lines.enumerated() {
            guard let line = (try? Value(parsing: text.utf8))?.object else {
                throw error(index + 1, "'\(text.prefix(60))' found, expected a JSON object in each line")
            }
            if index == 0 { try checkHeader(line) } else { try take(line, at: index + 1) }
        }
        guard !lines.isEmpty else { throw error(1, "nothing found, expected a recording of tactile-bridge") }
        guard !devices.isEmpty else {
            throw error(lines.count, "no line with a link found, expected at least one device that connected")
        }
    }

    /// A scenario whose devices replay the recorded devices.
    package var scenario: Scenario { Scenario(devices: devices.map(\.scenario)) }

    private func checkHeader(_ line: Object) throws(ScenarioError) {
        guard let version = line["recording"] else {
            throw error(1, "no \"recording\" found, expected a recording of tactile-bridge")
        }
        guard version.integer == Self.version else {
            throw error(1, "recording \(version) found, expected version \(Self.version) of the format")
        }
    }

    private mutating func take(_ line: Object, at number: Int) throws(ScenarioError) {
        guard let name = line["device"]?.string, let event = line["event"]?.string else { return }
        guard let time = line["ms"]?.integer else {
            throw error(number, "no \"ms\" found, expected milliseconds since the start of the recording")
        }
        if event == "link" { return try begin(line, name, time, number) }
        guard let index = devices.firstIndex(where: { $0.name == name }) else { return }
        func add(_ action: RecordedDevice.Action) {
            let last = devices[index].links.count - 1
            devices[index].links[last].steps.append(.init(time: time, line: number, action: action))
        }
        switch event {
        case "write": add(.write(try characteristic(line, number), try bytes(line, number), refusal: nil))
        case "subscribe": add(.subscribe(try characteristic(line, number)))
        case "notify":
            if let bytes = try bytes(line, number) { add(.notify(try characteristic(line, number), bytes)) }
        case "advertise":
            add(
                .advertise(
                    try data(line, "service_data", number) { UUID($0) },
                    try data(line, "manufacturer_data", number) { UInt16($0) }))
        case "read":
            // If the recording omits a value, it contains the length of the value. The value is then replaced by zeros.
            let bytes = try bytes(line, number) ?? Array(repeating: 0, count: line["length"]?.integer ?? 0)
            answer(.bytes(bytes), try characteristic(line, number), index)
        case "failed": fail(line, try characteristic(line, number), index)
        case "close": closing.insert(name)
        case "lost": if closing.remove(name) == nil { add(.drop) }
        default: break
        }
    }

    private mutating func begin(
        _ line: Object, _ name: String, _ time: Int, _ number: Int
    ) throws(ScenarioError) {
        guard let address = line["address"]?.string.flatMap({ Address($0) }) else {
            throw error(number, "no \"address\" found, expected an address such as \"C0:00:00:00:00:01\"")
        }
        var characteristics: [VirtualCharacteristic] = []
        for member in line["characteristics"]?.object?.members ?? [] {
            let words = member.value.array?.compactMap(\.string) ?? []
            guard let id = Self.characteristic(member.key),
                let properties = CharacteristicProperties(words: words)
            else {
                throw error(
                    number,
                    "characteristics: '\(member.key)': \(member.value) found, expected properties such as "
                        + "\"180f/2a19\":[\"read\",\"notify\"]")
            }
            characteristics.append(VirtualCharacteristic(id, properties))
        }
        let link = RecordedDevice.Link(
            advertisedName: line["name"]?.string, mtu: line["mtu"]?.integer ?? 23,
            isBonded: line["paired"]?.bool ?? false,
            services: line["services"]?.array?.compactMap { $0.string.flatMap { UUID($0) } } ?? [],
            characteristics: characteristics, begin: time)
        closing.remove(name)
        if let index = devices.firstIndex(where: { $0.name == name }) {
            devices[index].links.append(link)
        } else {
            devices.append(
                RecordedDevice(
                    name: name, family: line["family"]?.string ?? "device", address: address, links: [link]))
        }
    }

    private mutating func answer(_ value: RecordedDevice.Value, _ id: CharacteristicID, _ index: Int) {
        let last = devices[index].links.count - 1
        devices[index].links[last].reads[id, default: []].append(value)
    }

    /// Records that an operation failed: a read, or the newest write to the characteristic.
    private mutating func fail(_ line: Object, _ id: CharacteristicID, _ index: Int) {
        let operation = line["operation"]?.string
        let code: UInt8 =
            switch line["code"]?.string {
            case "notPermitted": operation == "read" ? ATTError.readNotPermitted : ATTError.writeNotPermitted
            case "notSupported": ATTError.notSupported
            case "invalidLength": ATTError.invalidLength
            default: ATTError.unlikely
            }
        if operation == "read" { return answer(.refused(code), id, index) }
        let last = devices[index].links.count - 1
        let steps = devices[index].links[last].steps
        for place in steps.indices.reversed() {
            guard case .write(id, let bytes, nil) = steps[place].action else { continue }
            devices[index].links[last].steps[place].action = .write(id, bytes, refusal: code)
            return
        }
    }

    // MARK: Values

    private func characteristic(_ line: Object, _ number: Int) throws(ScenarioError) -> CharacteristicID {
        if let text = line["characteristic"]?.string, let id = Self.characteristic(text) { return id }
        let found = line["characteristic"].map { "\($0)" } ?? "nothing"
        throw error(
            number, "characteristic: \(found) found, expected service/characteristic such as \"180f/2a19\"")
    }

    private static func characteristic(_ text: String) -> CharacteristicID? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let service = UUID(parts[0]), let uuid = UUID(parts[1]) else { return nil }
        return CharacteristicID(service: service, uuid: uuid)
    }

    /// Reads advertised data, by service or by company number.
    private func data<Key: Hashable>(
        _ line: Object, _ name: String, _ number: Int, _ key: (String) -> Key?
    ) throws(ScenarioError) -> [Key: [UInt8]] {
        var data: [Key: [UInt8]] = [:]
        for member in line[name]?.object?.members ?? [] {
            guard let key = key(member.key), let bytes = member.value.string.flatMap({ Hex.bytes($0) }) else {
                throw error(
                    number, "\(name): '\(member.key)': \(member.value) found, expected hexadecimal digits")
            }
            data[key] = bytes
        }
        return data
    }

    /// The bytes of a value; nil if the recording omits them.
    private func bytes(_ line: Object, _ number: Int) throws(ScenarioError) -> [UInt8]? {
        guard let text = line["hex"] else { return nil }
        if let bytes = text.string.flatMap({ Hex.bytes($0) }) { return bytes }
        throw error(number, "hex: \(text) found, expected pairs of hexadecimal digits")
    }

    private func error(_ line: Int, _ message: String) -> ScenarioError {
        ScenarioError(.invalidValue, file: file, line: line, key: "", message: message)
    }
}
