public import DeviceKit
import Haptics
import JSON

extension BeltFamily {
    /// Returns the writes to a belt with firmware 52 in app mode, and the vibration that the wearer feels.
    public func preview(haptic arguments: Arguments) throws(CommandError) -> HapticPreview? {
        guard case .play(let performance) = try Order(arguments) else { return nil }
        let rendering = BeltHapticRendering(performance.timeline, slots: BeltMachine.hapticChannels.count)
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
    /// A description of the step for the preview, such as `continuous 80 % at 90° for 200 ms`.
    fileprivate var words: String {
        let kind =
            switch tap {
            case .short: "short pulse"
            case .long: "long pulse"
            case nil: "continuous"
            }
        let direction = if case .position(let position) = place { " at \(position.degrees)°" } else { "" }
        return "\(kind) \(intensity) %\(direction) for \(length) ms"
            + (isFollowed ? ", then up to \(Self.lingering) ms until the next write" : "")
    }
}
