package import Bluetooth
import DeviceKit

/// Decides when to bond with a device, and what to advise the user.
package struct BondPlan: Sendable {
    /// Whether and why the bridge bonds with the device before the next link.
    private enum Need: Hashable, Sendable {
        case unneeded
        /// The device joins, so the bridge tries once to bond.
        case wished
        /// The last link failed in a way that is typical without a bond, so the bridge tries once to bond.
        case suspected
        /// The family always requires a bond, and the host has not reported one.
        case missing
        /// The device refused the link without a bond, so the bridge bonds even if the host reports that a bond exists.
        case refused
    }

    /// The maximum pause between two attempts to bond. A device stays in pairing mode for about a minute, and the next
    /// attempt must be within that time.
    private static let patience = Duration.seconds(20)

    private let policy: LinkRequirements.Bonding
    private let words: String?
    private var need: Need
    /// Whether the host has a bond, as far as known.
    package private(set) var isBonded = false
    /// The Bluetooth proxy that has the bond of the last bonded link; nil if the host has it, or nothing has one.
    package var proxy: String?
    /// Whether the last link led over a Bluetooth proxy.
    package var wasOverProxy = false
    private var wasReady = false
    private var failures = 0
    private var failedJustNow = false

    /// - Parameters:
    ///   - policy: When the family requires a bond.
    ///   - advice: How the user prepares this family's devices for bonding; nil for the general advice.
    package init(_ policy: LinkRequirements.Bonding, advice: String?) {
        self.policy = policy
        words = advice
        need = policy == .always ? .missing : .unneeded
    }

    /// Whether to bond before the next link.
    package var isDue: Bool { need != .unneeded }

    /// Whether a bond is required that the host does not have. A bond attempted only because the device joins does not
    /// count.
    package var isLacking: Bool { [.suspected, .missing, .refused].contains(need) }

    /// Whether a link may have been lost because there is no bond. Some devices close the link instead of refusing an
    /// access, and BlueZ loses the link when its own attempt to bond fails. A device that was usable without a bond
    /// before is suspected only after repeated failures. Over a proxy, nothing is suspected: the network may be the
    /// cause, and a bond would tie the device to the proxy.
    ///
    /// - Parameter attempt: The number of consecutive failures, including the current failure.
    package func isSuspect(attempt: Int) -> Bool {
        policy == .onDemand && !isBonded && !wasOverProxy && (!wasReady || attempt > 2)
    }

    /// Tells the user how to repair an existing bond, or how to make a new one possible.
    package var advice: String {
        if let proxy {
            return
                "the bond is in the Bluetooth proxy \(proxy): bring the device near it, or pair the device again by "
                + "request"
        }
        return isBonded
            ? "the bond may be gone on one side: remove it with bluetoothctl, and pair again"
            : words ?? "put the device into pairing mode"
    }

    /// Records an advertisement and whether the host has a bond.
    package mutating func heard(isPaired: Bool) {
        isBonded = isPaired
        if isPaired, need != .refused { need = .unneeded }
    }

    /// Records that the device joins, so the bridge tries to bond with it.
    package mutating func wish() { if need == .unneeded { need = .wished } }

    /// Records that a link was lost in a way that suggests a missing bond.
    package mutating func suspect() { if need == .unneeded, proxy == nil { need = .suspected } }

    /// Records that the device refused a link without a bond. If a proxy has the bond, the bridge waits for this proxy and
    /// makes no other bond.
    package mutating func refused() { need = proxy == nil ? .refused : .unneeded }

    /// Records that the device is bonded.
    package mutating func paired() {
        (need, isBonded, failedJustNow) = (.unneeded, true, false)
        proxy = nil
    }

    /// Records that the device is usable, so that no bond is needed now.
    package mutating func ready() { (need, failures, wasReady, failedJustNow) = (.unneeded, 0, true, false) }

    /// Records that a link failed.
    ///
    /// - Returns: Whether bonding failed right before this link, so that the bonding advice still applies.
    package mutating func linkFailed() -> Bool {
        defer { failedJustNow = false }
        return failedJustNow
    }

    /// Records that bonding failed.
    ///
    /// - Returns: The pause before the next attempt to bond; nil if a link may be attempted without a bond.
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

    /// The pause before the first attempt to bond, after this number of failed links.
    package static func pause(attempt: Int) -> Duration {
        Supervision.delay(attempt: attempt, first: .milliseconds(500), limit: patience)
    }
}
