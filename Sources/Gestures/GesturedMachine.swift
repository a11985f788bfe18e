import DeviceKit

/// The state machine of a device that recognizes gestures in its events.
struct GesturedMachine: DeviceMachine {
    private static let timer: TimerName = "gesture"

    private var base: any DeviceMachine
    private let inputs: GestureInputs
    private let map: GestureMap
    private var matcher: GestureMatcher

    init(_ base: any DeviceMachine, _ inputs: GestureInputs, _ map: GestureMap) {
        self.base = base
        self.inputs = inputs
        self.map = map
        matcher = GestureMatcher(map)
    }

    var will: Will { base.will }
    var isStopCertain: Bool { base.isStopCertain }
    var hasPower: Bool { base.hasPower }

    mutating func stageChanged(to stage: LinkStage, at now: Duration, effects: inout Effects) {
        base.stageChanged(to: stage, at: now, effects: &effects)
    }

    mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {
        let before = matcher.deadline
        if case .timer(Self.timer) = input {
            publish(matcher.expire(at: now), &effects)
        } else {
            // Inputs before and after a lost link never form one gesture.
            if case .disconnected = input { matcher = GestureMatcher(map) }
            var own = Effects()
            base.handle(input, at: now, effects: &own)
            for effect in own.list {
                effects.append(effect)
                if case .publish(let feature, let value) = effect, let input = inputs.input(feature, value) {
                    publish(matcher.take(input, at: now), &effects)
                }
            }
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
            effects.publish(
                GesturedFamily.action, GesturedFamily.event(action, match.layer, match.gesture.inputs))
        }
    }
}
