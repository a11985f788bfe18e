import Bluetooth
import DeviceKit

extension BeltMachine {
    /// How long the belt may take for the last writes; the session waits two seconds in all.
    private static let closeTime: Duration = .seconds(1)

    /// Closes the link in good order: vibrations stop and the belt goes back to wait, from app mode or from a pause
    /// that began there, instead of finding out by itself that nobody leads it.
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
            write(GATT.vibration, command.bytes, for: purpose, &effects)
        }
        if isOurs {
            write(
                GATT.parameterRequest, ParameterRequest.setMode(former ?? .wait).bytes, for: .lastWord,
                &effects)
        }
        guard isOurs || !silence.isEmpty else { return effects.append(.disconnect) }
        effects.startTimer(Self.closeTimer, after: Self.closeTime)
    }

    /// Forgets what holds for one link only, and answers every command that is under way.
    ///
    /// Navigation commands are kept: the controller's state is what they asked for, and the link's return shows it.
    mutating func leave(_ effects: inout Effects) {
        for name in Self.timers { effects.cancelTimer(name) }
        let pending = confirmation
        confirmation = nil
        if let command = pending?.command {
            // A belt that was asked to switch off may be gone before it says so.
            let isDone = pending?.goal == .mode(.standby) && pending?.isAcknowledged == true
            effects.answer(
                command, isDone ? .ok : pending?.next == .navigation ? .kept : Self.offline)
        }
        answerNavigation(.kept, &effects)
        for (_, purpose) in writes.sorted(by: { $0.key.number < $1.key.number }) {
            switch purpose {
            case .command(let id), .vibration(let id?), .silence(let id?, _), .haptic(let id, _):
                effects.answer(id, Self.offline)
            case .signal(let id?): effects.answer(id, .kept)
            case .vibration(nil), .silence(nil, _), .signal(nil), .confirmed, .ask, .lastWord: break
            }
        }
        writes = [:]
        if let id = orientation.command {
            orientation.command = nil
            effects.answer(id, Self.offline)
        }
        for request in queue.remove(where: { _ in true }) {
            if request.feature == "navigation" {
                keep(request, &effects)
            } else {
                effects.answer(request.id, Self.offline)
            }
        }
        if let id = haptic?.command { effects.answer(id, Self.offline) }
        if isPlaying { effects.publish(Feature.hapticName, hapticReport(nil)) }
        (haptic, hapticReturn) = (nil, nil)
        throttle.reset()
        handshake = Handshake()
        appMode = AppModeClaim()
        vibrations.linkLost()
        isEnteringAppMode = false
        orientation.isSubscribed = false
        mode = nil
        firmware = nil
    }

    private static let offline = Answer.failed(.deviceOffline, "the link to the belt was lost")
}
