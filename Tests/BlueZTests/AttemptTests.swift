import Bluetooth
import DBus
import EventLoop
import Testing

@testable import BlueZ

@Suite("Results of a single Connect, with a scripted bluetoothd", .timeLimit(.minutes(1)))
struct AttemptTests {
    @Test(
        "The answer of bluetoothd to Connect determines the result",
        arguments: [
            ("org.bluez.Error.Failed", "le-connection-abort-by-local", .unreachable),
            ("org.bluez.Error.NotReady", "Resource Not Ready", .adapterOff),
            ("org.bluez.Error.AuthenticationFailed", "Authentication Failed", .pairingFailed),
        ] as [(String, String, BlueZError.Code)])
    func refusals(name: String, message: String, code: BlueZError.Code) async throws {
        try await withBlueZ { scope in
            try await scope.add(hasServices: false)
            await scope.fake.on("Connect") { _, _, answer in
                answer.fail(DBusError(name: name, message: message))
            }
            let error = await scope.connectError()
            #expect(error?.code == code)
            #expect(error?.reason == message)
        }
    }

    @Test("A connection that another program is establishing is awaited")
    func inProgress() async throws {
        try await withBlueZ { scope in
            try await scope.add()
            await scope.fake.on("Connect") { fake, call, answer in
                answer.refuse("InProgress")
                fake.set(["Connected": .bool(true), "ServicesResolved": .bool(true)], ofDevice: call.path)
            }
            let link = try await scope.connect(requirements: ConnectTests.needs)
            #expect(link.profile.characteristics.count == 2)
        }
    }

    @Test(
        "A link without any signal except its resolved services is detected without a wait",
        arguments: [nil, "InProgress", "AlreadyConnected"] as [String?])
    func unsignalled(refusal: String?) async throws {
        // A caller that waited for the signal would exceed this test's time limit.
        try await withBlueZ({ $0.limits.connect = .seconds(300) }) { scope in
            try await scope.fake.addDevice(BlueZScope.belt, signalsConnected: false)
            try await scope.fake.addService(BlueZScope.service, BlueZScope.table, of: BlueZScope.belt)
            await scope.fake.on("Connect") { fake, call, answer in
                if let refusal {
                    answer.fail(DBusError(name: "org.bluez.Error.\(refusal)", message: refusal))
                } else {
                    answer.succeed()
                }
                fake.set(["Connected": .bool(true), "ServicesResolved": .bool(true)], ofDevice: call.path)
            }
            await scope.events.heard(BlueZScope.belt)
            let link = try await scope.connect(requirements: ConnectTests.needs)
            #expect(link.profile.characteristics.count == 2)
            #expect(await !scope.fake.calls.contains("dev_C0_00_00_00_00_01 Disconnect"))
        }
    }

    @Test(
        "A link that appears without a signal after the answer is detected once its services are known",
        // In ms: before the client reads the property, while the call is in flight, after its answer, and much later.
        arguments: (0..<20).map { Double($0) / 5 } + [100])
    func unsignalledLater(delay: Double) async throws {
        try await withBlueZ({ $0.limits.connect = .seconds(300) }) { scope in
            let (fake, loop) = (scope.fake, scope.loop)
            try await fake.addDevice(BlueZScope.belt, signalsConnected: false)
            try await fake.addService(BlueZScope.service, BlueZScope.table, of: BlueZScope.belt)
            await fake.on("Connect") { fake, call, answer in
                answer.refuse("InProgress")
                _ = loop.schedule(after: .milliseconds(delay)) {
                    fake.assumeIsolated {
                        $0.set(
                            ["Connected": .bool(true), "ServicesResolved": .bool(true)], ofDevice: call.path)
                    }
                }
            }
            await scope.events.heard(BlueZScope.belt)
            let link = try await scope.connect(requirements: ConnectTests.needs)
            #expect(link.profile.characteristics.count == 2)
        }
    }
}
