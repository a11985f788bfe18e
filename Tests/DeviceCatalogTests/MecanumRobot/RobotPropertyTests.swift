import Bluetooth
import DeviceKit
import HostTesting
import JSON
import Testing

@testable import DeviceCatalog

@Suite("The robot moves only during a valid lease")
struct RobotPropertyTests {
    /// How long the wheels can still turn after the end of a lease: one tick, and the latency of the link.
    private static let grace = Duration.milliseconds(110)

    @Test("Random commands, stops, lost links, failing writes and suspends", arguments: 0..<60)
    func random(seed: Int) {
        var dice = RandomSource(seed: UInt64(seed))
        var couple = RobotCouple(["allow_weapon": true, "power_on_connect": .bool(seed % 2 == 0)])
        couple.connect(run: .seconds(3))
        var commands: [UInt64] = []
        /// Until when the wheels are allowed to turn.
        var permitted = Duration.zero

        func check(_ what: String, _ couple: RobotCouple) {
            if !couple.stands {
                #expect(couple.now <= permitted + Self.grace, "\(what): turns without a lease")
            }
            if let deadline = couple.machine.drive.lease.deadline, !couple.stands {
                #expect(deadline <= permitted, "the will allows more than the commands did")
            }
        }

        for step in 0..<400 {
            let what = "seed \(seed), step \(step)"
            switch Int.random(in: 0..<40, using: &dice) {
            case 0..<14:
                let lease = Int.random(in: 1...1500, using: &dice)
                let age = Duration.milliseconds(Int.random(in: 0...300, using: &dice))
                let start = couple.now
                let direction = Int.random(in: 0..<360, using: &dice)
                let id = couple.command(
                    "drive", #"{"direction":\#(direction),"speed":0.7,"duration_ms":\#(lease)}"#, age: age,
                    run: .zero)
                commands.append(id)
                let isAccepted =
                    couple.machine.drive.lease.end.map { $0 == start - age + .milliseconds(lease) } ?? false
                // The newest command counts, even if its lease ends earlier.
                if isAccepted { permitted = start - age + .milliseconds(lease) }
            case 14: commands.append(couple.command("stop", "", run: .zero))
            case 15: commands.append(couple.command("emergency_stop", "", run: .zero))
            case 16..<20: commands.append(couple.command("power", "on", run: .zero))
            case 20: commands.append(couple.command("power", "off", run: .zero))
            case 21...22:
                commands.append(
                    couple.command("weapon", Bool.random(using: &dice) ? "on" : "off", run: .zero))
            case 23:
                commands.append(
                    couple.command("field_orientation", Bool.random(using: &dice) ? "on" : "off", run: .zero))
            case 24:
                let degrees = Int.random(in: -180...180, using: &dice)
                commands.append(couple.command("field_offset", "\(degrees)", run: .zero))
            case 25:
                let causes: [StopCause] = [.allStop, .brokerLost, .reload, .late, .suspend]
                couple.feed(.stop(causes.randomElement(using: &dice) ?? .late))
            case 26: if couple.isLinked { couple.drop() }
            case 27: couple.act("refuse \(Int.random(in: 1...3, using: &dice))")
            case 28: couple.latency = .milliseconds(Int.random(in: 1...20, using: &dice))
            default: break
            }
            if !couple.isLinked { couple.connect(run: .zero) }
            check(what, couple)
            couple.run(.milliseconds(Int.random(in: 0...150, using: &dice)))
            check(what, couple)
        }
        couple.run(.seconds(10))
        #expect(couple.stands)
        #expect(commands.allSatisfy { couple.answers[$0]?.count == 1 })
        for name in ["movement", "rotation"] {
            let times = couple.arrivals.filter { $0.characteristic == name && $0.priority == .normal }.map(
                \.time)
            for (time, next) in zip(times, times.dropFirst(11)) {
                // A limit of eleven writes, because a connection and power on add some.
                #expect(next - time >= .milliseconds(500), "seed \(seed): \(name) at \(time)")
            }
        }
    }
}
