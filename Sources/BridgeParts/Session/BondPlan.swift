package import Bluetooth
import DeviceKit

/// Decides when to bond with a device, and what a person must know about it.
package struct BondPlan: Sendable {
    /// What of bonding is to be done before a link is tried.
    private enum Need: Hashable, Sendable {
        /// Nothing.
        case unneeded
        /// It is tried once, as the device joins.
        case wished
        /// It is tried once: the last link failed in a way in which links without a bond fail.
        case suspected
        /// It must be there, unless the host has one already.
        case missing
        /// The device refused the link for want of it, whatever the host believes.
        case refused
    }

    /// A device is in pairing mode for about a minute; the next attempt must fall into it.
    private static let patience = Duration.seconds(20)

    private let policy: LinkRequirements.Bonding
    private let words: String?
    private var need: Need
    /// Whether the host holds a bond, as far as is known.
    package private(set) var isBonded = false
    private var wasReady = false
    private var failures = 0
    private var failedJustNow = false

    /// - Parameters:
    ///   - policy: When the family wants a bond.
    ///   - advice: What a person must do before the device can be bonded.
    package init(_ policy: LinkRequirements.Bonding, advice: String?) {
        self.policy = policy
        words = advice
        need = policy == .always ? .missing : .unneeded
    }

    /// Whether to bond before a link is tried.
    package var isDue: Bool { need != .unneeded }

    /// Whether a bond is needed that the host does not hold, and that no person has just asked for.
    package var isLacking: Bool { [.suspected, .missing, .refused].contains(need) }

    /// Whether a link that was lost before it could be used may have been so for want of a bond: some devices
    /// close it instead of refusing an access, and BlueZ loses it where it tries to bond by itself in vain.
    /// One that could be used without a bond before gets the benefit of the doubt.
    ///
    /// - Parameter attempt: The attempts that failed in a row, this one included.
    package func isSuspect(attempt: Int) -> Bool {
        policy == .onDemand && !isBonded && (!wasReady || attempt > 2)
    }

    /// What a person can do for a bond.
    package var advice: String {
        isBonded
            ? "the bond may be gone on one side: remove it with bluetoothctl, and pair anew"
            : words ?? "put the device into pairing mode"
    }

    /// The device was heard; the host holds a bond with it, or not.
    package mutating func heard(isPaired: Bool) {
        isBonded = isPaired
        if isPaired, need != .refused { need = .unneeded }
    }

    /// The device joins: a bond is made if it can be.
    package mutating func wish() { if need == .unneeded { need = .wished } }

    /// A link was lost in a way that suggests that a bond is needed.
    package mutating func suspect() { if need == .unneeded { need = .suspected } }

    /// The device refused a link for want of a bond.
    package mutating func refused() { need = .refused }

    /// The device is bonded now.
    package mutating func paired() { (need, isBonded, failedJustNow) = (.unneeded, true, false) }

    /// The device can be used.
    package mutating func ready() { (need, failures, wasReady, failedJustNow) = (.unneeded, 0, true, false) }

    /// The link that was tried next failed as well.
    ///
    /// - Returns: Whether bonding failed right before it, so that its advice is still what helps.
    package mutating func linkFailed() -> Bool {
        defer { failedJustNow = false }
        return failedJustNow
    }

    /// Bonding failed.
    ///
    /// - Returns: How long to wait before it is tried again; nil if a link may be tried without it.
    package mutating func failed() -> Duration? {
        switch need {
        case .wished, .suspected:
            need = .unneeded
            failedJustNow = true
            return nil
        case .unneeded, .missing, .refused:
            failures += 1
            return Supervision.delay(attempt: failures, first: .seconds(5), limit: Self.patience)
        }
    }

    /// How long to wait before it is tried to bond at all, after so many failed links.
    package static func pause(attempt: Int) -> Duration {
        Supervision.delay(attempt: attempt, first: .milliseconds(500), limit: patience)
    }
}
