import BridgeContract
import BridgeParts
import DeviceKit
import Haptics
import JSON

// The request `pattern`, which returns the intensities of a pattern: as requested, and as a device family would play
// it.
extension Bridge {
    func pattern(_ arguments: Arguments) throws(CommandError) -> JSON.Object {
        var shown = families
        if let name = arguments.text("family") { shown = families.filter { $0.name == name } }
        if let name = arguments.text("device") { shown = [try device(named: name).family] }
        var asked = arguments.values
        (asked["family"], asked["device"]) = (nil, nil)
        let resolved: JSON.Object
        let order: Order
        do {
            resolved = try Order.arguments(asked, resolving: settings.patterns, delay: nil)
            order = try Order(resolved)
        } catch {
            throw CommandError(
                CommandError.Code(rawValue: error.code.rawValue) ?? .invalidValue, error.description)
        }
        guard case .play(let performance) = order else {
            throw CommandError(.invalidValue, "pattern: stop is not a pattern, it ends one")
        }
        let timeline = performance.timeline
        let limit = Self.stepCapacity / (shown.count + 1)
        let slot = SampledCurve.slot(covering: timeline.length, limit: limit)
        let whole = SampledCurve(
            timeline.steps.map {
                .init(start: $0.start, length: $0.length, intensity: $0.intensity, sharpness: $0.sharpness)
            }, slot: slot, limit: limit)
        var (renderings, isSampled) = (JSON.Object(), whole.isSampled)
        for family in shown {
            guard let preview = try family.preview(haptic: Arguments(resolved)) else {
                renderings[family.name] = JSON.Value.null
                continue
            }
            let strokes = SampledCurve(
                preview.strokes.map { .init(start: $0.start, length: $0.length, intensity: $0.intensity) },
                slot: slot, limit: limit)
            isSampled = isSampled || strokes.isSampled
            renderings[family.name] = [
                "strokes": Self.describe(strokes, withSharpness: false),
                "degraded": .array(preview.degraded.map { .string($0) }),
            ]
        }
        var answer: JSON.Object = [
            "duration_s": timeline.length.inSeconds, "asked": Self.describe(whole, withSharpness: true),
            "shown": .object(renderings),
        ]
        if isSampled { answer["sampled_s"] = slot.inSeconds }
        return answer
    }

    /// The maximum number of steps of all curves of an answer together; about a quarter of a megabyte.
    private static let stepCapacity = 4000

    private static func describe(_ curve: SampledCurve, withSharpness: Bool) -> JSON.Value {
        .array(
            curve.steps.map { step in
                var object: JSON.Object = [
                    "time": step.start.inSeconds, "duration": step.length.inSeconds,
                    "intensity": step.intensity.inThousandths,
                ]
                if withSharpness { object["sharpness"] = step.sharpness.inThousandths }
                return .object(object)
            })
    }
}

extension Duration {
    /// The duration in seconds, rounded to milliseconds.
    fileprivate var inSeconds: JSON.Value { .number(Double(milliseconds) / 1000) }
}

extension Double {
    fileprivate var inThousandths: JSON.Value { .number((self * 1000).rounded() / 1000) }
}
