import DeviceKit
import Haptics
import HostTesting
import JSON
import Testing

/// Plays random patterns on simulated devices. Whatever is requested and not felt must be in the list `degraded` of the
/// answer.
@Suite("What the wearer does not feel is reported")
struct TruthTests {
    private static let devices = Device.all + [.finder]

    private func arguments(_ events: [Event], _ others: JSON.Object) -> Arguments {
        var arguments = others
        arguments["ahap"] = AHAPFile.value(of: Pattern(events))
        return Arguments(arguments)
    }

    @Test("Random patterns, also repeated", arguments: devices)
    func alone(device: Device) throws {
        var worn = device.makeWorn()
        var random = RandomSource(seed: 1)
        for _ in 0..<120 {
            let (events, passes) = (random.hapticEvents(), random.pick([1, 1, 2, 3]))
            let asked = AskedEvent.all(events, passes: passes)
            let start = worn.now
            let id = worn.command("haptic", arguments(events, ["repeat": .integer(passes)]))
            worn.run((asked.map(\.end).max() ?? .zero) + .seconds(1))
            let report = try #require(worn.degraded(id))
            let unreported = Comparison(device, worn, since: start).unreported(asked, report)
            #expect(unreported == [], "\(passes) x \(Pattern(events).yaml)\(report)")
        }
    }

    @Test("A random pattern that is mixed with another pattern", arguments: devices)
    func mixed(device: Device) throws {
        var worn = device.makeWorn()
        var random = RandomSource(seed: 2)
        for _ in 0..<60 {
            let (older, newer) = (random.hapticEvents(), random.hapticEvents())
            let delay = Duration.milliseconds(random.pick([30, 130, 250]))
            let start = worn.now
            worn.command("haptic", arguments(older, [:]))
            worn.run(delay)
            let id = worn.command("haptic", arguments(newer, ["mixed": true]))
            let asked = AskedEvent.all(older) + AskedEvent.all(newer, delayedBy: delay)
            worn.run((asked.map(\.end).max() ?? .zero) + .seconds(1))
            let report = try #require(worn.degraded(id))
            // The answer concerns what is felt after it.
            let unreported = Comparison(device, worn, since: start).unreported(
                asked, report, after: delay + .milliseconds(20))
            #expect(
                unreported == [],
                "\(Pattern(older).yaml)after \(delay) \(Pattern(newer).yaml)\(report)")
        }
    }
}
