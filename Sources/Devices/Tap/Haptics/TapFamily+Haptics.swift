public import DeviceKit
import Haptics

extension TapFamily {
    static let hapticFeatures = [Feature.haptic()]

    /// Returns the writes to a TAP and the vibration that its wearer feels.
    public func preview(haptic arguments: Arguments) throws(CommandError) -> HapticPreview? {
        guard case .play(let performance) = try Order(arguments) else { return nil }
        let rendering = TapHapticRendering(performance.timeline)
        return HapticPreview(
            strokes: rendering.cues.flatMap { cue in Self.strokes(cue.message.milliseconds, from: cue.time) },
            lines: rendering.cues.map { cue in
                let words = cue.message.milliseconds.map(String.init).joined(separator: " ")
                return HapticPreview.Line(time: cue.time, "on, off, on … \(words) ms")
            },
            degraded: performance.lost(besides: rendering.degraded))
    }

    private static func strokes(_ durations: [Int], from start: Duration) -> [HapticPreview.Stroke] {
        var time = start
        var strokes: [HapticPreview.Stroke] = []
        for (index, duration) in durations.enumerated() {
            let length = Duration.milliseconds(duration)
            if index.isMultiple(of: 2) {
                strokes.append(HapticPreview.Stroke(start: time, length: length, intensity: 1))
            }
            time += length
        }
        return strokes
    }
}
