import DBus
import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

/// Garbage through the whole bridge, from a device and from clients of the broker at once.
enum Garbage {
    private static let wanted = 10_000
    /// Every characteristic that a belt notifies. The bridge subscribes to all but the raw sensor data, `FE0B`.
    private static let notifying = ["FE02", "FE04", "FE06", "FE09", "FE0B", "FE0C", "FE14"]
    /// How many random commands of each kind a round has: those of which even a valid one lets all notifications go
    /// on, most of them of the kind that is taken at any rate.
    private static let commands = ["navigation": 840, "vibrate": 40, "pulse": 40, "signal": 40, "sound": 40]
    private static let rounds = 10

    /// Lets ten thousand random notifications on every characteristic, and ten thousand random commands, come to a
    /// bridge, and sees that the belt works; returns how long the belt's first answer took after the last of them.
    static func survive() async throws -> Duration {
        let bench = try Bench.withBelt(environment: ["TACTILE_BRIDGE_BRIDGE_STATS_INTERVAL_S": "1"])
        let simulator = try #require(bench.simulator)
        // What another client on the bus asks for comes to everyone on it, the bridge included.
        let other = try await OtherClient.subscribe(to: "0000fe0b", on: bench.bus.address)

        var bad = 0
        var garbage = Count(start: EventLoop.now)
        var recovery = Duration.zero
        while !garbage.isEnough(of: Self.wanted, on: Self.notifying), garbage.rounds < 20 {
            garbage.rounds += 1
            let publishers = garbage.rounds <= Self.rounds ? try startCommands(bench, &bad) : []
            try bench.act("garbage belt 1000")
            let end = try simulator.expect("the end of the garbage", within: .seconds(100)) {
                $0["event"] == "garbage"
            }
            for name in Self.notifying {
                let uuid = "0000\(name.lowercased())-0000-1000-8000-00805f9b34fb"
                garbage.sent[name, default: 0] += end["sent"]?[uuid]?.integer ?? 0
            }
            for publisher in publishers { while publisher.nextLine(within: .seconds(60)) != nil {} }
            // Its confirmation comes from the belt, behind all that was notified before it.
            recovery = try Fault.time { try expectConfirmation(bench) }
            guard garbage.sent.values.allSatisfy({ $0 >= Self.wanted }) else { continue }
            // The watcher may be behind; the second message from now on is of a moment that has not come yet.
            try bench.publish("round", "\(garbage.rounds)")
            try bench.watcher.expect("round", "\(garbage.rounds)", within: .seconds(60))
            try bench.watcher.expect("bridge/test/stats")
            let stats = try bench.watcher.expect("bridge/test/stats").json
            garbage.received = try #require(stats["families"]?["belt"]?["notifications"]?.integer)
            garbage.end = EventLoop.now
        }
        print("garbage: \(garbage)")
        for name in Self.notifying { #expect(garbage.atLeast(on: name) >= Self.wanted, "\(name)") }

        try expectAnswers(bench, bad: bad)

        // Whatever valid commands were among them; then the belt does as it is told.
        #expect(try bench.ask("belt/stop/set", "all")["status"] == "ok")
        #expect(try bench.ask("belt/mode/set", "app")["status"] == "ok")
        #expect(try bench.ask("belt/vibrate/set", "90")["status"] == "ok")
        try simulator.expectMotors([4])
        #expect(try bench.endBridge(with: SIGTERM) == 0)
        await other.close()
        return recovery
    }

    /// Begins to publish a round of random payloads, each kind through a client of its own.
    ///
    /// - Parameter bad: Raised by how many of the payloads cannot be right, because they are no JSON.
    private static func startCommands(_ bench: Bench, _ bad: inout Int) throws -> [TestProcess] {
        let alphabet = Array("{}[]\":,0123456789.eE+-truefalsenull directionchannel\\")
        var random = SystemRandomNumberGenerator()
        var publishers: [TestProcess] = []
        for (feature, count) in Self.commands {
            var lines: [String] = []
            for _ in 0..<count {
                let length = Int.random(in: 1...60, using: &random)
                let payload = String((0..<length).compactMap { _ in alphabet.randomElement(using: &random) })
                if (try? JSON.Value(parsing: payload.utf8)) == nil { bad += 1 }
                lines.append(payload + "\n")
            }
            let file = try bench.folder.write(lines.joined(), to: "payloads-\(feature)")
            let command = ["mosquitto_pub"] + bench.broker.arguments + ["-V", "5", "-q", "1", "-l"]
            let options = "-t belt/\(feature)/set -D publish response-topic answers/\(feature)"
            publishers.append(
                try TestProcess(["sh", "-c", "\(command.joined(separator: " ")) \(options) < \(file)"]))
        }
        return publishers
    }

    /// Waits until the belt confirms a command. Garbage may have said that it is switched off; then the bridge
    /// finds it again first.
    private static func expectConfirmation(_ bench: Bench) throws {
        let end = EventLoop.now + .seconds(60)
        var answer: JSON.Value
        repeat {
            answer = try bench.ask("belt/intensity/set", "45")
            if answer["status"] == "ok" { return }
            if answer["code"] == "device_offline" {
                try bench.watcher.expect("belt/availability", "online", within: .seconds(30))
            }
        } while EventLoop.now < end
        throw Missing(what: "a confirmed command", seen: ["\(answer)"])
    }

    /// Each of the commands has one answer, and those that cannot be right have an error.
    private static func expectAnswers(_ bench: Bench, bad: Int) throws {
        func answers() -> [Watcher.Message] {
            bench.watcher.seen.filter { $0.topic.hasPrefix("answers/") }
        }
        // A valid one may still be at it; and one answer too many would come before that of a later command.
        let end = EventLoop.now + .seconds(60)
        var count = answers().count
        while count < Self.wanted, let message = bench.watcher.next(within: end - EventLoop.now) {
            if message.topic.hasPrefix("answers/") { count += 1 }
        }
        try bench.publish("belt/colour/set", "last")
        try bench.watcher.expect("belt/result", within: .seconds(60)) { $0.json["feature"] == "colour" }
        let all = answers()
        let errors = all.count { $0.json["status"] == "error" }
        print("answers: \(all.count), errors among them: \(errors), payloads that are no JSON: \(bad)")
        for (feature, number) in Self.commands {
            let count = all.count {
                $0.topic == "answers/\(feature)" && $0.json["feature"]?.string == feature
            }
            #expect(count == number * Self.rounds, "each \(feature) is answered once")
        }
        #expect(!all.contains { $0.json["code"] == "rate_limited" }, "each is looked at")
        #expect(errors >= bad)
        #expect(bad > Self.wanted * 9 / 10)
    }
}

/// What was thrown at the bridge, and what it took.
private struct Count {
    var start: Duration
    var end: Duration = .zero
    var rounds = 0
    /// What the simulator sent to clients that had subscribed.
    var sent: [String: Int] = [:]
    /// What the bridge counts as notified to it; of a characteristic that it did not ask for it counts nothing.
    var received = 0

