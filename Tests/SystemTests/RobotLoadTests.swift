import EventLoop
import JSON
import Testing

@Suite("The robot under a thousand commands a second", .serialized)
struct RobotLoadTests {
    /// A drive command that encodes a number, which the value written to the robot contains.
    private struct Numbered {
        static func payload(_ number: Int) -> String {
            let speed = Double(number % 4000 + 1000) / 5000
            return #"{"direction":\#(number / 4000 * 10),"speed":\#(speed),"duration_ms":500}"#
        }

        static func number(_ value: String) -> Int? {
            let parts = value.split(separator: ",").compactMap { Double($0) }
            guard parts.count == 2, parts[1] >= 10 else { return nil }
            return Int((parts[0] / 10).rounded()) * 4000 + Int((parts[1] * 100).rounded()) - 1000
        }
    }

    /// Publishes this number of commands a second for a time, and passes on each of the simulator's reports.
    private func flood(
        _ it: RobotBench, _ driver: Publisher, from first: Int = 0, for time: Duration,
        until isOver: (Int) -> Bool = { _ in false }, _ take: (JSON.Value) -> Void
    ) throws -> [Duration] {
        var sent: [Duration] = []
        let start = EventLoop.now
        while EventLoop.now - start < time, !isOver(sent.count) {
            let due = Int((EventLoop.now - start) / .milliseconds(1))
            while sent.count < due { sent.append(try driver.send(Numbered.payload(first + sent.count))) }
            if let report = it.robot.nextReport(within: .milliseconds(1)) { take(report) }
        }
        return sent
    }

    @Test("The robot receives at most ten writes a second per characteristic, each with the newest value")
    func newestOnly() throws {
        let it = try RobotBench()
        let driver = try Publisher(it.bench.broker, "robot/drive/set")
        var writes: [(characteristic: String, value: String, time: Duration)] = []
        let start = EventLoop.now
        let sent = try flood(it, driver, for: .seconds(10)) { report in
            if let write = report.robotWrite, write.time >= start { writes.append(write) }
        }
        #expect(sent.count > 9900)
        var lags: [Duration] = []
        var last = -1
        for (_, value, time) in writes {
            guard let number = Numbered.number(value) else { continue }
            #expect(number >= last, "an older command after a newer one")
            last = number
            // The delay between sending the next command and the write of this command.
            if number + 1 < sent.count { lags.append(max(.zero, time - sent[number + 1])) }
        }
        for name in ["movement", "rotation", "buttons"] {
            let times = writes.filter { $0.characteristic == name }.map(\.time)
            #expect((50...101).contains(times.count), "\(name): \(times.count) in ten seconds")
            let most =
                times.map { first in times.count { $0 >= first && $0 < first + .seconds(1) } }.max() ?? 0
            // The simulator takes the time when the write arrives, which varies a little on a busy machine.
            #expect(most <= 11, "\(name): \(most) in one second")
        }
        lags.sort()
        let worst = lags.last ?? .zero
        print("newest command older than the next by \(lags[lags.count / 2]) (p50), \(worst) (max)")
        #expect(lags.count > 50 && lags[lags.count / 2] < .milliseconds(50))
    }

    @Test("A stop among them reaches the robot within 30 ms in 99 of 100 cases")
    func stops() throws {
        let it = try RobotBench()
        let driver = try Publisher(it.bench.broker, "robot/drive/set")
        let stopper = try Publisher(it.bench.broker, "robot/stop/set", qos: 1)
        var times: [Duration] = []
        var number = 0
        for _ in 0..<100 {
            // A stop is in force until the stick is released.
            try it.expectOpen()
            var isMoving = false
            number += try flood(it, driver, from: number, for: .seconds(10), until: { _ in isMoving }) {
                if let write = $0.robotWrite, Numbered.number(write.value) != nil { isMoving = true }
            }.count
            // A random time between two frames.
            let pause = Duration.milliseconds(Int64.random(in: 0...100))
            number += try flood(it, driver, from: number, for: pause) { _ in }.count
            let start = try stopper.send("")
            var stopped: Duration?
            number += try flood(it, driver, from: number, for: .seconds(10), until: { _ in stopped != nil }) {
                guard let write = $0.robotWrite, write.characteristic == "movement",
                    write.value == "0.00,0.00"
                else { return }
                if write.time >= start - .milliseconds(1) { stopped = stopped ?? write.time }
            }.count
            times.append(max(.zero, try #require(stopped) - start))
        }
        times.sort()
        let (median, late, worst) = (times[49], times[98], times[99])
        print("stop under 1,000 commands a second: p50 \(median), p99 \(late), max \(worst)")
        #expect(late <= .milliseconds(30))
    }
}
