package import BridgeContract
package import DeviceKit

// How a failure determines the state, the advice to the user, and the time of the next attempt.
extension Supervision {
    /// Records that connecting or bonding failed.
    package mutating func failed(_ error: RadioError, at now: Duration) {
        attempt += 1
        (reason, advice) = (error.message, nil)
        reasonCode = LinkReason(error.code)
        state = .searching
        switch error.code {
        case .pairingRequired: wantBond(at: now, advice: nil)
        case .pairingFailed:
            advice = bond.advice
            isHeard = true
            guard let pause = bond.failed() else { return }
            state = .error
            nextAttempt = now + pause
        case .wrongProfile:
            state = .error
            advice = otherDeviceAdvice
            nextAttempt = now + .seconds(300)
        case .serviceClaimed:
            (state, advice) = (.error, Self.claimAdvice)
            nextAttempt = now + .seconds(300)
        case .inputDevice:
            (state, advice) = (.error, InputGuard.advice)
            nextAttempt = now + .seconds(300)
        case .unavailable:
            state = .disconnected
            advice = Self.radioAdvice
            nextAttempt = now + Self.delay(attempt: attempt, first: .seconds(1), limit: .seconds(30))
            isHeard = true
        case .busy:
            nextAttempt = now + .seconds(1)
            isHeard = true
        case .noSlot:
            // The adapter has no free slot. This is no failure of the device, so the attempt is not counted.
            attempt -= 1
            (advice, isHeard) = (Self.noSlotAdvice, true)
        case .proxyOnly:
            // The device is connected as soon as an adapter of a host receives it.
            attempt -= 1
            advice = Self.proxyAdvice
            nextAttempt = now + .seconds(30)
        case .unknownDevice, .unreachable, .failed:
            advice = bond.linkFailed() ? bond.advice : Self.absenceAdvice
            if attempt >= Self.patience, error.code != .unknownDevice { state = .error }
            nextAttempt = now + pause(first: .milliseconds(500), limit: .seconds(30))
        }
    }

    /// Records that the device's state machine ended the link with a failure.
    package mutating func failed(_ failure: DeviceFailure, at now: Duration) {
        (isHeard, state) = (false, .error)
        attempt += 1
        (reason, advice) = (failure.reason, failure.advice)
        reasonCode = LinkReason(failure.code)
        switch failure.code {
        case .pairingRequired: wantBond(at: now, advice: failure.advice)
        case .handshake where bond.isSuspect(attempt: attempt): suspectBond(failure.reason, at: now)
        case .handshake:
            nextAttempt = now + pause(first: .seconds(1), limit: .seconds(60))
        case .notThisFamily, .inputDevice: nextAttempt = now + .seconds(300)
        case .poweredOff:
            (attempt, nextAttempt, state) = (0, nil, .searching)
        }
    }

    private mutating func wantBond(at now: Duration, advice words: String?) {
        bond.refused()
        (isHeard, state) = (true, .searching)
        advice = bond.proxy == nil ? words ?? bond.advice : bond.advice
        if bond.proxy != nil { reasonCode = .bondMissing }
        nextAttempt = now + BondPlan.pause(attempt: attempt)
    }

    package mutating func suspectBond(_ words: String, at now: Duration) {
        bond.suspect()
        (isHeard, state) = (true, .searching)
        (reason, advice) = ("\(words), possibly because a bond is missing", bond.advice)
        reasonCode = .bondMissing
        nextAttempt = now + BondPlan.pause(attempt: attempt)
    }

    /// The delay before the next attempt. Visits have a limited number of attempts.
    private func pause(first: Duration, limit: Duration) -> Duration {
        visiting?.pause(attempt: attempt) ?? Self.delay(attempt: attempt, first: first, limit: limit)
    }

    /// The delay before an attempt: `first` before attempt 1, then doubled with each attempt up to `limit`.
    package static func delay(attempt: Int, first: Duration, limit: Duration) -> Duration {
        min(limit, first * (1 << min(max(attempt - 1, 0), 16)))
    }
}
