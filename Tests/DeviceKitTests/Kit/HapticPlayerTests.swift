import DeviceKit
import Haptics
import JSON
import Testing

@Suite("The player of haptic patterns")
struct HapticPlayerTests {
    private static let id = CommandID(1)

    /// Returns a player for a pattern of one second, with a cue at its start and one in its middle.
    private static func player(
        _ arguments: JSON.Object = [:], at now: Duration, _ effects: inout Effects
    ) throws -> HapticPlayer<Int> {
        var all: JSON.Object = [
            "events": [["time": 0, "kind": "continuous", "duration": 1, "intensity": 1, "sharpness": 0.5]]
        ]
        for member in arguments.members { all[member.key] = member.value }
        guard case .play(let performance) = try Order(Arguments(all)) else {
            throw CommandError(.internal, "a stop")
        }
        return HapticPlayer(
            performance, [.init(at: .zero, 1), .init(at: .milliseconds(500), 2)], of: performance.timeline,
            degraded: [.sharpness], for: id, at: now, &effects)
    }

    @Test("A due write is returned once, and the timer runs for the next turn until the pattern is over")
    func turns() throws {
        var effects = Effects()
        var player = try Self.player(at: .seconds(3), &effects)
        var turn = player.advance(at: .seconds(3))
        #expect(turn.begins && turn.due?.message == 1 && turn.due?.lateness == .zero && !turn.isOver)
        #expect(player.takeCommand() == Self.id && player.takeCommand() == nil)
        player.arm(at: .seconds(3), &effects)
        turn = player.advance(at: .milliseconds(3520))
        #expect(!turn.begins && turn.due?.message == 2 && turn.due?.lateness == .milliseconds(20))
        player.arm(at: .milliseconds(3520), &effects)
        turn = player.advance(at: .seconds(4))
        #expect(turn.due == nil && turn.isOver)
        #expect(
            effects.list == [
                .startTimer("haptic", after: .milliseconds(500)),
                .startTimer("haptic", after: .milliseconds(480)),
            ])
    }

    @Test("Nothing is due before the start time; the command of a late start is answered on arrival")
    func delay() throws {
        var effects = Effects()
        var player = try Self.player(["delay_ms": 2000], at: .zero, &effects)
        let turn = player.advance(at: .seconds(1))
        #expect(!turn.begins && turn.due == nil && !turn.isOver && !player.hasBegun)
        player.arm(at: .seconds(1), &effects)
        #expect(effects.list == [.startTimer("haptic", after: .seconds(1))])
        effects.removeAll()
        let later = try Self.player(["delay_ms": 10_001, "sound": true], at: .zero, &effects)
        #expect(effects.list == [.answer(Self.id, .ok(["degraded": ["sharpness", "sound"]]))])
        #expect(later.command == nil)
    }

    @Test("A pattern that ended before its first write is answered with an error")
    func missed() throws {
        var effects = Effects()
        var player = try Self.player(at: .zero, &effects)
        #expect(player.advance(at: .seconds(5)).isOver)
        player.missed(&effects)
        player.missed(&effects)
        let words = "the pattern expired before it could start"
        #expect(effects.list == [.answer(Self.id, .failed(.timeout, words))])
    }

    @Test(
        "A pattern ends an older pattern if both together have too many steps, with a remark",
        arguments: [9, 11])
    func mixed(passes: Int) throws {
        var performance = Performance(name: "dense", .heavy)
        var effects = Effects()
        performance.pattern.events = (0..<1000).map {
            Event(time: Double($0) / 10, .continuous(duration: 0.05), intensity: 1, sharpness: 0)
        }
        performance.passes = passes
        let older = HapticPlayer<Int>(
            performance, [], of: performance.timeline, degraded: [], for: Self.id, at: .zero, &effects)
        var newer = Performance(name: "heavy", .heavy)
        newer.isMixed = true
        let timeline = newer.timeline(over: older, at: .zero, &effects)
        let isCut = timeline == newer.timeline
        #expect(isCut == (passes > 9))
        #expect(
            newer.remarks
                == (isCut
                    ? ["the current pattern ends, because both together have more than 10000 steps"] : []))
    }

    @Test("An invalid pattern is refused, and the name of the pattern that plays is published")
    func wrong() {
        #expect(throws: CommandError.self) { _ = try Order(["pattern": "knok"] as Arguments) }
        var effects = Effects()
        effects.publish(playing: nil)
        effects.publish(playing: "knock")
        #expect(
            effects.list == [
                .publish(feature: "haptic", ["playing": nil]),
                .publish(feature: "haptic", ["playing": "knock"]),
            ])
    }
}
