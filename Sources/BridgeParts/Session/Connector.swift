package import Bluetooth
package import BridgeContract
package import DeviceKit

/// Brings the link to a device about, and to its end.
package struct Connector {
    /// Takes what became of a wish, once.
    package typealias Done = (Answer) -> Void

    /// How far the link is, with what holds only there.
    package enum State {
        /// There is none; ``Supervision`` knows why, and when one is tried.
        case away
        case connecting(Attempt)
        case linked(Linked)
    }

    /// A link that is being made.
    package struct Attempt {
        package let number: Int
        /// Why it went away before it could be used.
        package var loss: String?
        /// The services that were found on it.
        package var services: Set<UUID> = []
    }

    /// A link that the session has.
    package struct Linked {
        package let number: Int
        /// The adapter that the device is reached over, as long as that is said.
        package var adapter: String?
        /// All services that the host knows of the device.
        package var services: Set<UUID>
        /// Whether the device can be used.
        package var isReady = false
        package var ending = Ending.none
        /// Why the state machine gave up on the link.
        package var failure: DeviceFailure?
        /// The bridge that this one lets the device go to.
        package var successor: Successor?
    }

    /// How far a link is on the way to its end.
    package enum Ending {
        case none
        /// The state machine makes the device safe.
        case parting
        /// The state machine has done so; its last writes go out.
        case said
        /// The link is being closed.
        case closing
    }

    package struct Successor {
        package var bridge: String
        /// Whether that bridge uses the same link, so that it stays.
        package var sharesLink: Bool

        package init(bridge: String, sharesLink: Bool) {
            self.bridge = bridge
            self.sharesLink = sharesLink
        }
    }

    /// What to do now.
    package enum Step {
        case wait(until: Duration?)
        /// Waits for the device to be heard, which the host may be connected to.
        case listen
        case connect(number: Int)
        case bond
        /// Leave the device alone: it advertises to be an input device, which no person let in.
        case turnAway(DeviceFailure)
    }

    /// What to do with a link that was made.
    package enum Arrival {
        /// Use it; where the device must not be used, only to make it safe.
        case use(DeviceFailure?)
        /// Close it: a person let the device go meanwhile.
        case unwanted
        /// It went away before it could be used.
        case lost(reason: String)
        /// Close it at once: nothing that could move needs a last word, and the less time it has to type.
        case refuse(DeviceFailure)
    }

    package var state = State.away
    package var supervision: Supervision
    /// What decides whether the device may be a keyboard or the like.
    package var inputs: InputGuard
    private let familyRequirements: LinkRequirements
    private var linkCount = 0
    /// The reasons that were logged since the device was ready last.
    package var loggedFailures: Set<String> = []
    package static let loggedFailureLimit = 8
    package var disconnectWaiters: [Done] = []
    package var connectWaiters: [Done] = []

    /// - Parameters:
    ///   - fault: Why the device can never be used.
    ///   - isOnRequest: Whether it is connected by request only.
    package init(
        _ requirements: LinkRequirements, fault: String? = nil, isOnRequest: Bool = false, mayBeInput: Bool
    ) {
        familyRequirements = requirements
        inputs = InputGuard(isAllowed: mayBeInput || requirements.isInputDevice)
        supervision = Supervision(
            bonding: requirements.bonding, bondingAdvice: requirements.bondingAdvice, fault: fault,
            isOnRequest: isOnRequest)
    }

    // MARK: How it stands

    /// What is needed of the link; a device that a person let in as an input device counts as one.
    package var requirements: LinkRequirements {
        var requirements = familyRequirements
        requirements.isInputDevice = inputs.isAllowed
        return requirements
    }

    /// The link, if there is one.
    package var linked: Linked? { if case .linked(let linked) = state { linked } else { nil } }

    /// Whether a link is being made.
    package var isConnecting: Bool { if case .connecting = state { true } else { false } }

    /// Whether the device can be used.
    package var isReady: Bool { linked?.isReady ?? false }

    /// Whether the device can be used, and its link stays.
    package var isInUse: Bool { isReady && isKept }

    /// Whether there is a link that stays.
    package var isKept: Bool { linked?.ending == Ending.none }

    /// Whether the state machine needs the link no more.
    package var hasSaidGoodbye: Bool { [.said, .closing].contains(linked?.ending) }

    /// Whether nothing is under way with the device.
    package var isIdle: Bool {
        linked == nil && [.searching, .error, .disconnected].contains(supervision.state)
    }

    /// Whether the host holds a bond with the device, as far as is known.
    package var isBonded: Bool { supervision.bond.isBonded }

    /// Whether it shows itself to be an input device.
    package var showsInput: Bool { inputs.services.union(linked?.services ?? []).inputComplaint != nil }

    /// Whether a bond with it may have been made since it was heard first, or is being made.
    package var leavesBond: Bool {
        inputs.isBondNew || inputs.hadBond == false && (inputs.wasReached || !isIdle)
    }

    /// Whether something is told of the link that is there, or is being made, and not of an earlier one.
    package func isCurrent(_ number: Int) -> Bool {
        switch state {
        case .away: false
        case .connecting(let attempt): attempt.number == number
        case .linked(let linked): linked.number == number
        }
    }

    package mutating func changeLink(_ change: (inout Linked) -> Void) {
        guard case .linked(var linked) = state else { return }
        change(&linked)
        state = .linked(linked)
    }

    // MARK: Away

    package mutating func radio(_ radio: RadioState) { supervision.radio(radio) }

    /// The device joins by a person's wish: it is bonded, if its family ever wants that.
    package mutating func join() { if familyRequirements.mayBond { supervision.wishBond() } }

    /// The device was heard on the air, or the host says that it is connected.
    ///
    /// - Returns: Whether that may change what to do now.
    package mutating func heard(_ advertisement: Advertisement, at now: Duration) -> Bool {
        inputs.heard(advertisement)
        guard linked == nil, advertisement.rssi != nil || advertisement.isConnected else { return false }
        supervision.heard(isPaired: advertisement.isPaired)
        // The host itself is connected to an input device that no person let in: it is not left so for long.
        if inputs.isConnected, inputs.refusal(inputs.services) != nil {
            supervision.hasten(to: now + .seconds(2))
        }
        return true
    }

    /// What to do now. Begins to connect, or to bond, when it says so.
    ///
    /// - Parameter holdBack: Asked when nothing else is in the way: what keeps it from connecting; nil lets it.
    package mutating func decide(at now: Duration, holdBack: () -> HoldBack? = { nil }) -> Step {
        let decision = supervision.decide(at: now, holdBack: holdBack)
        switch decision {
        case .wait(let moment): return .wait(until: moment)
        case .listen: return .listen
        case .connect, .pair: break
        }
        let refusal = inputs.refusal(inputs.services)
        // One that the host is connected to is taken over, and then let go; it is not bonded with.
        if let refusal, !inputs.isConnected { return .turnAway(refusal) }
        guard decision == .connect || refusal != nil else { return .bond }
        linkCount += 1
        state = .connecting(Attempt(number: linkCount))
        return .connect(number: linkCount)
    }

    /// Another bridge has the device: it must be heard anew.
    package mutating func heldElsewhere() { supervision.heldElsewhere() }

    /// The other bridge has the device no more.
    ///
    /// - Returns: Whether that makes a difference.
    package mutating func takeBack() -> Bool { supervision.takeBack() }

    /// Whether a reason was not logged yet: of attempts that fail alike, or by turns in a few ways, only the first is
    /// news.
    package mutating func isNews(_ reason: String) -> Bool {
        if loggedFailures.count >= Self.loggedFailureLimit { loggedFailures = [] }
        return loggedFailures.insert(reason).inserted
    }

    /// The device must not, or cannot, be used.
    package mutating func failed(_ failure: DeviceFailure, at now: Duration) {
        state = .away
        supervision.failed(failure, at: now)
    }

    /// Connecting failed.
    package mutating func failed(_ error: RadioError, at now: Duration) {
        state = .away
        supervision.failed(error, at: now)
    }

    // MARK: Bonds

    /// The device is bonded, as it was due.
    package mutating func bonded() {
        inputs.bonded()
        supervision.paired()
    }

    /// The device is bonded by a person's wish.
    package mutating func bondedByRequest() {
        inputs.bonded()
        supervision.bonded()
    }

    /// Bonding failed as it was due.
    package mutating func bondFailed(_ error: RadioError, at now: Duration) {
        let isOfTheWay = [.unavailable, .unknownDevice, .unreachable, .busy].contains(error.code)
        supervision.failed(isOfTheWay ? error : RadioError(.pairingFailed, error.message), at: now)
    }
}
