import DeviceKit
import JSON
import Logging

// A person lets a device go for a while, and has it back.
extension DeviceSession {
    /// Takes what became of a wish, once.
    typealias Done = (Answer) -> Void

    /// How long somebody waits for a device that was asked to come.
    private static let arrivalTime = Duration.seconds(30)
    /// How long a state machine may take for its goodbye.
    private static let partingTime = Duration.milliseconds(1500)

    // MARK: Going

    /// Closes the link in good order and leaves the device alone; tells when the link is closed.
    func userDisconnect(then done: @escaping Done) {
        // What is let go of has nobody left who could wait for it.
        guard life < .ended else { return done(.ok) }
        logger.info("disconnected by request")
        supervision.userDisconnect()
        answerConnectWaiters(.failed(.deviceOffline, "it was disconnected by request meanwhile"))
        disconnectWaiters.append(done)
        guard life == .open else { return }
        if link != nil, !isParting, !wantsDisconnect {
            part()
        } else if link == nil {
            proceed()
        }
    }

    /// Makes the device safe, then closes its link; the session lives on.
    func part() {
        linked?.isParting = true
        startTimer(.parting, at: now + Self.partingTime)
        feed(.close)
    }

    /// The state machine has said its last words, or its time is up.
    func finishParting(isTimeUp: Bool = false) {
        guard isParting, let link else { return }
        settleWill(isTimeUp: isTimeUp)
        linked?.isParting = false
        timers.cancel(.parting)
        let other = linked?.successor.map { "held by the bridge \($0)" } ?? Self.adapterReason
        let reason = supervision.isUserDisconnected ? supervision.heldReason : other
        closeLink(link, reason: linked?.failure?.reason ?? reason)
    }

    /// Answers those who wanted the device gone, if it is.
    func settleDisconnectWaiters() {
        guard link == nil, supervision.isUserDisconnected, supervision.state == .disconnected else { return }
        answerDisconnectWaiters()
    }

    /// Answers those who wanted the device gone: it is.
    func answerDisconnectWaiters() {
        let waiting = disconnectWaiters
        disconnectWaiters = []
        for done in waiting { done(.ok) }
    }

    // MARK: Coming

    /// Connects as soon as the device is heard, without waiting for the next attempt; tells when it is online.
    func userReconnect(then done: @escaping Done) {
        guard life < .finished else { return done(Self.letGo) }
        supervision.userReconnect()
        for departure in disconnectWaiters { departure(.failed(.busy, "it is connected again by request")) }
        disconnectWaiters = []
        guard !isReady || isParting else { return done(.ok(["state": .string(supervision.state.rawValue)])) }
        connectWaiters.append(done)
        startTimer(.arrival, at: now + Self.arrivalTime)
        proceed()
    }

    /// Answers those who wait for the device.
    func answerConnectWaiters(_ answer: Answer) {
        let waiting = connectWaiters
        connectWaiters = []
        timers.cancel(.arrival)
        for done in waiting { done(answer) }
    }

    // MARK: Bonding

    /// Bonds with the device because a person wants it.
    func bond() async -> Answer {
        guard !supervision.isUserDisconnected else {
            return .failed(.wrongMode, "\(name) is disconnected by request: connect it first")
        }
        do throws(RadioError) {
            try await world.radio.pair(address, requirements: requirements)
        } catch {
            logFailure(.warning, "could not bond", "\(error)")
            switch error.code {
            case .unavailable, .unknownDevice, .unreachable: return .failed(.deviceOffline, error.message)
            case .busy: return .failed(.busy, error.message)
            case .inputDevice:
                inputs.bonded()
                turnAway(DeviceFailure(.inputDevice, error.message, advice: InputGuard.advice))
                return .failed(.deviceError, "\(error.message); \(InputGuard.advice)")
            case .pairingRequired, .pairingFailed, .wrongProfile, .failed:
                return .failed(.deviceError, "\(error.message); \(supervision.bondAdvice)")
            }
        }
        logger.info("bonded")
        inputs.bonded()
        supervision.bonded()
        if life == .open { proceed() }
        return .ok
    }
}
