import Bluetooth
import BridgeTesting
import Claims
import DeviceCatalog
import DeviceKit
import Haptics
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Off is never harder than on")
struct OffTests {
    /// The properties of a command other than its value.
    struct Quality: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var isRetained = false
        var expirySeconds: UInt32?
        /// Further keys of the object, as JSON text.
        var keys = ""
        var commandsBefore = 0
        var isStalled = false
        var isClockWrong = false
        var isNameShared = false
    }

    static let qualities = [
        Quality(testDescription: "plain"), Quality(testDescription: "retained", isRetained: true),
        Quality(testDescription: "message expired", expirySeconds: 0),
        Quality(testDescription: "expired", keys: #","expires":"1970-01-01T00:00:00Z""#),
        Quality(testDescription: "expires unreadable", keys: #","expires":5"#),
        Quality(
            testDescription: "expires, clock wrong", keys: #","expires":"2100-01-01T00:00:00Z""#,
            isClockWrong: true),
        Quality(testDescription: "unknown key", keys: #","x":1"#),
        Quality(testDescription: "bad duration", keys: #","duration_ms":999999"#),
        Quality(testDescription: "bad echo", keys: #","echo":5"#),
        Quality(testDescription: "behind a flood", commandsBefore: 2000),
        Quality(testDescription: "in a stall", isStalled: true),
        Quality(testDescription: "name shared", isNameShared: true),
    ]

    /// The features that are hazardous and can be switched off.
    private static let switches: [(family: any DeviceFamily, feature: String)] = Registry.families.flatMap {
        family in
        family.features.filter { feature in
            feature.command?.traits.contains(.hazardous) == true
                && family.motionRequest(feature.name, nil).demand != .none
                && feature.command?.fields.contains { $0.name == feature.name && $0.type == .boolean } == true
        }.map { (family, $0.name) }
    }

    private static func isAdmitted(
        _ payload: String, _ feature: String, of family: any DeviceFamily, _ quality: Quality
    ) throws -> Bool {
        var desk = CommandDesk(
            family: family, features: FeatureTable(family), patterns: Library(), isHazardous: true)
        let executor = ManualExecutor()
        let time = VirtualTime(executor: executor)
        if quality.isClockWrong { time.setSynchronised(false) }
        let now = Duration.seconds(10)
        let situation = CommandDesk.Situation(
            name: "device", now: now, date: TimeStamp(milliseconds: 1_000_000),
            clock: ExpiryClock(time: time) {}, gate: nil, isReady: true, isOpen: true)
        func request(_ feature: String, _ payload: String, _ quality: Quality) -> CommandRequest {
            desk.found(
                CommandRequest(
                    IncomingMessage(
                        topic: "device/\(feature)/set", payload: Array(payload.utf8),
                        isRetained: quality.isRetained, expirySeconds: quality.expirySeconds,
                        arrival: now - .milliseconds(1)), feature: feature))
        }
        for _ in 0..<quality.commandsBefore {
            let admission = try? desk.admit(
                request("field_offset", "5", Self.qualities[0]), situation,
                offline: CommandError(.deviceOffline, ""))
            if let admission { _ = desk.close(admission.id) }
        }
        if quality.isStalled { desk.quarantine(at: now) }
        var ownership = TopicOwnership(bridge: "attic", address: BridgeSettings.sample, isConfigured: true)
        _ = ownership.linked(.none)
        if quality.isNameShared {
            _ = ownership.heard(
                NameRival(
                    address: "C0:FF:EE:00:BE:77",
                    claim: Claim(bridge: "cellar", epoch: 1, state: .linked, isConfigured: true)),
                .all(.alive), isLinked: true)
            #expect(ownership.isNameShared)
        }
        let step = desk.receive(
            request(feature, payload, quality), ownership, name: "device", isReady: true, isFinished: false)
        guard case .execute(let taken) = step else { return false }
        do throws(CommandError) {
            _ = try desk.admit(taken, situation, offline: CommandError(.deviceOffline, ""))
            return true
        } catch { return false }
    }

    @Test("Off is accepted whatever the properties of the command, if it can be read", arguments: qualities)
    func off(_ quality: Quality) throws {
        #expect(Self.switches.map(\.feature).sorted() == ["power", "weapon"])
        for (family, feature) in Self.switches {
            let off = #"{"\#(feature)":false\#(quality.keys)}"#
            #expect(try Self.isAdmitted(off, feature, of: family, quality), "\(feature)")
            let on = #"{"\#(feature)":true\#(quality.keys)}"#
            let isPlain = quality.testDescription == "plain"
            #expect(try Self.isAdmitted(on, feature, of: family, quality) == isPlain, "\(feature)")
        }
    }

    @Test(
        "A word for off is accepted with a byte order mark or a null character, and so are null and stop",
        arguments: [
            "off", "OFF", "\u{FEFF}off", "off\0", "stop", "STOP", "null", "0", "\"off\"",
            "{\"weapon\":null}",
        ])
    func words(_ payload: String) throws {
        let weapon = try #require(Self.switches.first { $0.feature == "weapon" })
        #expect(try Self.isAdmitted(payload, "weapon", of: weapon.family, Self.qualities[0]))
        #expect(try Self.isAdmitted(payload, "weapon", of: weapon.family, Self.qualities[1]))
    }

    @Test(
        "A hazardous command that is not off is refused",
        arguments: ["", "offf", "[false]", "{}", "ON", "\u{FEFF}on", "on\0"])
    func others(_ payload: String) throws {
        for (family, feature) in Self.switches {
            #expect(try !Self.isAdmitted(payload, feature, of: family, Self.qualities[0]))
        }
    }

    @Test("A switch that changes the meaning of directions is not safe, so an old one is refused")
    func orientation() throws {
        let robot = try #require(Self.switches.first?.family)
        #expect(try !Self.isAdmitted("off", "field_orientation", of: robot, Self.qualities[1]))
    }

    @Test("An off for a command without off suggests the stop command", arguments: ["off", "stop"])
    func suggestion(_ payload: String) throws {
        for (family, feature) in [("robot", "drive"), ("belt", "vibrate")] {
            let family = try #require(Registry.families.first { $0.name == family })
            var desk = CommandDesk(
                family: family, features: FeatureTable(family), patterns: Library(), isHazardous: false)
            let situation = CommandDesk.Situation(
                name: "device", now: .zero, date: TimeStamp(milliseconds: 0),
                clock: ExpiryClock(time: VirtualTime(executor: ManualExecutor())) {}, gate: nil,
                isReady: true,
                isOpen: true)
            let request = CommandRequest(
                IncomingMessage(
                    topic: "it/\(feature)/set", payload: Array(payload.utf8), arrival: .zero),
                feature: feature)
            let error = #expect(throws: CommandError.self) {
                try desk.admit(desk.found(request), situation, offline: CommandError(.deviceOffline, ""))
            }
            #expect(error?.message.hasSuffix("to stop the device: mosquitto_pub -t it/stop/set -n") == true)
            #expect(error?.message.contains("for example") == false)
        }
    }
}
