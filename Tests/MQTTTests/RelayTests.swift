import HostTesting
import Testing

@Suite("The relay that disturbs connections", .timeLimit(.minutes(1)))
struct RelayTests {
    private let broker: TestBroker
    private let relay: TCPRelay
    private var arguments: [String] { ["-h", "127.0.0.1", "-p", "\(relay.port)"] }

    init() throws {
        broker = try TestBroker()
        relay = try TCPRelay(to: broker.port)
    }

    /// Starts a client that subscribes through the relay; its subscription is active on return.
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

    @Test("Data passes both ways; after fallSilent existing connections stall and new ones work")
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

    @Test("A relay that hangs up closes existing and new connections until it is reset")
    func hangingUp() throws {
        defer { relay.end() }
        let words = ["mosquitto_pub"] + arguments + ["-t", "a", "-m", "x"]
        try TestProcess.run(words)
        relay.set(.hangingUp)
        #expect(throws: TestProcess.Failure.self) { try TestProcess.run(words) }
        relay.set(.faithful)
        try TestProcess.run(words)
    }

    @Test("A slow relay limits the data to its rate")
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
