import Bluetooth
import DBus
import EventLoop
import HostTesting
import Testing
import VirtualDevices

@testable import BlueZSimulator

/// Real peripherals with a fake bluetoothd. Tests with the real bluetoothd run in the virtual machine.
@Suite("Real peripherals on a bus", .timeLimit(.minutes(1)))
struct RealPeripheralsTests {
    static let echo: ObjectPath = "/tactile_simulator/hci1/service00/char01"

    private func withStage(
        _ device: TestDevice = TestDevice(),
        _ body: (RealPeripherals, FakeBlueZ) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        defer { bus.stop() }
        let loop = try EventLoop.start(name: "peripherals")
        defer { loop.stop() }
        let daemon = FakeBlueZ(try await Connection.open(bus.address, loop: loop))
        try await daemon.appear()
        let settings = Scenario.Device(name: "tester", model: .belt(.init()), address: "C0:FF:EE:00:00:01")
        let server = RealPeripherals(
            bus: bus.address, adapters: ["hci1"], loop: loop, world: World([(settings, device)]),
            report: { _ in })
        try await server.start()
        for expected in [
            "Powered true", "Alias Tester", "Pairable true", "RegisterAgent /tactile_agent",
            "RequestDefaultAgent /tactile_agent", "RegisterApplication /tactile_simulator/hci1",
            "RegisterAdvertisement /tactile_advertisements/hci1",
        ] { #expect(await daemon.nextRequest() == expected) }
        try await body(server, daemon)
        await server.stop()
        await daemon.connection.close()
    }

    @Test("The application and the advertisement match the device")
    func objects() async throws {
        var device = TestDevice()
        device.advertisement.manufacturerData = [0x59: [2, 7]]
        try await withStage(device) { _, daemon in
            let program = await daemon.program
            let answer = try await daemon.connection.call(
                "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: "/tactile_simulator/hci1",
                on: program)
            let paths = try #require(answer[0].entries).compactMap(\.key.objectPath?.description)
            #expect(
                paths.map { $0.replacing("/tactile_simulator/hci1/", with: "") } == [
                    "service00", "service00/char00", "service00/char01", "service00/char02", "service01",
                    "service01/char00",
                ])
            let advertisement = try await daemon.connection.call(
                "GetAll", of: "org.freedesktop.DBus.Properties", at: "/tactile_advertisements/hci1",
                on: program,
                .string(BlueZName.advertisement))
            #expect(
                advertisement[0].properties == [
                    "Type": .string("peripheral"), "LocalName": .string("Tester"),
                    "ServiceUUIDs": .strings([TestDevice.service.description]),
                    "ManufacturerData": .dictionary(
                        [.init(.uint16(0x59), .variant(.bytes([2, 7])))], key: .uint16, value: .variant),
                ])
        }
    }

    @Test("Reads, writes and subscriptions reach the device, and answers and notifications are returned")
    func values() async throws {
        try await withStage { _, daemon in
            try await daemon.connectClient()
            let value: ObjectPath = "/tactile_simulator/hci1/service00/char00"
            #expect(
                try await daemon.call("ReadValue", at: value, [.properties(["offset": .uint16(1)])]) == [
                    .bytes([2, 3])
                ])
            let signals = try await daemon.connection.signals(
                MatchRule(member: "PropertiesChanged", path: Self.echo))
            _ = try await daemon.call("StartNotify", at: Self.echo)
            _ = try await daemon.call(
                "WriteValue", at: Self.echo, [.bytes([9]), .properties(["type": .string("command")])])
            for try await signal in signals {
                #expect(signal.arguments[1].properties == ["Value": .bytes([9])])
                break
            }
            let error = await #expect(throws: DBusError.self) {
                try await daemon.call(
                    "WriteValue", at: "/tactile_simulator/hci1/service00/char02",
                    [.bytes([9]), .properties([:])])
            }
            #expect(error?.name == "org.bluez.Error.Failed" && error?.message == "0x80")
        }
    }

    @Test("A connection stops the advertisement, and a simulated loss calls Disconnect")
    func links() async throws {
        try await withStage { server, daemon in
            try await daemon.connectClient()
            #expect(await daemon.nextRequest() == "UnregisterAdvertisement /tactile_advertisements/hci1")
            await server.perform(line: "drop tester")
            #expect(await daemon.nextRequest() == "Disconnect")
            try await daemon.disconnectClient()
            #expect(await daemon.nextRequest() == "RegisterAdvertisement /tactile_advertisements/hci1")
        }
    }

    @Test("The agent accepts pairing only on its own adapter and only if the device accepts a bond")
    func agent() async throws {
        try await withStage { _, daemon in
            try await daemon.ask(FakeBlueZ.client)
            let error = await #expect(throws: DBusError.self) {
                try await daemon.ask("/org/bluez/hci0/dev_02_00_00_00_00_01")
            }
            #expect(error?.name == "org.bluez.Error.Rejected")
        }
        try await withStage(TestDevice(acceptsPairing: false)) { _, daemon in
            await #expect(throws: DBusError.self) { try await daemon.ask(FakeBlueZ.client) }
        }
    }

    @Test("An adapter that returns is served again")
    func adapterReturns() async throws {
        try await withStage { _, daemon in
            await daemon.connection.unexport(at: FakeBlueZ.adapter)
            try await daemon.plugAdapterIn()
            #expect(await daemon.nextRequest() == "Powered true")
        }
    }

    @Test("A missing adapter is reported")
    func noAdapter() async throws {
        let bus = try PrivateBus()
        defer { bus.stop() }
        let loop = try EventLoop.start(name: "peripherals")
        defer { loop.stop() }
        let server = RealPeripherals(
            bus: bus.address, adapters: ["hci7"], loop: loop, world: World(.standard),
            patience: .milliseconds(50),
            report: { _ in })
        let error = await #expect(throws: SimulatorError.self) { try await server.start() }
        #expect(error?.code == .noAdapter)
    }
}
