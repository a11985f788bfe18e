import Bluetooth
import DeviceKit

extension TapMachine {
    /// The time limit for the last writes before the link is closed, including the pauses between them.
    static let closing = ClosingWords(within: .milliseconds(1300))

    /// Closes the link cleanly: the TAP becomes a keyboard again, and a TapXR chooses its state by the posture of the
    /// hand. In a TAP with the framed protocol, all functions are switched off.
    mutating func close(_ effects: inout Effects) {
        let isOnline = phase == .online
        leave(&effects)
        phase = .closing
        if isOnline, isFramed {
            let silence = commandsToSilence
            if !silence.isEmpty { frames.add(TapFrameLine.Request(purpose: .lastWord, commands: silence)) }
        } else if isOnline {
            if let sentMode, sentMode != .mode(.text) { slot.add(.lastWord(.mode(.text))) }
            if let sentXRState, sentXRState != .userControl { slot.add(.lastWord(.xr(.userControl))) }
        }
        let hasWords = isOnline && !(slot.isEmpty && frames.isEmpty)
        Self.closing.begin(hasWords: hasWords, &effects)
        if hasWords { if isFramed { runFrames(&effects) } else { runSlot(&effects) } }
    }

    /// Resets the state of the link, and answers every command in progress.
    mutating func leave(_ effects: inout Effects) {
        for name in Self.timers { effects.cancelTimer(name) }
        flushBatch(&effects)
        endPointer(&effects)
        let offline = Answer.linkLost("TAP")
        if let id = haptic?.command { effects.answer(id, offline) }
        finishHaptic(&effects)
        handshake.abandon()
        for id in slot.clear() + frames.clear() { effects.answer(id, offline) }
        // A write in progress from the command queue is not forgotten here, because the last writes start when it is
        // complete.
        for id in writes.forget(where: { $0.command != nil }).compactMap(\.command) {
            effects.answer(id, offline)
        }
        for renaming in renamings.forget() { effects.answer(renaming.id, offline) }
    }
}
