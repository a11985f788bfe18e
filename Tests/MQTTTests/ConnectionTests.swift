import EventLoop
import HostTesting
import Messages
import Testing

@testable import MQTT

@Suite("Connecting", .timeLimit(.minutes(1)))
struct ConnectionTests {
    @Test("The client waits for a broker that is not running at the start")
    func absentAtStart() async throws {
        let port = try TestBroker.freePort()
        try await withClient(.local(port, "absent")) { running in
            let (error, retryIn) = try await running.disconnected()
            #expect(error.code == .connectionRefused)
            #expect(retryIn == .seconds(0.5))
            #expect(error.description.contains("127.0.0.1:\(port)"))
            let broker = try TestBroker { $0.port = port }
            let connected = try await running.connected()
            #expect(connected.version == .v5)
            #expect(connected.address == "127.0.0.1:\(port)")
            broker.kill()
        }
    }

    @Test(
        "All addresses of a name are tried until the broker is found",
        arguments: [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]")])
    func everyAddress(listener: String, shown: String) async throws {
        let broker = try TestBroker { $0.address = listener }
        let configuration = Configuration(host: "localhost", port: broker.port, clientID: "every")
        try await withClient(configuration, resolve: resolve("::1", "127.0.0.1")) { running in
            let made = try await running.connected()
            #expect(made.address == "\(shown):\(broker.port)")
        }
    }

    @Test("The name localhost connects to a broker that listens only on 127.0.0.1")
    func localhost() async throws {
        let broker = try TestBroker()
        let configuration = Configuration(host: "localhost", port: broker.port, clientID: "localhost")
        try await withClient(configuration) { running in
            let made = try await running.connected()
            #expect(made.address == "127.0.0.1:\(broker.port)")
        }
    }

    @Test(
        "Errors for an unknown name and a missing socket include the name",
        arguments: [
            ("no-such-host.invalid", MQTTError.Code.nameNotFound), ("/tmp/no/such.sock", .socketNotFound),
        ])
    func absent(host: String, code: MQTTError.Code) async throws {
        try await withClient(Configuration(host: host, port: 1, clientID: "absent")) { running in
            let (error, _) = try await running.disconnected()
            #expect(error.code == code && error.description.contains(host))
        }
    }

    @Test("The client connects over a Unix socket")
    func unixSocket() async throws {
        let broker = try TestBroker { $0.hasUnixSocket = true }
        let path = try #require(broker.socketPath)
        let configuration = Configuration(host: path, clientID: "unix")
        try await withClient(configuration, subscriptions: [TopicFilter("t")]) { running in
            let made = try await running.connected()
            #expect(made.address == path)
            running.client.publish(.event("other", "x".utf8))
            #expect(await running.client.flush(within: .seconds(5)))
        }
    }

    @Test("A wrong password is distinguished from a missing permission, and the password is never shown")
    func badPassword() async throws {
        let broker = try TestBroker { $0.users = ["bridge": "right"] }
        var configuration = Configuration.local(broker.port, "password")
        configuration.username = "bridge"
        configuration.password = "wrong-as-can-be"
        for version in [Configuration.Version.v5, .v311] {
            configuration.version = version
            try await withClient(configuration) { running in
                let (error, retryIn) = try await running.disconnected()
                // mosquitto reports a wrong password as "not authorized".
                #expect([.badCredentials, .notAuthorized].contains(error.code))
                #expect(error.explanation.hasPrefix("wrong password for the user \"bridge\""))
                #expect(retryIn >= .seconds(4))
                #expect(!running.log.all.contains("wrong-as-can-be"))
                #expect(!error.description.contains("wrong-as-can-be"))
            }
        }
        configuration.password = "right"
        try await withClient(configuration) { try await $0.connected() }
    }

    @Test(
        "Each refusal has its own error and remedy, and lasting refusals are retried rarely",
        arguments: [
            (0x86, MQTTError.Code.badCredentials, "check the user name"),
            (0x87, .notAuthorized, "access rules"),
            (0x85, .clientIDRejected, "another client id"), (0x88, .brokerUnavailable, ""),
            (0x97, .refusedByBroker, "the broker's log"),
            (0x9A, .retainUnavailable, "the bridge needs retained messages"),
            (0x9B, .qosUnavailable, "the bridge needs QoS 1"),
        ] as [(UInt8, MQTTError.Code, String)])
    func refusals(reason: UInt8, code: MQTTError.Code, remedy: String) async throws {
        let broker = ScriptedBroker { $0.type == 1 ? .send([0x20, 3, 0, reason, 0]) : .usual }
        try await withClient(.local(broker.port, "refused")) { running in
            let (error, retryIn) = try await running.disconnected()
            #expect(error.code == code && error.remedy.contains(remedy))
            #expect(running.log.all.contains(error.remedy))
            let mayChange = code == .brokerUnavailable || code == .refusedByBroker
            #expect(mayChange || retryIn >= .seconds(4))
        }
    }

    @Test("An attempt at a server that accepts the connection but never answers times out")
    func silence() async throws {
        let broker = ScriptedBroker { _ in .silence }
        var configuration = Configuration.local(broker.port, "silence")
        configuration.connectTimeout = .milliseconds(200)
        try await withClient(configuration) { running in
            let failure = try await running.disconnected().0
            #expect(failure.code == .timedOut)
        }
    }

    @Test("A conflict on a configured client id causes a delay of at most 5 s and a log line with the reason")
    func takenOver() async throws {
        let broker = ScriptedBroker { packet in
            packet.type == 3 ? .send([0xE0, 2, 0x8E, 0]) : .usual
        }
        try await withClient(.local(broker.port, "twin")) { running in
            try await running.connected()
            running.client.publish(.event("e", "x".utf8))
            let (error, retryIn) = try await running.disconnected()
            #expect(error.code == .sessionTakenOver)
            #expect(retryIn >= .seconds(2.5) && retryIn <= .seconds(5))
            #expect(running.log.all.contains("give each its own (mqtt.client_id)"))
        }
    }

    @Test(
        "A silent broker is detected by the keep-alive, with and without latency measurements",
        arguments: [false, true])
    func keepAlive(isMeasured: Bool) async throws {
        let broker = try TestBroker()
        var configuration = Configuration.local(broker.port, "keepalive")
        configuration.keepAlive = .seconds(5)
        try await withClient(configuration) { running in
            try await running.connected()
            broker.freeze()
            let client = running.client
            let probes = Task {
                while isMeasured, !Task.isCancelled {
                    client.probe("echo", payload: [1]) { _ in }
                    try await client.loop.sleep(until: EventLoop.now + .milliseconds(250))
                }
            }
            defer { probes.cancel() }
            let start = EventLoop.now
            let (error, _) = try await running.disconnected()
            print("keep-alive of 5 s, measured: \(isMeasured): noticed after \(EventLoop.now - start)")
            #expect(error.code == .keepAliveTimeout)
            #expect(EventLoop.now - start < .seconds(12))
            broker.thaw()
            try await running.connected()
        }
    }
}
