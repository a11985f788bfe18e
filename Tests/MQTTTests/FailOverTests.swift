import EventLoop
import HostTesting
import Logging
import Messages
import Testing

@testable import MQTT

@Suite("Several brokers", .timeLimit(.minutes(1)))
struct FailOverTests {
    private func configuration(_ ports: UInt16...) -> Configuration {
        var configuration = Configuration(clientID: "several")
        configuration.servers = ports.map { .init(host: "127.0.0.1", port: $0) }
        return configuration
    }

    @Test("After the death of a broker under load, the other one receives all events in order within 2 s")
    func underLoad() async throws {
        let (first, second) = (try TestBroker(), try TestBroker())
        let listeners = try [first, second].map { broker in
            try TestProcess(["mosquitto_sub"] + broker.arguments + ["-t", "e", "-t", "hello"])
        }
        for (broker, listener) in zip([first, second], listeners) {
            var isThere = false
            for _ in 0..<100 where !isThere {
                try TestProcess.run(["mosquitto_pub"] + broker.arguments + ["-t", "hello", "-m", "-"])
                isThere = listener.nextLine(within: .milliseconds(100)) != nil
            }
            while listener.nextLine(within: .milliseconds(100)) != nil {}
        }
        try await withClient(configuration(first.port, second.port), random: 0.99) { running in
            let made = try await running.connected()
            #expect(made.address == "127.0.0.1:\(first.port)")
            var number = 0
            func send(_ count: Int) {
                for _ in 0..<count {
                    running.client.publish(.event("e", "\(number)".utf8))
                    number += 1
                }
            }
            send(500)
            first.kill()
            let clock = ContinuousClock()
            let death = clock.now
            send(500)
            let (error, retryIn) = try await running.disconnected()
            #expect(error.broker.contains(":\(first.port)") && retryIn <= .milliseconds(200))
            send(500)
            let moved = try await running.connected()
            #expect(moved.address == "127.0.0.1:\(second.port)")
            #expect(clock.now - death < .seconds(2))
            #expect(await running.client.flush(within: .seconds(10)))
            #expect(running.log.count(.warning, "no connection to the broker 127.0.0.1:\(first.port)") == 1)

            // Compares the events of both brokers: none is missing, and only those that the first broker had not
            // acknowledged are repeated.
            var heard: [Int] = []
            while let line = listeners[0].nextLine(within: .milliseconds(500)) { heard += [Int(line) ?? -1] }
            #expect(heard == Array(0..<heard.count))
            var later: [Int] = []
            while later.last != number - 1, let line = listeners[1].nextLine(within: .seconds(5)) {
                later += [Int(line) ?? -1]
            }
            let start = try #require(later.first)
            #expect(later == Array(start..<number) && start <= heard.count)
        }
    }

    @Test("If no broker answers, the error lists all of them, and the first available one is used")
    func none() async throws {
        let (one, two) = (try TestBroker.freePort(), try TestBroker.freePort())
        try await withClient(configuration(one, two)) { running in
            let (error, _) = try await running.disconnected()
            #expect(error.code == .connectionRefused)
            #expect(error.explanation.contains(":\(one)") && error.explanation.contains(":\(two)"))
            let broker = try TestBroker { $0.port = two }
            let made = try await running.connected()
            #expect(made.address == "127.0.0.1:\(two)")
            broker.kill()
        }
    }

    @Test("A broker with a wrong password or an unknown name does not block the next broker")
    func refusing() async throws {
        let (closed, open) = (try TestBroker { $0.users = ["other": "word"] }, try TestBroker())
        var all = configuration(closed.port, open.port)
        all.servers.insert(.init(host: "no-such-host.invalid"), at: 0)
        try await withClient(all) { running in
            let made = try await running.connected()
            #expect(made.address == "127.0.0.1:\(open.port)")
        }
    }

    @Test("Each broker may have its own protocol version and its own certificate name")
    func differences() async throws {
        let certificates = try TestCertificates()
        let identity = try certificates.issue("node", host: "node-2.test")
        let (absent, broker) = (try TestBroker.freePort(), try TestBroker { $0.identity = identity })
        var all = configuration(absent, broker.port)
        all.tls = .init(caFile: certificates.authorityFile)
        try await withClient(all) { running in
            let (error, _) = try await running.disconnected()
            #expect(error.explanation.contains("does not match the host \"127.0.0.1\""))
        }
        all.servers[1].name = "node-2.test"
        try await withClient(all) { running in try await running.connected() }
    }
}
