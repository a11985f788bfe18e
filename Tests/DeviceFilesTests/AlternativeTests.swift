import Bluetooth
import BridgeTesting
import DeviceFiles
import DeviceKit
import JSON
import Testing

@Suite("Alternative characteristics")
struct AlternativeTests {
    private static let (first, other): (CharacteristicID, CharacteristicID) = (
        CharacteristicID(service: 0xFF00, uuid: 0xFF01), CharacteristicID(service: 0xFFF0, uuid: 0xFFF2)
    )

    private static func text(_ also: String) -> String {
        Sample.text(
            features: """
                level:
                  summary: A value.
                  kind: state
                  from: out
                  packet: [ { level: u8 } ]
                  command:
                    fields: { level: { type: integer } }
                    write: { to: out, packet: [ { level: u8 } ] }
                """, version: 2
        ).replacing("uuid: ff01", with: "uuid: ff01, also: \(also)")
    }

    /// The effects of a new link, a notification and a command.
    private func effects(_ present: [CharacteristicID], notify id: CharacteristicID) throws -> [Effect] {
        let text = Self.text("[ { service: fff0, uuid: fff1 }, { service: fff0, uuid: fff2 } ]")
        let family = FileFamily(try DeviceFile.read(text, file: "probe.yaml").file)
        #expect(family.requirements.required == [CharacteristicID(service: 0xFF00, uuid: 0xFF02)])
        var machine = family.makeMachine(DeviceContext(address: "C0:FF:EE:00:00:01"))
        let all: CharacteristicProperties = [.read, .write, .notify]
        let ids = present + family.requirements.required
        let profile = LinkProfile(characteristics: Dictionary(uniqueKeysWithValues: ids.map { ($0, all) }))
        var effects = machine.effects(of: .connected(profile), at: .zero)
        effects += machine.effects(of: .subscribed(id, .success(())), at: .zero)
        effects += machine.effects(of: .notification(id, [7]), at: .zero)
        effects += machine.effects(
            of: .command(CommandID(1, arrival: .zero), feature: "level", ["level": 9]), at: .zero)
        return effects
    }

    @Test("The first pair that the device has is subscribed, read and written")
    func used() throws {
        for (present, used) in [
            ([Self.other], Self.other), ([Self.first], Self.first), ([Self.other, Self.first], Self.first),
        ] {
            let effects = try effects(present, notify: used)
            #expect(effects.contains(.subscribe(used)))
            #expect(effects.contains(.publish(feature: "level", 7)))
            let writes = effects.compactMap { if case .write(let write) = $0 { write } else { nil } }
            #expect(writes.map(\.characteristic) == [used] && writes.map(\.value) == [[9]])
        }
    }

    @Test("A device with none of the pairs is not of the family")
    func missing() throws {
        let failures = try effects([], notify: Self.first).compactMap {
            if case .fail(let failure) = $0 { failure } else { nil }
        }
        #expect(failures.map(\.code) == [.notThisFamily])
        #expect(failures.first?.reason.contains("characteristic out") == true)
    }

    @Test(
        "A mistake is reported with its place",
        arguments: [
            ("[]", "found an empty list; allowed: 1...8 pairs"),
            ("[ { service: fff0 } ]", "uuid is missing; allowed: a UUID"),
            (
                "[ { service: ff00, uuid: ff02 } ]",
                "found the characteristic of out; allowed: one name for each"
            ),
        ])
    func misuse(_ also: String, _ message: String) {
        #expect(Sample.problems(Self.text(also)).map(\.message).contains(message))
    }

    @Test("Version 1 does not know alternatives")
    func version() {
        let text = Self.text("[ { service: fff0, uuid: fff1 } ]").replacing("version: 2", with: "version: 1")
        #expect(Sample.problems(text).first?.message == "found also; allowed: with version: 2")
    }
}
