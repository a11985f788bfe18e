import Bluetooth
import DBus
import EventLoop
import Testing

@testable import BlueZ

@Suite("Connecting, with a scripted bluetoothd", .timeLimit(.minutes(1)))
struct ConnectTests {
    static let needs = LinkRequirements(required: [BlueZScope.value, BlueZScope.command])

    @Test("A received device is connected, with discovery stopped during the attempt")
    func connects() async throws {
        try await withBlueZ { scope in
            let (fake, belt) = (scope.fake, BlueZScope.belt)
            let token = await scope.client.startDiscovery()
            await fake.waitForCall("hci0 StartDiscovery")
            try await scope.add()
            let link = try await scope.connect(belt, requirements: Self.needs)
            #expect(link.adapter == "hci0")
            #expect(link.profile.mtu == 185)
            #expect(link.profile.characteristics[BlueZScope.value] == [.read, .notify])
            await fake.waitForCall("hci0 StartDiscovery", count: 2)
            let order = await fake.calls(among: [
                "hci0 StartDiscovery", "hci0 StopDiscovery", "dev_C0_00_00_00_00_01 Connect",
            ])
            #expect(
                order == [
                    "hci0 StartDiscovery", "hci0 StopDiscovery", "dev_C0_00_00_00_00_01 Connect",
                    "hci0 StartDiscovery",
                ])
            await token.end()
            await fake.waitForCall("hci0 StopDiscovery", count: 2)
        }
    }

    @Test("Services that appear after ServicesResolved are awaited")
    func lateServices() async throws {
        try await withBlueZ { scope in
            let (fake, loop) = (scope.fake, scope.loop)
            try await scope.add(hasServices: false)
            await fake.on("Connect") { fake, call, answer in
                fake.perform(call, answer)
                // Later than any time at which the client can have seen the answer.
                _ = loop.schedule(after: .milliseconds(50)) {
                    fake.assumeIsolated {
                        try? $0.addService(BlueZScope.service, BlueZScope.table, of: BlueZScope.belt)
                    }
                }
            }
            let link = try await scope.connect(requirements: Self.needs)
            #expect(link.profile.characteristics.count == 2)
        }
    }

    @Test("A link lost before its services are known is reported as refused, with the reason")
    func lostInBetween() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            try await scope.add(hasServices: false)
            await fake.on("Connect") { fake, call, answer in
                fake.set(["Connected": .bool(true)], ofDevice: call.path)
                answer.succeed()
                try? fake.signalDisconnected("org.bluez.Reason.Remote", of: BlueZScope.belt)
                fake.set(["Connected": .bool(false)], ofDevice: call.path)
            }
            let error = await scope.connectError(requirements: Self.needs)
            #expect(error?.code == .refused)
            #expect(error?.reason == "connected, then lost: disconnected by the device")
        }
    }

    @Test("A device removed during Connect is reported as unknown, and the next attempt gets its turn")
    func removedMeanwhile() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            try await fake.addDevice(BlueZScope.belt)
            try await scope.add(BlueZScope.robot)
            await fake.on("dev_C0_00_00_00_00_01 Connect") { fake, call, _ in fake.remove(call.path) }
            let client = scope.client
            async let first = client.connect(BlueZScope.belt) { _ in }
            await fake.waitForCall("dev_C0_00_00_00_00_01 Connect")
            let link = try await scope.connect(BlueZScope.robot, requirements: Self.needs)
            #expect(link.address == BlueZScope.robot)
            do {
                _ = try await first
                Issue.record("connected to a device that is gone")
            } catch let error as BlueZError {
                #expect(error.code == .unknownDevice)
            }
        }
    }

    @Test("Connect to an unresponsive device is canceled by Disconnect, and needs a new advertisement")
    func unanswered() async throws {
        try await withBlueZ({ $0.limits.connect = .seconds(2) }) { scope in
            let fake = scope.fake
            try await scope.add(hasServices: false)
            await fake.on("Connect") { _, _, _ in }
            let error = await scope.connectError()
            #expect(error?.code == .unreachable)
            #expect(await fake.calls.contains("dev_C0_00_00_00_00_01 Disconnect"))
            await fake.set(["RSSI": nil], ofDevice: FakeBlueZ.device(BlueZScope.belt))
            await scope.events.heard(BlueZScope.belt)
            let again = await scope.connectError()
            #expect(again?.code == .unknownDevice)
        }
    }

    @Test(
        "A service used by bluetoothd itself is reported with its plugin, even after the cache was refreshed"
    )
    func claimed() async throws {
        let midi: UUID = "03b80e5a-ede8-4b33-a751-6ce34ec4c700"
        let needs = LinkRequirements(required: [CharacteristicID(service: midi, uuid: 0x0001)])
        try await withBlueZ { scope in
            let fake = scope.fake
            try await fake.addDevice(BlueZScope.belt, services: [midi])
            await fake.on("RemoveDevice") { fake, call, answer in
                fake.perform(call, answer)
                try? fake.addDevice(BlueZScope.belt, services: [midi])
            }
            await scope.events.heard(BlueZScope.belt)
            let error = await scope.connectError(requirements: needs)
            #expect(error?.code == .serviceClaimed)
            #expect(
                error?.reason
                    == "bluetoothd uses the service \(midi) in its plugin midi and does not export it to other programs"
            )
            #expect(error?.remedy?.contains("--noplugin=midi") == true)
            #expect(await fake.calls.count { $0 == "hci0 RemoveDevice" } == 1)
        }
    }

    @Test("A bonded device that lacks characteristics keeps its bond, and the error lists them")
    func wrongProfile() async throws {
        try await withBlueZ { scope in
            try await scope.fake.addDevice(BlueZScope.belt, isPaired: true)
            await scope.events.heard(BlueZScope.belt)
            let error = await scope.connectError(requirements: Self.needs)
            #expect(error?.code == .wrongProfile)
            #expect(error?.reason == "the device lacks the characteristics 0001, 0002")
            #expect(await !scope.fake.calls.contains("hci0 RemoveDevice"))
            #expect(await scope.fake.calls.contains("dev_C0_00_00_00_00_01 Disconnect"))
        }
    }

    @Test("A canceled attempt cancels Connect")
    func cancelled() async throws {
        try await withBlueZ { scope in
            let (fake, client) = (scope.fake, scope.client)
            try await scope.add(hasServices: false)
            await fake.on("Connect") { _, _, _ in }
            await withTaskGroup(of: BlueZError.Code?.self) { group in
                group.addTask {
                    do throws(BlueZError) {
                        _ = try await client.connect(BlueZScope.belt) { _ in }
                        return nil
                    } catch {
                        return error.code
                    }
                }
                await fake.waitForCall("dev_C0_00_00_00_00_01 Connect")
                group.cancelAll()
                #expect(await group.next() == .cancelled)
            }
            #expect(await fake.calls.contains("dev_C0_00_00_00_00_01 Disconnect"))
        }
    }

    @Test("A device without a recent advertisement is not connected, nor is any device without an adapter")
    func preconditions() async throws {
        try await withBlueZ { scope in
            let unknown = await scope.connectError()
            #expect(unknown?.code == .unknownDevice)
            await scope.fake.set(["Powered": .bool(false)], ofAdapter: "hci0")
            await scope.events.next { $0 == .adapterLost("hci0") }
            let off = await scope.connectError()
            #expect(off?.code == .adapterOff)
            #expect(off?.remedy?.contains("power on") == true)
        }
    }
}
