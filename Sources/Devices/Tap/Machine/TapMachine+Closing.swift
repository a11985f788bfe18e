import Bluetooth
import DeviceKit

extension TapMachine {
    /// How long the TAP may take for the last writes and the pauses between them; the session waits 1.5 s in all.
    private static let closeTime = Duration.milliseconds(1300)

    /// Closes the link in good order: the TAP is a keyboard again, and a TapXR decides by itself.
    mutating func close(_ effects: inout Effects) {
        guard phase == .online else {
            leave(&effects)
            phase = .closing
            return effects.append(.disconnect)
        }
        leave(&effects)
        phase = .closing
        if let sentMode, sentMode != .mode(.text) { slot.add(.lastWord(.mode(.text))) }
        if let sentXRState, sentXRState != .userControl { slot.add(.lastWord(.xr(.userControl))) }
        guard !slot.isEmpty else { return effects.append(.disconnect) }
        effects.startTimer(Self.closeTimer, after: Self.closeTime)
        runSlot(&effects)
    }

    /// Ends what belongs to one link only, and answers every command that is under way.
    mutating func leave(_ effects: inout Effects) {
        for name in Self.timers { effects.cancelTimer(name) }
        flushBatch(&effects)
        if let id = haptic?.command { effects.answer(id, Self.offline) }
        finishHaptic(&effects)
        handshake = Handshake()
        for id in slot.clear() { effects.answer(id, Self.offline) }
        for (token, purpose) in writes.sorted(by: { $0.key.number < $1.key.number }) {
            switch purpose {
            case .vibration(let id, _), .haptic(let id, _), .name(let id, _):
                effects.answer(id, Self.offline)
            case .slot: continue
            }
            writes[token] = nil
        }
        for (id, _) in renamings { effects.answer(id, Self.offline) }
        renamings = []
    }

    private static let offline = Answer.failed(.deviceOffline, "the link to the TAP was lost")
}
