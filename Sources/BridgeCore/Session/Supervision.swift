import DeviceKit

/// Decides when to connect to a device, and says what a person should know about it: a pure state machine.
struct Supervision: Sendable {
    /// The words of the `connection` topic.
    enum State: String, Hashable, Sendable {
        case disconnected, searching, connecting, pairing, preparing, connected, error
    }

    /// What the session should do now.
    enum Decision: Hashable, Sendable {
        /// Nothing, until something happens or this time has come.
        case wait(until: Duration?)
        /// Connect.
        case connect
        /// Bond.
        case pair
    }

    private(set) var state: State = .disconnected
    private(set) var attempt = 0
    private(set) var reason: String?
    private(set) var advice: String?
    /// Before this moment nothing is tried; nil where only a sign of life is waited for.
    private(set) var nextAttempt: Duration?

    private var isRadioReady = false
    private var isHeard = false
    private var needsPairing = false
    private var isOff = false
    private var pairingFailures = 0
    private let bondingAdvice: String?

    /// - Parameter bondingAdvice: What a person must do before the device can be bonded.
    init(bondingAdvice: String? = nil) { self.bondingAdvice = bondingAdvice }

    /// Whether the device must be heard before anything can go on.
    var wantsDiscovery: Bool {
        !isOff && isRadioReady
            && [.disconnected, .searching, .error].contains(state)
    }

    /// What to do now. Moves on to connecting or pairing when it says so.
    mutating func decide(at now: Duration) -> Decision {
        guard !isOff, [.disconnected, .searching, .error].contains(state) else { return .wait(until: nil) }
        guard isRadioReady else {
            state = .disconnected
            reason = reason ?? "no Bluetooth adapter is ready"
            return .wait(until: nil)
        }
        if let nextAttempt, now < nextAttempt { return .wait(until: nextAttempt) }
        guard isHeard else {
            if state != .searching {
                state = .searching
                nextAttempt = nil
            }
            return .wait(until: nil)
        }
        nextAttempt = nil
        isHeard = false
        state = needsPairing ? .pairing : .connecting
        return needsPairing ? .pair : .connect
    }

    /// An adapter is ready, or none is any more.
    mutating func radio(isReady: Bool, reason words: String? = nil) {
        guard isReady != isRadioReady else { return }
        isRadioReady = isReady
        isHeard = false
        if isReady {
            if state == .disconnected { (reason, advice) = (nil, nil) }
            nextAttempt = nil
        } else {
            reason = words
            advice = "see that the adapter is plugged in and switched on: bluetoothctl show, rfkill list"
            if [.searching, .error].contains(state) { state = .disconnected }
        }
    }

    /// The device was heard, or the host is connected to it already.
    mutating func heard() { isHeard = true }

    /// The link is up; the handshake begins.
    mutating func linked() { state = .preparing }

    /// The handshake is done.
    mutating func ready() {
        state = .connected
        (attempt, reason, advice, nextAttempt) = (0, nil, nil, nil)
        (needsPairing, pairingFailures) = (false, 0)
    }

    /// The device is bonded now.
    mutating func paired() {
        needsPairing = false
        isHeard = true
        state = .searching
    }

    /// Connecting or bonding failed.
    mutating func failed(_ error: RadioError, at now: Duration) {
        attempt += 1
        reason = error.message
        advice = nil
        state = .searching
        switch error.code {
        case .pairingRequired: wantPairing(at: now, advice: nil)
        case .pairingFailed:
            pairingFailures += 1
            state = .error
            advice = bondingAdvice ?? "put the device into pairing mode, or remove its old bond on both sides"
            nextAttempt = now + Self.delay(attempt: pairingFailures, first: .seconds(5), limit: .seconds(60))
            isHeard = true
        case .wrongProfile:
            state = .error
            advice = "it is another device than its name says; remove it from the configuration"
            nextAttempt = now + .seconds(300)
        case .unavailable: state = .disconnected
        case .busy:
            nextAttempt = now + .seconds(1)
            isHeard = true
        case .unknownDevice: break
        case .unreachable, .failed:
            advice = "see that the device is switched on, near, and not connected to something else"
            nextAttempt = now + Self.delay(attempt: attempt, first: .milliseconds(500), limit: .seconds(30))
        }
    }

    /// The device's own state machine gave up on the link.
    mutating func failed(_ failure: DeviceFailure, at now: Duration) {
        attempt += 1
        reason = failure.reason
        advice = failure.advice
        state = .error
        switch failure.code {
        case .pairingRequired: wantPairing(at: now, advice: failure.advice)
        case .handshake:
            nextAttempt = now + Self.delay(attempt: attempt, first: .seconds(1), limit: .seconds(60))
        case .notThisFamily: nextAttempt = now + .seconds(300)
        case .poweredOff:
            attempt = 0
            state = .searching
            nextAttempt = nil
        }
    }

    /// The link is lost after the handshake.
    mutating func lost(reason words: String, at now: Duration) {
        isHeard = false
        guard state == .connected else {
            return failed(RadioError(.unreachable, words), at: now)
        }
        state = .searching
        reason = words
        advice = nil
        nextAttempt = nil
    }

    /// Nothing more is to be tried.
    mutating func stop(reason words: String) {
        isOff = true
        state = .disconnected
        (reason, advice, nextAttempt) = (words, nil, nil)
    }

    private mutating func wantPairing(at now: Duration, advice words: String?) {
        needsPairing = true
        isHeard = true
        state = .searching
        advice = words ?? bondingAdvice
        nextAttempt = now + Self.delay(attempt: attempt, first: .milliseconds(500), limit: .seconds(30))
    }

    /// Doubles from `first` to `limit`.
    static func delay(attempt: Int, first: Duration, limit: Duration) -> Duration {
        min(limit, first * (1 << min(max(attempt - 1, 0), 16)))
    }
}
