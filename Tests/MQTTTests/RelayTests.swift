import HostTesting
import Testing

@Suite("The relay with which connections are disturbed", .timeLimit(.minutes(1)))
struct RelayTests {
    private let broker: TestBroker
    private let relay: TCPRelay
    private var arguments: [String] { ["-h", "127.0.0.1", "-p", "\(relay.port)"] }

    init() throws {
        broker = try TestBroker()
        relay = try TCPRelay(to: broker.port)
    }

    /// A client that subscribes through the relay; its subscription is in force.
    private func subscriber(_ topic: String) throws -> TestProcess {
        let process = try TestProcess(["mosquitto_sub"] + arguments + ["-t", topic])
        for _ in 0..<100 {
            try publish(topic, "there?")
            if process.nextLine(within: .milliseconds(100)) != nil { break }
        }
        while process.nextLine(within: .milliseconds(100)) != nil {}
        return process
    }

    private func publish(_ topic: String, _ text: String) throws {
        try TestProcess.run(["mosquitto_pub"] + broker.arguments + ["-t", topic, "-m", text])
    }

    @Test("It hands on both ways; it falls silent for those that are connected, and not for new ones")
    func silence() throws {
        defer { relay.end() }
        let old = try subscriber("a")
        try TestProcess.run(["mosquitto_pub"] + arguments + ["-t", "a", "-m", "through it", "-q", "1"])
        #expect(old.nextLine(within: .seconds(10)) == "through it")
        relay.fallSilent()
        let new = try subscriber("a")
        try publish("a", "later")
        #expect(new.nextLine(within: .seconds(10)) == "later")
        #expect(old.nextLine(within: .zero) == nil && old.pid != nil)
    }

    @Test("It hangs up on those that are connected and on new ones, until it is told otherwise")
    func hangingUp() throws {
        defer { relay.end() }
        let words = ["mosquitto_pub"] + arguments + ["-t", "a", "-m", "x"]
        try TestProcess.run(words)
        relay.set(.hangingUp)
        #expect(throws: TestProcess.Failure.self) { try TestProcess.run(words) }
        relay.set(.faithful)
        try TestProcess.run(words)
    }

    @Test("A slow one takes as long as its rate says")
    func slow() throws {
        defer { relay.end() }
        relay.set(.slow(bytesPerSecond: 10_000))
        let clock = ContinuousClock()
        let time = try clock.measure {
            try TestProcess.run(
                ["mosquitto_pub"] + arguments + [
                    "-t", "a", "-q", "1", "-m", String(repeating: "x", count: 5000),
                ])
        }
        #expect(time > .milliseconds(400))
    }
}
