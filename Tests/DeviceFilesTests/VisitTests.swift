import Bluetooth
import DeviceFiles
import DeviceKit
import JSON
import Testing

@Suite("Visits of devices that a device file describes")
struct VisitTests {
    private static let out = CharacteristicID(service: 0xFF00, uuid: 0xFF01)
    private static let input = CharacteristicID(service: 0xFF00, uuid: 0xFF02)

    /// A machine of a device that sends its value as a notification, and accepts a command.
    private func machine() throws -> any DeviceMachine {
        let text = Sample.text(
            features: """
                value: { summary: A value., kind: state, from: out, packet: [ { a: u8 } ] }
                go: { summary: Goes., command: { write: { to: in, hex: "01" } } }
                """, more: "connect: visit\nvisit: { every_s: 600, at_most_s: 20 }", version: 2)
        let family = FileFamily(try DeviceFile.read(text, file: "probe.yaml").file)
        #expect(family.visiting([:]) == Visiting(period: .seconds(600), retry: .seconds(300), tries: 3))
        return family.makeMachine(DeviceContext(address: "AA:BB:CC:DD:EE:FF"))
    }

    private func connect(_ machine: inout any DeviceMachine, at now: Duration) -> [Effect] {
        let profile = LinkProfile(characteristics: [Self.out: [.notify], Self.input: [.write]])
        return machine.effects(of: .connected(profile), at: now)
    }

    @Test("A visit ends when the subscribed value has arrived")
    func value() throws {
        var machine = try machine()
        #expect(connect(&machine, at: .zero).contains(.subscribe(Self.out)))
        let effects = machine.effects(of: .subscribed(Self.out, .success(())), at: .zero)
        #expect(effects.contains(.ready) && !effects.contains(.disconnect))
        let last = machine.effects(of: .notification(Self.out, [7]), at: .seconds(1))
        #expect(last.contains(.publish(feature: "value", 7)) && last.contains(.disconnect))
    }

    @Test("A visit without the value ends after its time limit, and one without a setup fails")
    func limit() throws {
        var machine = try machine()
        let effects = connect(&machine, at: .zero)
        #expect(effects.contains(.startTimer("visit", after: .seconds(20))))
        _ = machine.effects(of: .subscribed(Self.out, .success(())), at: .zero)
        #expect(machine.effects(of: .timer("visit"), at: .seconds(20)).contains(.disconnect))
        _ = machine.effects(of: .disconnected, at: .seconds(20))
        _ = connect(&machine, at: .seconds(620))
        let failures = machine.effects(of: .timer("visit"), at: .seconds(640)).compactMap { effect in
            if case .fail(let failure) = effect { failure.reason } else { nil }
        }
        #expect(failures == ["step 1 of setup (line 9) failed: the visit takes too long"])
    }

    @Test("A command waits for the next visit, unless it was answered before", arguments: [29, 31])
    func command(_ seconds: Int) throws {
        var machine = try machine()
        let command = CommandID(1, arrival: .zero)
        #expect(machine.effects(of: .command(command, feature: "go", [:]), at: .zero) == [])
        _ = connect(&machine, at: .seconds(seconds))
        let effects = machine.effects(of: .subscribed(Self.out, .success(())), at: .seconds(seconds))
        let writes = effects.compactMap { effect in
            if case .write(let write) = effect { write } else { nil }
        }
        #expect(writes.map(\.value) == (seconds < 30 ? [[1]] : []))
        guard let write = writes.first else { return }
        let value = machine.effects(of: .notification(Self.out, [7]), at: .seconds(seconds))
        #expect(!value.contains(.disconnect))
        let last = machine.effects(
            of: .writeCompleted(write.token, write.characteristic, .success(())), at: .seconds(seconds))
        #expect(last.contains(.answer(command, .ok)) && last.contains(.disconnect))
    }
}
