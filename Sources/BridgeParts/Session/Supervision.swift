package import Bluetooth
package import BridgeContract
package import DeviceKit

/// Decides when to connect to a device, and says what a person should know about it: a pure state machine.
package struct Supervision: Sendable {
    /// The words of the `connection` topic.
    package typealias State = LinkStage

    /// What the session should do now.
    package enum Decision: Hashable, Sendable {
        /// Nothing, until something happens or this time has come.
        case wait(until: Duration?)
        /// Nothing, until the device is heard. A device that the host is connected to does not advertise: ask the host.
        case listen
        case connect
        /// Bond.
        case pair
    }

    package var state: State = .disconnected
    package var attempt = 0
    package var reason: String? { didSet { if reason == nil { reasonCode = nil } } }
    /// The reason for programs.
    package var reasonCode: LinkReason?
    package var advice: String?
    /// The families that fit what the device advertises, for the advice where it lacks what its own family needs.
    package var fittingFamilies: [String] = []
    /// Before this moment nothing is tried; nil where only a sign of life is waited for.
    package var nextAttempt: Duration?

    private var radio = RadioState(obstacle: .adapter)
    package var isHeard = false
    package var bond: BondPlan
    private var isOff = false
    /// Whether a person let the device go until they ask for it again.
    package private(set) var isUserDisconnected = false
    /// Whether the bridge takes no links; see `Supervision+Draining`.
    package var isDraining = false

    /// Why the device can never be used, and what to do about it.
    private let fault: (reason: String, advice: String)?
    /// Whether the device is connected by request only, and let go when its link is lost.
    package let isOnRequest: Bool

    /// How many attempts in a row fail before that is an error: one or two fail in daily use, such as of a device that is
    /// just in range.
    package static let patience = 3
    /// Whether the device was left to another bridge.
    private var isYielded = false
    /// How long it is left to that one.
    private static let yieldTime = Duration.seconds(30)

    /// - Parameters:
    ///   - bonding: When the family wants a bond.
    ///   - bondingAdvice: What a person must do before the device can be bonded.
    ///   - fault: Why the device can never be used.
    ///   - isOnRequest: Whether it is connected by request only.
    package init(
        bonding: LinkRequirements.Bonding = .none, bondingAdvice: String? = nil, fault: String? = nil,
        isOnRequest: Bool = false
    ) {
        bond = BondPlan(bonding, advice: bondingAdvice)
        self.fault = fault.map { ($0, Self.faultAdvice) }
        self.isOnRequest = isOnRequest
        isUserDisconnected = isOnRequest
    }

    /// Whether the device must be heard before anything can go on.
    package var wantsDiscovery: Bool {
        isIdle && radio.isReady && !isUserDisconnected && !isDraining && fault == nil
    }

    package var isIdle: Bool { !isOff && [.disconnected, .searching, .error].contains(state) }

    /// What to do now. Moves on to connecting or pairing when it says so.
    ///
    /// - Parameter holdBack: Asked when nothing else is in the way: what keeps it from connecting; nil lets it.
    package mutating func decide(at now: Duration, holdBack: () -> HoldBack? = { nil }) -> Decision {
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
        if let nextAttempt, now < nextAttempt { return .wait(until: nextAttempt) }
        nextAttempt = nil
        guard isHeard else {
            // What went wrong stays visible while the device is searched for.
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

    /// An adapter is ready, or none is any more.
    package mutating func radio(_ radio: RadioState) {
        defer { self.radio = radio }
        guard radio.isReady != self.radio.isReady else { return }
        isHeard = false
        guard isIdle else { return }
        nextAttempt = nil
        if radio.isReady { (reason, advice) = (nil, nil) }
    }

    /// The device was heard, or the host is connected to it already.
    ///
    /// - Parameter isPaired: Whether the host holds a bond with it.
    package mutating func heard(isPaired: Bool = false) {
        isHeard = true
        bond.heard(isPaired: isPaired)
    }

    /// Another bridge has the device: it must be heard anew.
    package mutating func heldElsewhere() { isHeard = false }

    /// The next attempt is due by this moment.
    package mutating func hasten(to moment: Duration) {
        if let nextAttempt, nextAttempt > moment { self.nextAttempt = moment }
    }

    /// The device joins: a bond is made if it can be.
    package mutating func wishBond() { bond.wish() }

    /// The link is up; the handshake begins.
    package mutating func linked() { state = .preparing }

    /// The handshake is done.
    package mutating func ready() {
        state = .connected
        (attempt, reason, advice, nextAttempt) = (0, nil, nil, nil)
        bond.ready()
    }

    /// The device is bonded now.
    package mutating func paired() {
        bond.paired()
        (isHeard, state) = (true, .searching)
    }

    /// Nothing came of a request to connect in time: a device that is connected by request only is let go.
    package mutating func requestTimedOut() {
        if isOnRequest, state != .connected { isUserDisconnected = true }
    }

    /// The link is lost.
    package mutating func lost(reason words: String, at now: Duration) {
        isHeard = false
        if isOnRequest, state == .connected { isUserDisconnected = true }
        if state == .preparing, bond.isSuspect(attempt: attempt + 1) {
            attempt += 1
            return suspectBond(words, at: now)
        }
        guard state == .connected else { return failed(RadioError(.unreachable, words), at: now) }
        state = .searching
        (reason, advice, nextAttempt) = (words, Self.absenceAdvice, nil)
        reasonCode = .linkLost
    }

    /// The link was left to another bridge that has the device too.
    package mutating func yielded(to bridge: String, at now: Duration) {
        (isHeard, state, isYielded) = (false, .searching, true)
        (reason, advice, nextAttempt) = ("held by the bridge \(bridge)", nil, now + Self.yieldTime)
        reasonCode = .heldByBridge
    }

    /// The other bridge has the device no more.
    ///
    /// - Returns: Whether that makes a difference.
    package mutating func takeBack() -> Bool {
        guard isYielded else { return false }
        isYielded = false
        if isIdle { (reason, nextAttempt) = (nil, nil) }
        return true
    }

    /// A person lets the device go until they ask for it again.
    package mutating func userDisconnect() { isUserDisconnected = true }

    /// A person wants the device: it is tried at once if it is heard.
    package mutating func userReconnect() {
        isUserDisconnected = false
        guard isIdle else { return }
        (attempt, reason, advice, nextAttempt) = (0, nil, nil, nil)
    }

    /// The device was bonded by a person's wish.
    package mutating func bonded() { bond.paired() }

    /// What a person can do for a bond.
    package var bondAdvice: String { bond.advice }

    /// Nothing more is to be tried.
    package mutating func stop(reason words: String) {
        (isOff, state) = (true, .disconnected)
        (reason, advice, nextAttempt) = (words, nil, nil)
        reasonCode = .letGo
    }
}
