package import Bluetooth
import BridgeContract
import JSON
import Messages

/// The other bridges at the broker: which of them live, so that their claims count.
///
/// A bridge is dead when its last will says so. But a broker that comes back from a crash may have an `online` in store
/// of a bridge that died meanwhile. So what is in store counts for a while only, in which its bridge, hearing that this one
/// is there, says again that it is there too.
package struct Peers: Sendable {
    private struct Peer: Hashable, Sendable {
        var isOnline: Bool?
        /// Since when it says, or its will, that it is gone; on this connection.
        var goneSince: Duration?
        /// Whether it said something of itself on this connection, and not only earlier.
        var isHeardLive = false
        /// Whether it claims devices by their addresses.
        var claimsAddresses = false
        /// The host that it runs on, by its `info`.
        var host: String?
        var adapters: [String: Address] = [:]
    }

    /// How long what is in store counts after all of it has arrived.
    package static let patience = Duration.seconds(2)
    /// How many bridges are remembered: more than stand at any broker.
    private static let capacity = 4096

    private let own: String
    private var peers: [String: Peer] = [:]
    /// Until when what is in store counts; nil while some of it may still arrive.
    package private(set) var deadline: Duration?
    /// Whether this bridge's own `online` came back: what bridges say of themselves may be read.
    private var canSee = false

    /// - Parameter own: This bridge's id.
    package init(own: String) { self.own = own }

    /// The connection to the broker is new: what was heard on the one before counts no more.
    package mutating func connected() { self = Peers(own: own) }

    /// All that the broker had in store of the bridges has arrived.
    package mutating func settled(at now: Duration) { deadline = deadline ?? now + Self.patience }

    /// A bridge's `availability` arrived.
    ///
    /// - Returns: Whether another bridge has just come, which this one tells that it is there.
    package mutating func heard(
        availability payload: [UInt8], of bridge: String, isStored: Bool, at now: Duration
    ) -> Bool {
        let isOnline = payload == Array("online".utf8)
        guard bridge != own else {
            canSee = canSee || isOnline
            return false
        }
        guard peers[bridge] != nil || peers.count < Self.capacity else { return isOnline && !isStored }
        let wasHeardLive = peers[bridge]?.isHeardLive ?? false
        peers[bridge, default: Peer()].isOnline = payload.isEmpty ? nil : isOnline
        let goneSince = peers[bridge]?.goneSince ?? now
        peers[bridge]?.goneSince = isOnline ? nil : goneSince
        peers[bridge, default: Peer()].isHeardLive = isOnline && (wasHeardLive || !isStored)
        return isOnline && !isStored
    }

    /// A bridge's `info` arrived: if not from the store, it is there, unless it says or its will that it has gone.
    ///
    /// - Returns: Whether anything is new.
    package mutating func heard(info payload: [UInt8], of bridge: String, isStored: Bool) -> Bool {
        guard bridge != own, payload.count <= IncomingMessage.maximumPayload,
            let object = try? JSON.Value(parsing: payload),
            peers[bridge] != nil || peers.count < Self.capacity
        else { return false }
        let before = peers[bridge]
        var adapters: [String: Address] = [:]
        for adapter in object["adapters"]?.array?.prefix(64) ?? [] {
            guard let name = adapter["name"]?.string else { continue }
            adapters[name] = adapter["address"]?.string.flatMap { Address($0) }
        }
        if !isStored, peers[bridge]?.isOnline != false { peers[bridge, default: Peer()].isHeardLive = true }
        peers[bridge, default: Peer()].claimsAddresses = object["fleet_protocol"]?.integer != nil
        peers[bridge, default: Peer()].adapters = adapters
        peers[bridge, default: Peer()].host = object["host"]?.string
        return peers[bridge] != before
    }

    /// Whether the one who makes a claim lives.
    package func life(of claim: Claim, at now: Duration) -> Neighbors.Life {
        let isOver = deadline.map { now >= $0 } ?? false
        guard let peer = peers[claim.bridge], let isOnline = peer.isOnline else {
            guard isOver else { return .presumed }
            // Where nothing may be read of any bridge, that one is not heard of says nothing.
            return canSee ? .dead : .alive
        }
        guard isOnline else { return .dead }
        if !claim.isStored || peer.isHeardLive { return .alive }
        return isOver ? .dead : .presumed
    }

    /// The other bridges that are there and claim devices by their addresses.
    package var claiming: [String] {
        peers.filter { $0.value.isOnline == true && $0.value.claimsAddresses }.map(\.key)
    }

    /// Whether it is known which bridges are online: all that was in store has arrived, and a bridge that it calls online
    /// has had its time to answer.
    package func areKnown(at now: Duration) -> Bool { deadline.map { !hasOthers || now >= $0 } ?? false }

    /// The bridges that are not this one under a former id: those that are online, and those that ran on another host.
    ///
    /// - Parameter host: The host that this bridge runs on.
    package func others(than host: String) -> Set<String> {
        Set(
            peers.filter { _, peer in
                peer.isOnline == true && peer.isHeardLive || peer.host.map { $0 != host } ?? false
            }.keys)
    }

    /// Since when a bridge is gone, by its own word or its will; nil for one that is there, or was never heard of.
    package func goneSince(_ bridge: String) -> Duration? { peers[bridge]?.goneSince }

    /// Whether another bridge is at the broker.
    package var hasOthers: Bool { peers.values.contains { $0.isOnline == true } }

    /// The address of an adapter of another bridge's host.
    package func adapter(_ name: String, of bridge: String) -> Address? { peers[bridge]?.adapters[name] }
}
