import DeviceKit
import Glibc
import Haptics
import HostServices
import JSON
import Testing

@testable import BridgeConfiguration

/// Compares twelve patterns with their renderings, and draws both. `TACTILE_WRITE_PICTURES=1` writes the picture.
@Suite("The curves that devices show")
struct CurveTests {
    private static let picture = Repository.path("docs/pictures/haptic-curves.svg")
    private static let library = PatternFolder(path: Repository.path("config/patterns")).load()

    private static let row: JSON.Value = .array(
        (0..<4).map { ["time": .number(Double($0) / 10), "kind": "transient", "sharpness": 0.2] })
    private static let noise: JSON.Value = .array(
        (0..<40).map {
            [
                "time": .number(Double($0) / 40), "kind": "continuous", "duration": 0.025,
                "intensity": .number(Double($0 * 7 % 10) / 10),
            ]
        })

    static let orders: [(name: String, arguments: JSON.Object)] =
        [
            "normal", "multi", "gradual", "heavy", "doorbell", "knock", "heartbeat", "countdown", "success",
            "failure",
        ]
        .map { ($0, ["pattern": .string($0)]) } + [
            ("four taps", ["events": row]), ("fast changes", ["events": noise]),
        ]

    /// The curve asked, the curve shown, and the mean difference in percent, sampled every 10 ms.
    private static func curves(
        _ arguments: JSON.Object, on device: Device
    ) throws -> (asked: [Double], shown: [Double], error: Double) {
        let resolved = try Order.arguments(arguments, resolving: library, delay: nil)
        guard case .play(let performance) = try Order(resolved),
            let preview = try device.family.preview(haptic: Arguments(resolved))
        else { throw CommandError(.internal, "nothing is played") }
        let timeline = performance.timeline
        let count = Int(timeline.length / Timeline.grid) + 5
        let moments = (0..<count).map { Timeline.grid * $0 + .milliseconds(5) }
        let asked = moments.map { timeline.intensity(at: $0) }
        let shown = moments.map { preview.intensity(at: $0) }
        let error =
            zip(smooth(asked, device.window), smooth(shown, device.window))
            .map { abs($0 - $1) }.reduce(0, +) / Double(count)
        return (asked, shown, error * 100)
    }

    private static func smooth(_ values: [Double], _ window: Int) -> [Double] {
        values.indices.map { index in
            let part = values[max(0, index - window / 2)...min(values.count - 1, index + window / 2)]
            return part.reduce(0, +) / Double(part.count)
        }
    }

    @Test("Each rendering is close to its pattern, and the guide has the picture of both")
    func picture() throws {
        var drawing = CurvePicture(columns: Device.all.map(\.name))
        for order in Self.orders {
            var cells: [CurvePicture.Cell] = []
            for device in Device.all {
                let (asked, shown, error) = try Self.curves(order.arguments, on: device)
                // Changes that are faster than the link of a belt are averaged, which its answer reports.
                let limit = order.name == "fast changes" ? 25.0 : 10
                #expect(error < limit, "\(order.name) on \(device.name)")
                #expect(shown.max() ?? 0 > 0)
                cells.append(.init(asked: asked, shown: shown, error: error))
            }
            drawing.add(order.name, cells)
        }
        if getenv("TACTILE_WRITE_PICTURES") != nil {
            try drawing.svg.withCString { text in
                let file = try #require(fopen(Self.picture, "w"))
                fputs(text, file)
                fclose(file)
            }
        }
        let stored = try String(decoding: FileAccess.read(Self.picture), as: UTF8.self)
        #expect(stored == drawing.svg, "write it with TACTILE_WRITE_PICTURES=1")
    }
}
