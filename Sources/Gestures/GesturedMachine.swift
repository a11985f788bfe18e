import DeviceKit
import JSON

/// The state machine of a device that recognizes gestures in its events.
struct GesturedMachine: DeviceMachine {
    private static let timer: TimerName = "gesture"

    private var base: any DeviceMachine
    private let inputs: GestureInputs
    private let map: GestureMap
    /// The name of the device whose gestures these events also belong to; nil for none.
    private let pair: String?
    private var matcher: GestureMatcher

    init(_ base: any DeviceMachine, _ inputs: GestureInputs, _ map: GestureMap, pair: String?) {
        self.base = base
        self.inputs = inputs
        self.map = map
        self.pair = pair
        matcher = GestureMatcher(map)
    }

    var will: Will { base.will }
    var isStopCertain: Bool { base.isStopCertain }
    var hasPower: Bool { base.hasPower }

    mutating func stageChanged(to stage: LinkStage, at now: Duration, effects: inout Effects) {
        base.stageChanged(to: stage, at: now, effects: &effects)
    }

    mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {
        let (before, layer) = (matcher.deadline, matcher.layer)
        var isReady = false
        switch input {
        case .timer(Self.timer): publish(matcher.expire(at: now), &effects)
        case .relayed(let input):
            publish(matcher.take("\(GestureInputs.other) \(input)", at: now), &effects)
        default:
            // Inputs before and after a lost link never form one gesture.
            if case .disconnected = input { matcher = GestureMatcher(map) }
            // After a stop, nothing starts because of earlier inputs.
            if case .stop = input { matcher.clear() }
            var own = Effects()
            base.handle(input, at: now, effects: &own)
            for effect in own.list {
                effects.append(effect)
                if case .ready = effect { isReady = true }
                guard case .publish(let feature, let value) = effect,
                    let input = inputs.input(feature, value)
                else { continue }
                publish(matcher.take(input, at: now), &effects)
                if let pair { effects.append(.relay(to: pair, input: input)) }
            }
        }
        if isReady || matcher.layer != layer {
            effects.publish(GesturedFamily.layer, .string(matcher.layer))
        }
        guard matcher.deadline != before else { return }
        if let deadline = matcher.deadline {
            effects.startTimer(Self.timer, after: deadline - now)
        } else {
            effects.cancelTimer(Self.timer)
        }
    }

    private func publish(_ matches: [GestureMatcher.Match], _ effects: inout Effects) {
        for match in matches {
            guard let action = match.gesture.action else { continue }
            let done = match.gesture.inputs.map(inputs.shown)
            effects.publish(GesturedFamily.action, GesturedFamily.event(action, match.layer, done))
            for command in map.commands[action] ?? [] { effects.append(.command(command)) }
        }
    }
}
