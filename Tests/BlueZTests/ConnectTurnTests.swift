import Bluetooth
import DBus
import Testing

@testable import BlueZ

@Suite("The order of connection attempts, with a scripted bluetoothd", .timeLimit(.minutes(1)))
struct ConnectTurnTests {
    @Test(
        "The next device gets its turn once a link is up, even without services or an answer to Connect"
    )
    func nextTurn() async throws {
        try await withBlueZ { scope in
            let fake = scope.fake
            for address in [BlueZScope.belt, BlueZScope.robot] {
                try await fake.addDevice(address)
                try await fake.addService(BlueZScope.service, BlueZScope.table, of: address)
            }
            await fake.on("dev_C0_00_00_00_00_01 Connect") { fake, _, answer in fake.heldAnswers = [answer] }
            await scope.events.heard(BlueZScope.robot)
            let client = scope.client
            async let first = client.connect(BlueZScope.belt, requirements: ConnectTests.needs) { _ in }
            await fake.waitForCall("dev_C0_00_00_00_00_01 Connect")
            async let second = client.connect(BlueZScope.robot, requirements: ConnectTests.needs) { _ in }
            await scope.waitForQueue(1)
            #expect(await !fake.calls.contains("dev_C0_00_00_00_00_02 Connect"))
            let path = FakeBlueZ.device(BlueZScope.belt)
            await fake.set(["Connected": .bool(true)], ofDevice: path)
            #expect(try await second.address == BlueZScope.robot)
            await fake.set(["ServicesResolved": .bool(true)], ofDevice: path)
            await fake.releaseHeldAnswers()
            #expect(try await first.address == BlueZScope.belt)
        }
    }

    @Test("The services of many devices are discovered at the same time", arguments: [true, false])
    func sideBySide(areResolved: Bool) async throws {
        let needs = LinkRequirements(required: [BlueZScope.value], optional: [BlueZScope.command])
        // One after the other they would exceed this test's time limit.
        try await withBlueZ({ ($0.limits.resolve, $0.limits.settleOptional) = (.seconds(20), .seconds(20)) })
        {
            scope in
            let (fake, client) = (scope.fake, scope.client)
            let devices = (10..<40).map { Bluetooth.Address("C0:00:00:00:00:\($0)") }.compactMap { $0 }
            for device in devices {
                try await scope.add(device, hasServices: false)
            }
            await fake.on("Connect") { fake, call, answer in
                fake.set(["Connected": .bool(true)], ofDevice: call.path)
                answer.succeed()
                try? fake.addService(BlueZScope.service, [BlueZScope.table[0]], at: call.path)
                fake.set(["ServicesResolved": .bool(areResolved)], ofDevice: call.path)
            }
            let count = try await withThrowingTaskGroup(of: Int.self) { group in
                for device in devices {
                    group.addTask {
                        let link = try await client.connect(device, requirements: needs) { _ in }
                        return link.profile.characteristics.count
                    }
                }
                await fake.waitForCalls { $0.count { $0.hasSuffix(" Connect") } == devices.count }
                for device in devices {
                    await fake.remove(FakeBlueZ.device(device).appending("service0010"))
                    try await fake.addService(BlueZScope.service, BlueZScope.table, of: device)
                    await fake.set(["ServicesResolved": .bool(true)], ofDevice: FakeBlueZ.device(device))
                }
                return try await group.reduce(0, +)
            }
            #expect(count == 2 * devices.count)
            #expect(await fake.calls.count { $0.hasSuffix(" Disconnect") } == 0)
        }
    }

    @Test("An urgent device precedes one that waits longer; discovery runs only after long attempts")
    func urgent() async throws {
        try await withBlueZ({ $0.limits.connect = .seconds(2) }) { scope in
            let (fake, client) = (scope.fake, scope.client)
            let third: Bluetooth.Address = "C0:00:00:00:00:03"
            for address in [BlueZScope.belt, BlueZScope.robot, third] { try await fake.addDevice(address) }
            await fake.on("dev_C0_00_00_00_00_01 Connect") { _, _, _ in }
            _ = await client.startDiscovery()
            await fake.waitForCall("hci0 StartDiscovery")
            await scope.events.heard(third)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { _ = try? await client.connect(BlueZScope.belt) { _ in } }
                await fake.waitForCall("dev_C0_00_00_00_00_01 Connect")
                // Enqueued in this order, because the client handles its calls in order.
                group.addTask { _ = try? await client.connect(third) { _ in } }
                await scope.waitForQueue(1)
                group.addTask {
                    _ = try? await client.connect(
                        BlueZScope.robot, requirements: LinkRequirements(required: [], isSafetyCritical: true)
                    ) {
                        _ in
                    }
                }
                await group.waitForAll()
            }
            let (start, device) = ("hci0 StartDiscovery", "dev_C0_00_00_00_00_0")
            let connects = (1...3).map { "\(device)\($0) Connect" }
            let order = await fake.calls(among: Set(connects + [start]))
            #expect(order.prefix(5) == [start, connects[0], start, connects[1], connects[2]])
        }
    }

    @Test(
        "Attempts for a device that another host has are canceled at once, with no Connect if they were waiting"
    )
    func givenUp() async throws {
        try await withBlueZ { scope in
            let (fake, client) = (scope.fake, scope.client)
            for address in [BlueZScope.belt, BlueZScope.robot] { try await fake.addDevice(address) }
            await fake.on("Connect") { _, _, _ in }
            await scope.events.heard(BlueZScope.robot)
            let reasons = await withTaskGroup(of: String.self) { group in
                @Sendable func connect(_ address: Bluetooth.Address) async -> String {
                    do throws(BlueZError) {
                        _ = try await client.connect(address) { _ in }
                        return "connected"
                    } catch { return error.reason }
                }
                group.addTask { await connect(BlueZScope.belt) }
                await fake.waitForCall("dev_C0_00_00_00_00_01 Connect")
                group.addTask { await connect(BlueZScope.robot) }
                await scope.waitForQueue(1)
                await client.cancelConnect(BlueZScope.robot)
                await client.cancelConnect(BlueZScope.belt)
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(
                reasons == [
                    "another host is connected to the device", "another host is connected to the device",
                ])
            #expect(await !fake.calls.contains("dev_C0_00_00_00_00_02 Connect"))
        }
    }
}
