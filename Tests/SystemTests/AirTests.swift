import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Two bridges on two hosts, and one belt between them", .serialized)
struct AirTests {
    /// The duration of hand-overs, and the availability messages of the belt during each.
    private struct Record {
        var times: [Duration] = []
        var said: [[String]] = []

        /// - Parameter limit: The upper limit of the median, in milliseconds.
        func report(_ what: String, limit: Int) {
            let sorted = times.sorted().map { Int(($0 / .milliseconds(1)).rounded()) }
            #expect(sorted[sorted.count / 2] <= limit, "\(what): \(sorted)")
            print("\(what): p50 \(sorted[sorted.count / 2]) ms of \(sorted); the topic said \(said)")
            #expect(said.allSatisfy { $0.last ?? "online" == "online" }, "\(what): \(said)")
        }
    }

    private static let supervision = Duration.milliseconds(420)

    @Test(
        "The other bridge takes over a belt that roams, or whose bridge is killed or host frozen"
    )
    func handsOver() throws {
        let it = try AirBench("belt", supervision: "420ms")
        var (roams, kills, deaths) = (Record(), Record(), Record())
        for _ in 0..<AirBench.rounds {
            for host in [AirBench.Host.b, .a] {
                try Self.measure(it, to: host, &roams) { try it.roam("belt", to: host) }
                let offer = it.bench.watcher.seen.last { $0.topic == "bridge/\(host.rawValue)/offer" }
                #expect(offer?.json["address"]?.string != nil, "the other bridge is told of it")
            }
            try it.air.type("move belt B -60")

            try Self.measure(it, to: .b, &kills) {
                let start = EventLoop.now
                try it.bridge(.a).end(with: SIGKILL)
                try it.expectHolder("belt", .b)
                return EventLoop.now - start
            }
            try it.startBridge(.a)

            try it.air.type("move belt A -60")
            try Self.measure(it, to: .a, &deaths) {
                let start = EventLoop.now
                try it.setFrozen(true, .b)
                try it.expectHolder("belt", .a)
                let time = EventLoop.now - start
                #expect(time >= Self.supervision, "a dead host's link hangs")
                return time - Self.supervision
            }
            // The resumed host finds its connection gone; the other bridge keeps the belt.
            try it.setFrozen(false, .b)
            try Self.expectLoss(it, at: .b)
            try Self.expectWrite(it, of: .a, intensity: 60)
        }
        roams.report("roam", limit: 1000)
        kills.report("kill -9", limit: 3000)
        deaths.report("host dead, beyond the supervision time", limit: 3000)
    }

    @Test("The next host continues to guide a wearer; after a stop in between it resumes nothing")
    func ledOn() throws {
        let it = try AirBench("belt")
        try it.bench.publish("belt/navigation/set", "90")
        try it.air.expect("motor 4 at A") { Self.motors($0) == [4] }
        try it.roam("belt", to: .b)
        try it.air.expect("motor 4 at B") { Self.motors($0) == [4] }
        #expect(try it.bench.ask("belt/navigation/set", "stop")["status"] == "ok")
        try it.air.expect("rest at B") { Self.motors($0) == [] }
        try it.roam("belt", to: .a)
        // The motors of this later command are the first to vibrate, so nothing was resumed.
        #expect(try it.bench.ask("belt/navigation/set", "180")["status"] == "ok")
        let next = try it.air.expect("motors at A") { !(Self.motors($0) ?? []).isEmpty }
        #expect(Self.motors(next) == [8])
    }

    @Test("A bridge that starts while another host guides a wearer continues the guidance too")
    func ledOnByNewcomer() throws {
        let it = try AirBench("belt")
        try it.bench.publish("belt/navigation/set", "90")
        try it.air.expect("motor 4 at A") { Self.motors($0) == [4] }
        try it.bridge(.b).end(with: SIGTERM)
        try it.startBridge(.b)
        try it.bench.watcher.expect("bridge/a/info")
        try it.roam("belt", to: .b)
        try it.air.expect("motor 4 at B") { Self.motors($0) == [4] }
    }

    /// The motors that vibrate from this report on; nil for another kind of report.
    private static func motors(_ report: JSON.Value) -> [Int]? {
        guard report["event"] == "feel" else { return nil }
        return report["motors"]?.array?.filter { ($0["intensity"]?.integer ?? 0) > 0 }.compactMap {
            $0["motor"]?.integer
        }
    }

    /// Waits until a bridge reports the loss of the belt, and the watcher has read all earlier messages.
    private static func expectLoss(_ it: AirBench, at host: AirBench.Host) throws {
        let end = EventLoop.now + .seconds(10)
        while EventLoop.now < end {
            let devices = try it.bench.ask("bridge/\(host.rawValue)/request/devices", "")["devices"]?.array
            if devices?.contains(where: { $0["name"] == "belt" && $0["availability"] == "offline" }) ?? false
            {
                _ = try it.availability("belt", since: it.bench.watcher.seen.count)
                return
            }
        }
        throw Missing(what: "the loss of the belt at \(host)", seen: [])
    }

    /// Triggers a hand-over and checks that the other bridge executes commands.
    private static func measure(
        _ it: AirBench, to host: AirBench.Host, _ record: inout Record, _ body: () throws -> Duration
    ) throws {
        let count = it.bench.watcher.seen.count
        record.times.append(try body())
        try expectWrite(it, of: host, intensity: host == .a ? 45 : 55)
        record.said.append(try it.availability("belt", since: count))
    }

    /// Sends a command and expects this host to write it to the belt.
    private static func expectWrite(_ it: AirBench, of host: AirBench.Host, intensity: Int) throws {
        let answer = try it.bench.ask("belt/intensity/set", "\(intensity)")
        #expect(answer["status"] == "ok", "\(answer)")
        try it.air.expect("a write of \(host.name)") {
            $0["event"] == "write" && $0["host"]?.string == host.name
                && $0["hex"]?.string?.contains(Self.hex(intensity)) == true
        }
    }

    private static func hex(_ number: Int) -> String { String(number, radix: 16) }
}
