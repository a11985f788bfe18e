public import DeviceKit
import Haptics
import JSON

extension BeltFamily {
    /// Returns the writes to a belt with firmware 52 and the vibration that the wearer feels, for any place on the
    /// belt.
    public func preview(haptic arguments: Arguments) throws(CommandError) -> HapticPreview? {
        guard case .play(let performance) = try Order(arguments) else { return nil }
        let timeline = performance.timeline
        let rendering = BeltHapticRendering(timeline)
        return HapticPreview(
            strokes: rendering.cues.map { cue in
                HapticPreview.Stroke(
                    start: cue.time, length: .milliseconds(cue.message.length),
                    intensity: Double(cue.message.intensity) / 100)
            },
            lines: rendering.cues.map { cue in
                HapticPreview.Line(time: cue.time, cue.message.words)
            },
            degraded: performance.lost(besides: rendering.degraded))
    }
}

extension BeltHapticStep {
    /// `continuous 80 % for 200 ms`
    fileprivate var words: String {
        switch tap {
        case .short: "short pulse \(intensity) % for \(length) ms"
        case .long: "long pulse \(intensity) % for \(length) ms"
        case nil:
            "continuous \(intensity) % for \(length) ms"
                + (isFollowed ? ", then \(Self.lingering) ms more unless the next write ends it" : "")
        }
    }
}
