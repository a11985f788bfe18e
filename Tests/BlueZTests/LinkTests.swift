import Bluetooth
import DBus
import EventLoop
import Glibc
import Testing

@testable import BlueZ

@Suite("Links, with a scripted bluetoothd", .timeLimit(.minutes(1)))
struct LinkTests {
    static let belt = BlueZScope.belt

    private static let valuePath = FakeBlueZ.characteristic(0, of: belt)

    @Test("Values are read, and written with the requested type of write")
    func readsAndWrites() async throws {
        try await withLink { scope, link, _ in
            #expect(try await link.read(BlueZScope.value) == [7])
            try await link.write([1, 2], to: BlueZScope.command)
            try await link.write([3], to: BlueZScope.command, .withoutResponse)
            let calls = await zip(scope.fake.calls, scope.fake.arguments).filter {
                $0.0.hasSuffix("WriteValue")
            }
            #expect(
                calls.map(\.1) == [
                    [.bytes([1, 2]), .properties(["type": .string("request")])],
                    [.bytes([3]), .properties(["type": .string("command")])],
                ])
        }
    }

    @Test("Notifications arrive in order, without the echo of a read")
    func notifications() async throws {
        try await withLink { scope, link, log in
            try await link.subscribe(BlueZScope.value)
            for number in 0..<100 { await scope.fake.signal([UInt8(number)], at: Self.valuePath) }
            #expect(try await link.read(BlueZScope.value) == [7])
            await scope.fake.signal([200], at: Self.valuePath)
            let values: [UInt8] = Array(0..<100) + [200]
            #expect(await log.next(101) == values.map { .notification(BlueZScope.value, [$0]) })
            try await link.unsubscribe(BlueZScope.value)
            #expect(await scope.fake.calls.contains("char0011 StopNotify"))
        }
    }

    @Test("Values without a subscription are not delivered")
    func unsubscribed() async throws {
        try await withLink { scope, link, log in
            await scope.fake.signal([1], at: Self.valuePath)
            // The answer follows the signal.
            _ = try await link.read(BlueZScope.value)
            try await link.subscribe(BlueZScope.value)
            await scope.fake.signal([2], at: Self.valuePath)
            #expect(await log.next(1) == [.notification(BlueZScope.value, [2])])
        }
    }

    @Test("A connection requested while the old link is being closed waits for its end")
    func closing() async throws {
        try await withLink { scope, link, log in
            await scope.fake.on("Disconnect") { fake, _, answer in fake.heldAnswers.append(answer) }
            async let closed: Void = link.disconnect()
            await scope.fake.waitForCall("dev_C0_00_00_00_00_01 Disconnect")
            let client = scope.client
            async let again = client.connect(Self.belt, requirements: ConnectTests.needs) { _ in }
            await scope.fake.set(
                ["Connected": .bool(false), "ServicesResolved": .bool(false)],
                ofDevice: FakeBlueZ.device(Self.belt))
            for answer in await scope.fake.heldAnswers { answer.succeed() }
            await closed
            #expect(await log.next(1) == [.lost(reason: "disconnected by this bridge")])
            _ = try await again
            #expect(await scope.fake.calls.count { $0.hasSuffix(" Connect") } == 2)
        }
    }

    @Test("The link of a removed device is lost")
    func removed() async throws {
        try await withLink { scope, _, log in
            await scope.fake.remove(FakeBlueZ.device(Self.belt))
            #expect(await log.next(1) == [.lost(reason: "BlueZ removed the device")])
            await scope.events.next { $0 == .forgotten(Self.belt) }
        }
    }

    @Test("Errors of the device are mapped to codes")
    func errors() async throws {
        try await withLink { scope, link, _ in
            await scope.fake.on("ReadValue") { _, _, answer in
                answer.refuse("NotPermitted", "Not paired")
            }
            let refused = await #expect(throws: BlueZError.self) { try await link.read(BlueZScope.value) }
            #expect(refused?.code == .pairingRequired)
            let missing = await #expect(throws: BlueZError.self) {
                try await link.read(CharacteristicID(service: 0xFE51, uuid: 0x00FF))
            }
            #expect(missing?.code == .notSupported)
        }
    }

    @Test("A battery that only bluetoothd reads can be read and subscribed to")
    func battery() async throws {
        try await withBlueZ { scope in
            try await scope.fake.addDevice(Self.belt)
            try await scope.fake.addBattery(80, of: Self.belt)
            await scope.events.heard(Self.belt)
            let log = LinkLog()
            let link = try await scope.client.connect(Self.belt, handler: log.handler)
            #expect(try await link.read(GattTable.batteryLevel) == [80])
            try await link.subscribe(GattTable.batteryLevel)
            try await scope.fake.setBattery(79, of: Self.belt)
            #expect(await log.next(1) == [.notification(GattTable.batteryLevel, [79])])
            #expect(await scope.client.battery(of: Self.belt) == 79)
        }
    }

    @Test("Acquired notifications arrive through the socket, in order")
    func acquired() async throws {
        try await withLink({ $0.acquisition = .always }) { scope, link, log in
            let (near, far) = try Descriptor.socketPair()
            await scope.fake.on("AcquireNotify") { _, _, answer in
                answer.succeed([.descriptor(far), .uint16(185)])
            }
            try await link.subscribe(BlueZScope.value)
            for number in 0..<50 {
                var byte = UInt8(number)
                #expect(send(near.number, &byte, 1, 0) == 1)
            }
            // A signal for another program's subscription causes no duplicate.
            await scope.fake.signal([99], at: Self.valuePath)
            #expect(await log.next(50) == (0..<50).map { .notification(BlueZScope.value, [UInt8($0)]) })
            #expect(await !scope.fake.calls.contains("char0011 StartNotify"))
            try await link.write([1], to: BlueZScope.command)
        }
    }

    @Test(
        "An adapter of a new version provides sockets, unless the family needs signals",
        arguments: [
            ("usb:v1D6Bp0246d0542", false, 0), ("usb:v1D6Bp0246d0557", false, 1),
            ("usb:v1D6Bp0246d0557", true, 0),
        ])
    func automatic(modalias: String, needsSignals: Bool, count: Int) async throws {
        try await withBlueZ { scope in
            try await scope.add()
            await scope.fake.set(["Modalias": .string(modalias)], ofAdapter: "hci0")
            var needs = ConnectTests.needs
            needs.needsSignals = needsSignals
            let link = try await scope.connect(requirements: needs, handler: LinkLog().handler)
            try await link.subscribe(BlueZScope.value)
            #expect(await scope.fake.calls.count { $0 == "char0011 AcquireNotify" } == count)
        }
    }

    @Test("Values queued in an acquired socket are delivered before the end of the link")
    func acquiredEnd() async throws {
        try await withLink({ $0.acquisition = .always }) { scope, link, log in
            let (near, far) = try Descriptor.socketPair()
            await scope.fake.on("AcquireNotify") { _, _, answer in
                answer.succeed([.descriptor(far), .uint16(185)])
            }
            try await link.subscribe(BlueZScope.value)
            // In one round of the loop, so that nothing is read in between.
            scope.loop.execute { [client = scope.client] in
                for number in 0..<50 {
                    var byte = UInt8(number)
                    #expect(send(near.number, &byte, 1, 0) == 1)
                }
                client.assumeIsolated { $0.endLink(FakeBlueZ.device(Self.belt), reason: "test") }
            }
            let values = (0..<50).map { LinkEvent.notification(BlueZScope.value, [UInt8($0)]) }
            #expect(await log.next(51) == values + [.lost(reason: "test")])
        }
    }

    @Test("An unanswered request for a socket is withdrawn when the link ends")
    func acquireLost() async throws {
        try await withLink({ $0.acquisition = .always }) { scope, link, log in
            await scope.fake.on("AcquireNotify") { _, _, _ in }
            let subscription = Task { try await link.subscribe(BlueZScope.value) }
            await scope.fake.waitForCall("char0011 AcquireNotify")
            scope.loop.execute { [client = scope.client] in
                client.assumeIsolated { $0.endLink(FakeBlueZ.device(Self.belt), reason: "test") }
            }
            await #expect(throws: BlueZError.self) { try await subscription.value }
            await scope.fake.waitForCall("char0011 StopNotify")
            #expect(await log.next(1) == [.lost(reason: "test")])
        }
    }

    @Test("Signals are used if bluetoothd provides no socket")
    func acquireRefused() async throws {
        try await withLink({ $0.acquisition = .always }) { scope, link, log in
            await scope.fake.on("AcquireNotify") { _, _, answer in
                answer.refuse("NotPermitted", "Notify acquired")
            }
            try await link.subscribe(BlueZScope.value)
            await scope.fake.signal([5], at: Self.valuePath)
            #expect(await log.next(1) == [.notification(BlueZScope.value, [5])])
            // Otherwise bluetoothd would reject StartNotify too.
            let calls = await scope.fake.calls(among: ["char0011 StopNotify", "char0011 StartNotify"])
            #expect(calls == ["char0011 StopNotify", "char0011 StartNotify"])
        }
    }
}
