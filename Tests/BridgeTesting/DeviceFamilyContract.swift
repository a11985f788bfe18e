public import Bluetooth
public import DeviceKit
import JSON

/// What every family must keep, so that the rest of the bridge need not know any of them.
///
/// Each check returns sentences that say what is broken; none if all is well.
public struct DeviceFamilyContract {
    /// What a device does when it is read, written or subscribed.
    public struct Reply: Sendable {
        /// What a read gives.
        public var value: [UInt8]
        /// What it notifies then.
        public var notifications: [CharacteristicID: [UInt8]]

        /// Makes a reply.
        public init(value: [UInt8] = [], notifications: [CharacteristicID: [UInt8]] = [:]) {
            self.value = value
            self.notifications = notifications
        }
    }

    /// The family under test.
    public let family: any DeviceFamily
    private let reply: @Sendable (FakeLink.Operation) -> Reply

    /// Prepares the checks of a family.
    ///
    /// - Parameter reply: What a well-behaved device does, so that the machine comes as far as being ready.
    public init(_ family: any DeviceFamily, reply: @escaping @Sendable (FakeLink.Operation) -> Reply) {
        self.family = family
        self.reply = reply
    }

    // MARK: Declarations

    /// Names are unique and can stand in a topic; none is one that every device has.
    public var brokenNames: [String] {
        var complaints: [String] = []
        let names = family.features.map(\.name)
        let common: Set = ["availability", "connection", "features", "info", "result", "set"]
        for name in [family.name] + names + family.settings.map(\.name) where !Self.isName(name) {
            complaints.append("\(name) is no snake_case name")
        }
        for name in Set(names) where names.count(where: { $0 == name }) > 1 {
            complaints.append("\(name) is declared twice")
        }
        for name in names where common.contains(name) { complaints.append("every device has \(name)") }
        for feature in family.features where feature.report == nil && feature.command == nil {
            complaints.append("\(feature.name) neither says nor takes anything")
        }
        for feature in family.features where feature.summary.isEmpty {
            complaints.append("\(feature.name) has no summary")
        }
        return complaints
    }

    /// Every example fits its own declaration, and every default its type.
    public var brokenExamples: [String] {
        var complaints: [String] = []
        func note(_ place: String, _ check: () throws -> Void) {
            do { try check() } catch { complaints.append("\(place): \(error)") }
        }
        for field in family.settings {
            guard let value = field.default else {
                complaints.append("the setting \(field.name) has no default")
                continue
            }
            note("setting \(field.name)") { _ = try field.type.check(value, path: field.name) }
        }
        for feature in family.features {
            if let report = feature.report {
                note("report \(feature.name)") { try Self.check(report, feature.name) }
            }
            if let command = feature.command {
                note("command \(feature.name)") { _ = try command.parse(Self.payload(command.example)) }
                for case .word(let word, _) in command.shorthands {
                    note("word \(word) of \(feature.name)") { _ = try command.parse(Array(word.utf8)) }
                }
                if command.empty != nil {
                    note("empty \(feature.name)") { _ = try command.parse([]) }
                }
                for field in command.fields {
                    guard let value = field.default, !(value == .null && field.isNullable) else { continue }
                    note("\(feature.name).\(field.name)") {
                        _ = try field.type.check(value, path: field.name)
                    }
                }
                if command.traits.contains(.confirmed),
                    !command.fields.contains(where: { $0.name == "confirm" })
                {
                    complaints.append("\(feature.name) needs a field confirm")
                }
            }
        }
        return complaints
    }

    private static func check(_ report: Report, _ name: String) throws(CommandError) {
        switch report.payload {
        case .plain(let type, _): _ = try type.check(report.example, path: name)
        case .object(let fields):
            guard let object = report.example.object else {
                throw CommandError(.invalidValue, "the example of \(name) is no object")
            }
            _ = try fields.check(object)
        }
        if report.kind == .event, case .plain = report.payload {
            throw CommandError(.invalidValue, "an event is an object, since it has a time")
        }
    }

    /// An example as it goes over the wire: text without quotes, as `mosquitto_pub` sends it.
    static func payload(_ example: JSON.Value) -> [UInt8] {
        example.string.map { Array($0.utf8) } ?? example.bytes
    }

    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, (0x61...0x7A).contains(first) else { return false }
        return name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
        }
    }

    // MARK: Behaviour

    /// With a device that behaves well, every command comes to its end and the machine to a good order.
    public var brokenPeace: [String] {
        var drive = ContractDrive(family, random: RandomSource(seed: 0), reply: reply)
        drive.liveInPeace()
        drive.finish()
        return drive.complaints
    }

    /// Drives the machine with random inputs that a session could give, and watches it.
    ///
    /// - Parameters:
    ///   - seed: Which random sequence.
    ///   - steps: How many inputs.
    public func brokenBehaviour(seed: UInt64, steps: Int) -> [String] {
        var drive = ContractDrive(family, random: RandomSource(seed: seed), reply: reply)
        for _ in 0..<steps {
            drive.step()
            if !drive.complaints.isEmpty { break }
        }
        drive.finish()
        return drive.complaints
    }

    /// Drives the machine with the inputs that these bytes choose, among them notifications with bytes of theirs.
    public func brokenBehaviour(_ bytes: [UInt8]) -> [String] {
        var drive = ContractDrive(family, random: RandomSource(bytes), reply: reply)
        while !drive.random.isSpent, drive.complaints.isEmpty { drive.step() }
        drive.finish()
        return drive.complaints
    }
}
