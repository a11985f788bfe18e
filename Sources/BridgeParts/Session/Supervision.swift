package import Bluetooth
package import BridgeContract
package import DeviceKit

/// Decides when to connect to a device, and explains its state to the user: a pure state machine.
package struct Supervision: Sendable {
    /// The state that the topic `connection` reports.
    package typealias State = LinkStage

    /// What the session does next about the Bluetooth connection.
    package enum Decision: Hashable, Sendable {
        /// Do nothing until an event arrives or this time is reached.
        case wait(until: Duration?)
        /// Do nothing until the device advertises. Also ask the host whether it is connected to the device, since a
        /// connected device does not advertise.
        case listen
        case connect
        case pair
    }

    package var state: State = .disconnected
    package var attempt = 0
    package var reason: String? { didSet { if reason == nil { reasonCode = nil } } }
    /// The code for ``reason`` that `connection` reports.
    package var reasonCode: LinkReason?
    package var advice: String?
    /// The families that match the advertisement, for the advice if the device does not match its own family.
    package var fittingFamilies: [String] = []
    /// The time of the next attempt; nil if the bridge waits for an advertisement instead.
    package var nextAttempt: Duration?

    private var radio = RadioState(obstacle: .adapter)
    package var isHeard = false
    package var bond: BondPlan
    private var isOff = false
    /// Whether the user has disconnected the device until the next connect request.
    package private(set) var isUserDisconnected = false
    /// Whether the bridge is draining and accepts no links; see `Supervision+Draining`.
    package var isDraining = false

    /// Why the device can never be used, and what to do about it.
    private let fault: (reason: String, advice: String)?
    /// Whether the device is connected only by request, and stays disconnected when its link is lost.
    package let isOnRequest: Bool
    /// How the device is visited; nil for a device that stays connected.
    package let visiting: Visiting?

    /// The number of consecutive failures that count as an error. One or two failures in a row are normal, for instance
    /// at the limit of the range.
    package static let patience = 3
    /// Whether this bridge left the device to another bridge, so that it waits for ``yieldTime``.
    private var isYielded = false
    private static let yieldTime = Duration.seconds(30)

    /// - Parameters:
    ///   - bonding: When the family requires a bond.
    ///   - bondingAdvice: Instructions for the user, who must prepare the device for bonding.
    ///   - fault: Why the device can never be used.
    ///   - isOnRequest: Whether it is connected only by request.
    ///   - visiting: How it is visited; nil if it stays connected.
    package init(
        bonding: LinkRequirements.Bonding = .none, bondingAdvice: String? = nil, fault: String? = nil,
        isOnRequest: Bool = false, visiting: Visiting? = nil
    ) {
        bond = BondPlan(bonding, advice: bondingAdvice)
        self.fault = fault.map { ($0, Self.faultAdvice) }
        self.isOnRequest = isOnRequest
        self.visiting = visiting
        isUserDisconnected = isOnRequest
    }

    /// Whether an advertisement is required before the next connection attempt.
    package var wantsDiscovery: Bool {
        isIdle && radio.isReady && !isUserDisconnected && !isDraining && fault == nil
            && (visiting == nil || nextAttempt == nil)
    }

    package var isIdle: Bool { !isOff && [.disconnected, .searching, .error].contains(state) }

    /// Decides what to do now. A decision to connect or to pair changes the state.
    ///
    /// - Parameter holdBack: Called if nothing else prevents a connection. Returns the reason to defer it; nil for
    ///   none.
    package mutating func decide(at now: Duration, holdBack: () -> ConnectDeferral? = { nil }) -> Decision {
        guard isIdle, !holdsBack() else { return .wait(until: nil) }
        if let fault {
            state = .error
            (reason, advice, nextAttempt) = (fault.reason, fault.advice, nil)
            reasonCode = .familyFault
            return .wait(until: nil)
        }
        guard !isUserDisconnected else {
            state = .disconnected
            (reason, advice, nextAttempt) = (heldReason, Self.heldAdvice, nil)
            reasonCode = isOnRequest ? .onRequestOnly : .disconnectedByRequest
            return .wait(until: nil)
        }
        guard radio.isReady else {
            state = .disconnected
            (reason, advice, nextAttempt) = (radio.reason ?? RadioStatus.noAdapter, radio.advice, nil)
            reasonCode = radio.code
            return .wait(until: nil)
        }
        if let nextAttempt {
            if now < nextAttempt { return .wait(until: nextAttempt) }
            if visiting != nil { visitNow() }
        }
        nextAttempt = nil
        guard isHeard else {
            // A reported error stays visible while the bridge waits for advertisements.
            if state != .error || reason == nil { state = .searching }
            if reason == nil {
                (reason, advice) = (Self.notHeard, Self.absenceAdvice)
                reasonCode = .notHeard
            }
            return .listen
        }
        if let back = holdBack() {
            state = .searching
            if let adapter = back.fullAdapter { say(noSlotOn: adapter) }
            return .wait(until: back.end)
        }
        isHeard = false
        if reason == Self.notHeard || reasonCode == .noSlot { (reason, advice) = (nil, nil) }
        state = bond.isDue ? .pairing : .connecting
        return bond.isDue ? .pair : .connect
    }

    /// Records whether an adapter is ready, and if not, why.
    package mutating func radio(_ radio: RadioState) {
        defer { self.radio = radio }
        guard radio.isReady != self.radio.isReady else { return }
        isHeard = false
        guard isIdle else { return }
        nextAttempt = nil
        if radio.isReady { (reason, advice) = (nil, nil) }
    }

    /// Records an advertisement, or the host's report that it is already connected to the device.
    ///
    /// - Parameter isPaired: Whether the host has a bond with the device.
    package mutating func heard(isPaired: Bool = false) {
        isHeard = true
        bond.heard(isPaired: isPaired)
    }

    /// Records that another bridge has the device. This bridge needs a new advertisement before it connects.
    package mutating func heldElsewhere() { isHeard = false }

    /// Moves the next attempt to this time if the attempt was planned later.
    package mutating func hasten(to moment: Duration) {
        if let nextAttempt, nextAttempt > moment { self.nextAttempt = moment }
    }

    /// Starts the next visit at the next advertisement. An earlier advertisement may be as old as the last visit.
    package mutating func visitNow() {
        guard isIdle else { return }
        (isHeard, nextAttempt) = (false, nil)
        if reasonCode == .betweenVisits { (reason, advice) = (nil, nil) }
    }

    /// Records that the device joins, so the bridge tries to bond with it.
    package mutating func wishBond() { bond.wish() }

    /// Records that the link is established and the handshake starts.
    package mutating func linked() { state = .preparing }

    /// Records that the handshake is complete.
    package mutating func ready() {
        state = .connected
        (attempt, reason, advice, nextAttempt) = (0, nil, nil, nil)
        bond.ready()
    }

    /// Records that the device is bonded.
    package mutating func paired() {
        bond.paired()
        (isHeard, state) = (true, .searching)
    }

    /// Records that a connect request timed out. A device connected only by request stays disconnected.
    package mutating func requestTimedOut() {
        if isOnRequest, state != .connected { isUserDisconnected = true }
    }

    /// Records that the link is lost.
    package mutating func lost(reason words: String, at now: Duration) {
        isHeard = false
        if isOnRequest, state == .connected { isUserDisconnected = true }
        if state == .preparing, bond.isSuspect(attempt: attempt + 1) {
            attempt += 1
            return suspectBond(words, at: now)
        }
        guard state == .connected else { return failed(RadioError(.unreachable, words), at: now) }
        if let visiting {
            state = .disconnected
            (reason, advice, nextAttempt) = (Self.visitReason, nil, now + visiting.period)
            return reasonCode = .betweenVisits
        }
        state = .searching
        (reason, advice, nextAttempt) = (words, Self.absenceAdvice, nil)
        reasonCode = .linkLost
    }

    /// Records that the link was left to another bridge that also has the device.
    package mutating func yielded(to bridge: String, at now: Duration) {
        (isHeard, state, isYielded) = (false, .searching, true)
        (reason, advice, nextAttempt) = ("held by the bridge \(bridge)", nil, now + Self.yieldTime)
        reasonCode = .heldByBridge
    }

    /// Records that the other bridge no longer has the device, so that this bridge may connect.
    ///
    /// - Returns: Whether this changes anything.
    package mutating func takeBack() -> Bool {
        guard isYielded else { return false }
        isYielded = false
        if isIdle { (reason, nextAttempt) = (nil, nil) }
        return true
    }

    /// Keeps the device disconnected until the next connect request.
    package mutating func userDisconnect() { isUserDisconnected = true }

    /// Handles a connect request: an attempt starts immediately if the device is in range.
    package mutating func userReconnect() {
        isUserDisconnected = false
        guard isIdle else { return }
        if visiting != nil { visitNow() }
        (attempt, reason, advice, nextAttempt) = (0, nil, nil, nil)
    }

    /// Records that a bond requested by the user was created.
    package mutating func bonded() { bond.paired() }

    /// Advice for the user about the bond.
    package var bondAdvice: String { bond.advice }

    /// Ends all connection attempts.
    package mutating func stop(reason words: String) {
        (isOff, state) = (true, .disconnected)
        (reason, advice, nextAttempt) = (words, nil, nil)
        reasonCode = .released
    }
}
