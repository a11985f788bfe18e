import DeviceKit

extension TapMachine {
    static let pointerTimer: TimerName = "pointer"

    /// Handles a report that the hand moved like a mouse.
    mutating func moved(_ motion: TapMouseReport, _ effects: inout Effects) {
        lastMotion = (motion.velocityX, motion.velocityY, now)
        TapFamily.moused.publish(motion, &effects)
    }

    /// Handles a report about the hand, after the filter.
    mutating func pointed(_ hand: TapHand, _ effects: inout Effects) {
        let wasPressed = pointer.mayDrag
        let events = pointer.take(hand)
        for event in events { publish(event, &effects) }
        if pointer.mayDrag, events.last?.action == .press {
            effects.startTimer(Self.pointerTimer, after: TapPointer.clickTime)
        } else if wasPressed, !pointer.mayDrag {
            effects.cancelTimer(Self.pointerTimer)
        }
    }

    mutating func pressIsHeld(_ effects: inout Effects) {
        if let event = pointer.held() { publish(event, &effects) }
    }

    /// Ends the pointer when no more reports about the hand will arrive, so that a dragged item is dropped.
    mutating func endPointer(_ effects: inout Effects) {
        if pointer.mayDrag { effects.cancelTimer(Self.pointerTimer) }
        if let event = pointer.end() { publish(event, &effects) }
    }

    private func publish(_ event: TapPointer.Event, _ effects: inout Effects) {
        var report = TapFamily.Pointing(action: event.action, finger: event.finger)
        if let (x, y, time) = lastMotion, now - time < TapPointer.restTime {
            (report.velocityX, report.velocityY) = (x, y)
        }
        TapFamily.pointer.publish(report, &effects)
    }
}