    private static let unasked = "FE0B"
    /// The belt's own notifications are in the bridge's count too: two orientations a second, the keep-alives, the
    /// battery, the answers to requests.
    private var own: Int { Int((end - start) / .seconds(1)) * 20 + 100 }

    /// How many the bridge took of a characteristic, if all that it did not take were of this one.
    func atLeast(on name: String) -> Int {
        let sent = sent[name, default: 0]
        guard name != Self.unasked else { return sent }
        let garbage = self.sent.filter { $0.key != Self.unasked }.values.reduce(0, +)
        return sent - max(0, garbage - (received - own))
    }

    func isEnough(of wanted: Int, on names: [String]) -> Bool {
        names.allSatisfy { atLeast(on: $0) >= wanted }
    }
}

extension Count: CustomStringConvertible {
    var description: String {
        let counts = sent.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return "\(rounds) rounds in \(end - start), sent \(counts); the bridge took \(received), at most "
            + "\(own) of them the belt's own"
    }
}

/// Another program on the bus, which wants notifications that the bridge does not.
private struct OtherClient {
    private let loop: EventLoop
    private let connection: Connection

    /// Subscribes to the characteristic whose UUID begins so; it stays subscribed over lost links.
    static func subscribe(to uuid: String, on bus: DBus.Address) async throws -> OtherClient {
        let loop = try EventLoop.start(name: "other-client")
        let connection = try await Connection.open(bus, loop: loop)
        let objects = try await connection.call(
            "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: .root, on: "org.bluez")
        let interface = "org.bluez.GattCharacteristic1"
        let path = objects.first?.entries?.first { entry in
            let own = entry.value.entries?.first { $0.key.string == interface }
            return own?.value.properties?["UUID"]?.string?.hasPrefix(uuid) == true
        }?.key.objectPath
        _ = try await connection.call(
            "StartNotify", of: interface, at: try #require(path), on: "org.bluez")
        return OtherClient(loop: loop, connection: connection)
    }

    func close() async {
        await connection.close()
        loop.stop()
    }
}
