import DeviceCatalog
import DeviceKit
import Haptics
import HostServices
import JSON
import Testing
import VirtualDevices

@testable import BridgeConfiguration

@Suite("The felt vibration follows the pattern")
struct FollowingTests {
    /// The built-in patterns and the included pattern files.
    private static let orders: [JSON.Object] = [
        ["pattern": "normal"], ["pattern": "multi", "frequency": 1, "amplitude": 1],
        ["pattern": "multi", "frequency": 5, "amplitude": 1], ["pattern": "gradual", "intensity": 1],
        ["pattern": "heavy"], ["pattern": "doorbell"], ["pattern": "knock"],
        ["pattern": "heartbeat", "repeat": 3], ["pattern": "countdown"], ["pattern": "success"],
        ["pattern": "failure"],
    ]

    private static let library = PatternFolder(path: Repository.path("config/patterns")).load()

    /// Plays an order and compares the felt strength with the requested strength every 10 ms.
    ///
    /// - Parameter window: The number of samples over which both are averaged.
    /// - Returns: The mean difference, 0 to 1.
    private func error(
        of order: JSON.Object, on worn: inout Worn, window: Int
    ) throws -> Double {
        let arguments = try Order.arguments(order, resolving: Self.library, delay: nil)
        guard case .play(let performance) = try Order(arguments) else { return 1 }
        let timeline = performance.timeline
        let start = worn.now
        let id = worn.command("haptic", Arguments(arguments))
        let end = timeline.total + .milliseconds(200)
        worn.run(end)
        let curve = worn.felt(since: start)
        // Samples are taken in the middle of each 10 ms, so that the order of simultaneous edges does not matter.
        let moments = (0..<Int(end / Timeline.grid)).map { Timeline.grid * $0 + .milliseconds(5) }
        let felt = moments.map { curve.strength(at: $0) }
        let wanted = moments.map { timeline.intensity(at: $0) }
        guard case .ok = worn.answers[id] else { throw CommandError(.internal, "\(order) is not played") }
        #expect(felt.max() ?? 0 > 0, "nothing is felt")
        #expect(worn.reports["haptic"] == ["playing": nil] && worn.strength == 0, "it ends")
        let pairs = zip(Self.smooth(felt, window), Self.smooth(wanted, window))
        return pairs.map { abs($0 - $1) }.reduce(0, +) / Double(felt.count)
    }

    private static func smooth(_ values: [Double], _ window: Int) -> [Double] {
        values.indices.map { index in
            let part = values[max(0, index - window / 2)...min(values.count - 1, index + window / 2)]
            return part.reduce(0, +) / Double(part.count)
        }
    }

    @Test("All shipped patterns are accepted")
    func shipped() {
        #expect(Self.library.problems == [])
        #expect(
            Self.library.names.dropFirst(4) == [
                "countdown", "doorbell", "failure", "heartbeat", "knock", "success",
            ])
    }

    @Test("On the belt, the mean difference is at most 3 %, sampled every 10 ms", arguments: orders)
    func belt(order: JSON.Object) throws {
        var choices = VirtualBelt.Choices()
        choices.waitSignalPeriod = nil
        var worn = Worn(BeltFamily(), .belt(choices))
        #expect(worn.isReady)
        let error = try error(of: order, on: &worn, window: 1)
        print("belt \(JSON.Value.object(order)): mean error \((error * 1000).rounded() / 10) %")
        #expect(error < 0.03)
    }

    @Test("A belt whose firmware lacks pulses follows the pattern as well", arguments: orders)
    func oldBelt(order: JSON.Object) throws {
        var choices = VirtualBelt.Choices()
        (choices.waitSignalPeriod, choices.firmware) = (nil, [41, 0, 0])
        var worn = Worn(BeltFamily(), .belt(choices))
        #expect(try error(of: order, on: &worn, window: 1) < 0.03)
    }

    @Test("After a pattern, the belt returns to its previous state: compass, mode or silence")
    func before() throws {
        var choices = VirtualBelt.Choices()
        choices.waitSignalPeriod = nil
        var worn = Worn(BeltFamily(), .belt(choices))
        worn.command("mode", ["mode": "compass"])
        worn.run(.seconds(1))
        let north = worn.strength
        #expect(worn.reports["mode"] == "compass" && north > 0)
        worn.command("haptic", ["pattern": "heavy", "scale": 0.3])
        worn.run(.milliseconds(700))
        #expect(worn.reports["mode"] == "app")
        #expect(abs(worn.strength - 0.12) < 0.001, "only the pattern is felt")
        worn.run(.seconds(1))
        #expect(worn.reports["mode"] == "compass" && worn.strength == north)
        #expect(worn.reports["haptic"] == ["playing": nil])
        worn.command("mode", ["mode": "wait"])
        worn.run(.seconds(1))
        worn.command("haptic", ["pattern": "heavy"])
        worn.run(.milliseconds(300))
        worn.command("haptic", ["pattern": "stop"])
        worn.run(.milliseconds(100))
        #expect(worn.strength == 0 && worn.reports["mode"] == "wait")
    }

    @Test("On a TAP, the mean difference is at most 6 %, over a window of 150 ms", arguments: orders)
    func tap(order: JSON.Object) throws {
        var worn = Worn(TapFamily(), .tap(.init()))
        #expect(worn.isReady)
        let error = try error(of: order, on: &worn, window: 15)
        print("tap \(JSON.Value.object(order)): mean error \((error * 1000).rounded() / 10) %")
        #expect(error < 0.06)
    }

    @Test("The guide has the mean difference of each pattern in its picture, in percent")
    func guide() throws {
        let guide = String(
            decoding: try FileAccess.read(Repository.path("docs/guides/haptics.md")), as: UTF8.self)
        for order in CurveTests.orders {
            let name = order.arguments["pattern"] == nil ? order.name : "`\(order.name)`"
            let percents = try Device.all.map { device in
                var worn = device.makeWorn()
                let error = try error(of: order.arguments, on: &worn, window: device.window)
                let tenths = Int((error * 1000).rounded())
                return "\(tenths / 10).\(tenths % 10)"
            }
            let row = "| \(name) | \(percents.joined(separator: " | ")) |"
            #expect(guide.split(separator: "\n").contains { $0 == row }, "the row is \(row)")
        }
    }
}
