import DBus
import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

/// Random input through the whole bridge, from a device and from clients of the broker at the same time.
enum Garbage {
    private static let wanted = 10_000
    /// All characteristics that notify. The bridge subscribes to all but the raw sensor data, `FE0B`.
    private static let notifying = ["FE02", "FE04", "FE06", "FE09", "FE0B", "FE0C", "FE14"]
    /// The number of random commands of each kind in a round. Even valid ones leave all notifications enabled.
    /// Most are of the kind that the bridge accepts at any frequency.
    private static let commands = ["navigation": 840, "vibrate": 40, "pulse": 40, "signal": 40, "sound": 40]
    private static let rounds = 10

    /// Sends ten thousand random notifications on every characteristic and ten thousand random commands to
    /// the bridge, and checks that the belt works.
    ///
    /// - Returns: The time from the last of them to the belt's first answer.
    static func survive() async throws -> Duration {
        let bench = try Bench.withBelt(environment: ["TACTILE_BRIDGE_BRIDGE_STATS_INTERVAL_S": "1"])
        let simulator = try #require(bench.simulator)
        // BlueZ sends notifications that one client requested to every client, including the bridge.
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
            // The confirmation comes from the belt after all its earlier notifications.
            recovery = try Fault.time { try expectConfirmation(bench) }
            guard garbage.sent.values.allSatisfy({ $0 >= Self.wanted }) else { continue }
            // The watcher may lag; only the second message from here on was published later.
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

        // Restores the belt after any valid commands among them; then it must follow commands.
        #expect(try bench.ask("belt/stop/set", "all")["status"] == "ok")
        #expect(try bench.ask("belt/mode/set", "app")["status"] == "ok")
        #expect(try bench.ask("belt/vibrate/set", "90")["status"] == "ok")
        try simulator.expectMotors([4])
        #expect(try bench.endBridge(with: SIGTERM) == 0)
        await other.close()
        return recovery
    }

    /// Starts to publish a round of random payloads, each kind by its own client.
    ///
    /// - Parameter bad: Increased by the number of payloads that are not JSON and must be rejected.
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

    /// Waits until the belt confirms a command. Garbage may have reported the belt as switched off; then the
    /// bridge must find it again first.
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

    /// Requires exactly one answer to each command, and an error for each invalid one.
    private static func expectAnswers(_ bench: Bench, bad: Int) throws {
        func answers() -> [Watcher.Message] {
            bench.watcher.seen.filter { $0.topic.hasPrefix("answers/") }
        }
        // A valid command may still run, and an extra answer would precede that of a later command.
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

/// The input sent to the bridge, and the input that it received.
private struct Count {
    var start: Duration
    var end: Duration = .zero
    var rounds = 0
    /// The notifications that the simulator sent to subscribed clients.
    var sent: [String: Int] = [:]
    /// The notifications that the bridge counts; it does not count those that it has not subscribed to.
    var received = 0

    private static let unasked = "FE0B"
    /// An upper limit for the belt's regular notifications, which are in the bridge's count too:
    /// orientations, keep-alives, battery, answers to requests.
    private var own: Int { Int((end - start) / .seconds(1)) * 20 + 100 }

    /// The minimum received from a characteristic, if all missing notifications were from it.
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

/// Another program on the bus, which subscribes to notifications that the bridge does not need.
private struct OtherClient {
    private let loop: EventLoop
    private let connection: Connection

    /// Subscribes to the characteristic whose UUID has this prefix; the subscription survives lost connections.
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
