import BridgeTesting
import EventLoop
import Glibc
import JSON
import Testing

@Suite("Two bridges on two hosts, and one belt between them", .serialized)
struct AirTests {
    @Test("The belt roams: the bridge that it comes near has it, speaks for it and obeys; no other holds it")
    func roams() throws {
        let it = try AirBench("belt")
        var (times, said) = ([Duration](), [[String]]())
        for round in 0..<max(2, AirBench.rounds) {
            let count = it.bench.watcher.seen.count
            let host: AirBench.Host = round.isMultiple(of: 2) ? .b : .a
            times.append(try it.roam("belt", to: host))
            #expect(try it.bench.ask("belt/intensity/set", "\(40 + 5 * (round % 9))")["status"] == "ok")
            try it.air.expect("a write of \(host.name)") {
                $0["event"] == "write" && $0["host"]?.string == host.name
            }
            said.append(try it.availability("belt", since: count))
            #expect(said[round].last ?? "online" == "online")
        }
        AirBench.report("roam", times, said)
        #expect(times.allSatisfy { $0 < .seconds(8) })
    }

    @Test("kill -9 of the bridge that holds the belt: the link ends, and the other bridge has it")
    func killed() throws {
        let it = try AirBench("belt")
        try it.air.type("move belt B -60")
        var (times, said) = ([Duration](), [[String]]())
        var holder = AirBench.Host.a
        for _ in 0..<AirBench.rounds {
            let count = it.bench.watcher.seen.count
            let start = EventLoop.now
            try it.bridge(holder).end(with: SIGKILL)
            try it.expectHolder("belt", holder.other)
            times.append(EventLoop.now - start)
            #expect(try it.bench.ask("belt/intensity/set", "45")["status"] == "ok")
            said.append(try it.availability("belt", since: count))
            try it.startBridge(holder)
            holder = holder.other
        }
        #expect(said.allSatisfy { $0.last == "online" })
        AirBench.report("kill -9", times, said)
    }

    @Test(
        "A host stands still: its link hangs for the supervision time, no less, and then the other bridge has it"
    )
    func hostDead() throws {
        let it = try AirBench("belt", supervision: "1500ms")
        try it.air.type("move belt B -60")
        var (times, said) = ([Duration](), [[String]]())
        for _ in 0..<AirBench.rounds {
            let count = it.bench.watcher.seen.count
            let start = EventLoop.now
            try it.bridge(.a).sendAlone(SIGSTOP)
            try it.air.type("host A freeze")
            try it.expectHolder("belt", .b)
            times.append(EventLoop.now - start)
            #expect(times[times.count - 1] >= .milliseconds(1500))
            #expect(try it.bench.ask("belt/intensity/set", "45")["status"] == "ok")
            said.append(try it.availability("belt", since: count))
            // Back, it finds its link gone, and B goes on.
            try it.air.type("host A thaw")
            try it.bridge(.a).sendAlone(SIGCONT)
            #expect(try it.bench.ask("bridge/a/request/devices", "")["id"] == nil)
            #expect(try it.bench.ask("belt/intensity/set", "55")["status"] == "ok")
            try it.air.expect("a write of B") { $0["event"] == "write" && $0["host"] == "B" }
            if AirBench.rounds > 1 { try it.roam("belt", to: .a) }
            try it.air.type("move belt B -60")
        }
        #expect(said.allSatisfy { $0.last == "online" })
        let beyond = times.map { $0 - .milliseconds(1500) }
        AirBench.report("host dead, beyond the supervision time of 1500 ms", beyond, said)
    }
}
