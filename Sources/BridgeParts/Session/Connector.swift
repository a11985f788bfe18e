package import Bluetooth
package import BridgeContract
package import DeviceKit

/// Decides when the link to a device is established and closed, and tracks its state.
package struct Connector {
    /// Receives the result of a request, once.
    package typealias Done = (Answer) -> Void

    /// The state of the link, with the data of each state.
    package enum State {
        /// There is no link. ``Supervision`` knows the reason and the time of the next attempt.
        case away
        case connecting(Attempt)
        case linked(Linked)
    }

    /// A link that is being established.
    package struct Attempt {
        package let number: Int
        /// The reason why the link was lost before it could be used.
        package var loss: String?
        /// The services that the host has discovered since the attempt started.
        package var services: Set<UUID> = []
    }

    package struct Linked {
        package let number: Int
        /// The adapter over which the host reports the link; nil if it reports none.
        package var adapter: String?
        /// All services that the host knows of the device.
        package var services: Set<UUID>
        /// Whether the handshake is complete, so that the device is usable.
        package var isReady = false
        package var ending = Ending.none
        /// Why the device must no longer be used, as the state machine or the bridge found; nil if the link ends for
        /// another reason.
        package var failure: DeviceFailure?
        /// The bridge to which the device is handed over.
        package var successor: Successor?
    }

    /// How far the end of a link has progressed.
    package enum Ending {
        case none
        /// The state machine makes the device safe.
        case parting
        /// The state machine has made the device safe; its last writes are being sent.
        case said
        /// The link is being closed.
        case closing
    }

    package struct Successor {
        package var bridge: String
        /// Whether the successor uses the same link, so that the link stays open.
        package var sharesLink: Bool

        package init(bridge: String, sharesLink: Bool) {
            self.bridge = bridge
            self.sharesLink = sharesLink
        }
    }

    /// What the session does next about the Bluetooth connection.
    package enum Step {
        case wait(until: Duration?)
        /// Wait for an advertisement, or for the host to report a connection.
        case listen
        case connect(number: Int)
        case bond
        /// Do not connect: the device advertises as an input device, and the user has not permitted it.
        case reject(DeviceFailure)
    }

    /// What the session does with a link that was just established.
    package enum Arrival {
        /// Use the link. If there is a failure, use it only to make the device safe.
        case use(DeviceFailure?)
        /// Close the link: the device was disconnected by request while the link was being established.
        case unwanted
        /// The link was lost before it could be used.
        case lost(reason: String)
        /// Close the link immediately: it leads over a Bluetooth proxy, where the device must not be used.
        case overProxy
        /// Close the link immediately. Nothing can move, so nothing must be made safe, and an input device gets less
        /// time to type.
        case refuse(DeviceFailure)
    }

    package var state = State.away
    package var supervision: Supervision
    /// Decides whether the device may be an input device.
    package var inputs: InputGuard
    private let familyRequirements: LinkRequirements
    private var linkCount = 0
    /// The reasons for failed attempts that were logged since the device was last ready.
    package var loggedFailures: Set<String> = []
    package static let loggedFailureLimit = 8
    package var disconnectWaiters: [Done] = []
    package var connectWaiters: [Done] = []

    /// - Parameters:
    ///   - fault: Why the device can never be used.
    ///   - isOnRequest: Whether the device is connected only by request.
    ///   - visiting: How the device is visited; nil if it stays connected.
    package init(
        _ requirements: LinkRequirements, fault: String? = nil, isOnRequest: Bool = false,
        visiting: Visiting? = nil, mayBeInput: Bool
    ) {
        familyRequirements = requirements
        inputs = InputGuard(isAllowed: mayBeInput || requirements.isInputDevice)
        supervision = Supervision(
            bonding: requirements.bonding, bondingAdvice: requirements.bondingAdvice, fault: fault,
            isOnRequest: isOnRequest, visiting: visiting)
    }

    // MARK: State

    /// The requirements of the link. A device that was permitted as an input device counts as an input device. A device
    /// that moves needs a guardian, which no proxy offers.
    package var requirements: LinkRequirements {
        var requirements = familyRequirements
        requirements.mayUseProxy = requirements.mayUseProxy && !requirements.isSafetyCritical
        requirements.isInputDevice = inputs.isAllowed
        return requirements
    }

    /// The link; nil if there is none.
    package var linked: Linked? { if case .linked(let linked) = state { linked } else { nil } }

    package var isConnecting: Bool { if case .connecting = state { true } else { false } }

    /// Whether the device is usable.
    package var isReady: Bool { linked?.isReady ?? false }

    /// Whether the device is usable and its link is not being ended.
    package var isInUse: Bool { isReady && isKept }

    /// Whether there is a link that is not being ended.
    package var isKept: Bool { linked?.ending == Ending.none }

    /// Whether the state machine has made the device safe, so that it no longer needs the link.
    package var hasSaidGoodbye: Bool { [.said, .closing].contains(linked?.ending) }

    /// Whether there is neither a link nor an attempt to connect to the device or to bond with it.
    package var isIdle: Bool {
        linked == nil && [.searching, .error, .disconnected].contains(supervision.state)
    }

    /// Whether the host has a bond with the device, as far as known.
    package var isBonded: Bool { supervision.bond.isBonded }

    /// Whether the device has the services of an input device, such as a keyboard.
    package var showsInput: Bool { inputs.services.union(linked?.services ?? []).inputComplaint != nil }

    /// Whether a bond may have been created since the first advertisement, or is being created.
    package var leavesBond: Bool {
        inputs.isBondNew || inputs.hadBond == false && (inputs.wasReached || !isIdle)
    }

    /// Whether a number identifies the current link or attempt to connect, and not an earlier one.
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

    // MARK: Disconnected

    package mutating func radio(_ radio: RadioState) { supervision.radio(radio) }

    /// Records that the user allows the device to join. It is bonded if its family supports that.
    package mutating func join() { if familyRequirements.mayBond { supervision.wishBond() } }

    /// Applies an advertisement, or the host's report that the device is connected.
    ///
    /// - Returns: Whether this may change the result of ``decide(at:holdBack:)``.
    package mutating func heard(_ advertisement: Advertisement, at now: Duration) -> Bool {
        inputs.heard(advertisement)
        guard linked == nil, advertisement.rssi != nil || advertisement.isConnected else { return false }
        supervision.heard(isPaired: advertisement.isPaired)
        // The host itself is connected to a device that is not permitted as an input device. The bridge soon closes
        // this connection.
        if inputs.isConnected, inputs.refusal(inputs.services) != nil {
            supervision.hasten(to: now + .seconds(2))
        }
        return true
    }

    /// Decides what to do now. A decision to connect changes the state.
    ///
    /// - Parameter holdBack: Called if nothing else prevents a connection. Returns the reason to defer it; nil for
    ///   none.
    package mutating func decide(at now: Duration, holdBack: () -> ConnectDeferral? = { nil }) -> Step {
        let decision = supervision.decide(at: now, holdBack: holdBack)
        switch decision {
        case .wait(let moment): return .wait(until: moment)
        case .listen: return .listen
        case .connect, .pair: break
        }
        let refusal = inputs.refusal(inputs.services)
        // If the host itself is connected to an input device that is not permitted, the bridge connects too, so that it
        // can then disconnect the device. The bridge does not bond with the device.
        if let refusal, !inputs.isConnected { return .reject(refusal) }
        guard decision == .connect || refusal != nil else { return .bond }
        linkCount += 1
        state = .connecting(Attempt(number: linkCount))
        return .connect(number: linkCount)
    }

    /// Records that another bridge has the device. This bridge needs a new advertisement before it connects.
    package mutating func heldElsewhere() { supervision.heldElsewhere() }

    /// Records that the other bridge no longer has the device, so that this bridge may connect.
    ///
    /// - Returns: Whether this changes anything.
    package mutating func takeBack() -> Bool { supervision.takeBack() }

    /// Whether a reason for a failed attempt is not logged yet. If attempts fail again and again for the same few
    /// reasons, each reason is logged once.
    package mutating func isNews(_ reason: String) -> Bool {
        if loggedFailures.count >= Self.loggedFailureLimit { loggedFailures = [] }
        return loggedFailures.insert(reason).inserted
    }

    /// Records that the device must not or cannot be used.
    package mutating func failed(_ failure: DeviceFailure, at now: Duration) {
        state = .away
        supervision.failed(failure, at: now)
    }

    /// Records that connecting failed.
    package mutating func failed(_ error: RadioError, at now: Duration) {
        state = .away
        supervision.failed(error, at: now)
    }

    // MARK: Bonds

    /// Records that the bond was created that was required before the next link.
    package mutating func bonded() {
        inputs.bonded()
        supervision.paired()
    }

    /// Records that a bond requested by the user was created.
    package mutating func bondedByRequest() {
        inputs.bonded()
        supervision.bonded()
    }

    /// Records that the bond could not be created that was required before the next link.
    package mutating func bondFailed(_ error: RadioError, at now: Duration) {
        let isOfTheWay = [.unavailable, .unknownDevice, .unreachable, .busy, .noSlot, .proxyOnly]
            .contains(error.code)
        supervision.failed(isOfTheWay ? error : RadioError(.pairingFailed, error.message), at: now)
    }
}
