import Bluetooth
import DeviceKit

extension BeltMachine {
    /// The time limit for the last writes before the link is closed.
    static let closing = ClosingWords(within: .seconds(1))

    /// Closes the link cleanly: stops vibrations, and leaves app mode or a pause that started in app mode. Without
    /// this, the belt would leave app mode only when it notices that its client is gone.
    mutating func close(_ effects: inout Effects) {
        let isOurs =
            phase == .online
            && (mode == .app || hapticReturn != nil
                || mode == .pause && (navigation.isPauseOurs || appMode.isPaused))
        let isFelt = phase == .online && mode == .app || vibrations.mayBeFelt(in: mode, at: now)
        let silence = phase != .offline && isFelt ? silence(of: nil) : []
        let former = hapticReturn
        leave(&effects)
        phase = .closing
        for (index, command) in silence.enumerated() {
            let isLast = !isOurs && index + 1 == silence.count
            let purpose = isLast ? Purpose.lastWord : .silence(nil, isCertain: true)
            write(BeltGATT.vibration, command.bytes, for: purpose, &effects)
        }
        if isOurs {
            write(
                BeltGATT.parameterRequest, BeltParameterRequest.setMode(former ?? .wait).bytes,
                for: .lastWord,
                &effects)
        }
        Self.closing.begin(hasWords: isOurs || !silence.isEmpty, &effects)
    }

    /// Resets the state of the link, and answers every command in progress.
    ///
    /// Navigation commands are answered as kept: their target is stored in the navigation controller
    /// (``BeltNavigation``), which shows the target again on the next link.
    mutating func leave(_ effects: inout Effects) {
        for name in Self.timers { effects.cancelTimer(name) }
        vibrationReport.alarm = nil
        let offline = Answer.linkLost("belt")
        let pending = change
        change = nil
        if let command = pending?.command {
            // A belt that is switched off may disconnect before it notifies the mode.
            let isDone = pending?.goal == .mode(.standby) && pending?.confirmation.isAcknowledged == true
            effects.answer(command, isDone ? .ok : pending?.next == .navigation ? .kept : offline)
        }
        navigationCommand.answer(.kept, &effects)
        for purpose in writes.forget() {
            switch purpose {
            case .command(let id), .vibration(let id?), .silence(let id?, _), .haptic(let id, _):
                effects.answer(id, offline)
            case .signal(let id?): effects.answer(id, .kept)
            case .gatt(let id, _?): effects.answer(id, offline)
            case .vibration(nil), .silence(nil, _), .signal(nil), .confirmed, .lastWord, .errorLog,
                .rawValues,
                .gatt(_, nil):
                break
            }
        }
        for id in diagnosis.leave() { effects.answer(id, offline) }
        if let id = orientation.command {
            orientation.command = nil
            effects.answer(id, offline)
        }
        for request in queue.remove(where: { _ in true }) {
            if case BeltFamily.navigation = request.feature {
                keep(request, &effects)
            } else {
                effects.answer(request.id, offline)
            }
        }
        if let id = haptic?.player.command { effects.answer(id, offline) }
        if isPlaying { effects.publish(playing: nil) }
        (haptic, hapticReturn) = (nil, nil)
        throttle.reset()
        handshake.abandon()
        appMode = BeltAppModeClaim()
        vibrations.linkLost()
        isEnteringAppMode = false
        orientation.isSubscribed = false
        if mode != nil, phase != .closing { BeltFamily.mode.publish(nil, &effects) }
        mode = nil
        defaultIntensity = nil
        firmware = nil
    }
}
