package import Bluetooth
import BridgeContract
import JSON
import Messages

/// The other bridges on the broker, and which of them are online, so that their claims are valid.
///
/// A bridge is offline when its last will was published. But after a crash a broker may restore an old `online`
/// message of a bridge that has exited since. So retained messages are valid only for a while. In that time each
/// online bridge is informed that this bridge has connected, and repeats its message.
package struct Peers: Sendable {
    private struct Peer: Hashable, Sendable {
        var isOnline: Bool?
        /// When the bridge's `availability` became `offline` on this connection, published by the bridge itself or as
        /// its last will.
        var goneSince: Duration?
        /// Whether the bridge published a message on this connection. A retained message, which may be old, does not
        /// count.
        var isHeardLive = false
        /// Whether the bridge publishes claims on the topics `claim/<address>`.
        var claimsAddresses = false
        /// The host that the bridge runs on, from its `info`.
        var host: String?
        var adapters: [String: Address] = [:]
        /// The addresses of the Bluetooth proxies that the bridge uses, or that an unknown program has taken from it.
        var usedProxies: Set<Address> = []
    }

    /// How long retained messages are valid after all of them have arrived.
    package static let patience = Duration.seconds(2)
    /// The maximum number of bridges, more than any broker has.
    private static let capacity = 4096

    private let own: String
    private var peers: [String: Peer] = [:]
    /// Until when retained messages are valid; nil while some may still arrive.
    package private(set) var deadline: Duration?
    /// Whether this bridge's own `online` message returned, which proves that this bridge may read the topics of
    /// bridges.
    private var canSee = false

    package init(own: String) { self.own = own }

    /// Records a new broker connection. Earlier messages are no longer valid.
    package mutating func connected() { self = Peers(own: own) }

    /// Records that all retained messages of bridges have arrived.
    package mutating func settled(at now: Duration) { deadline = deadline ?? now + Self.patience }

    /// Records a bridge's `availability`.
    ///
    /// - Returns: Whether another bridge has just connected, so that this bridge must inform it.
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

    /// Records a bridge's `info`. If the message is not retained, the bridge is online, unless its `availability` is
    /// offline.
    ///
    /// - Returns: Whether the known state of that bridge changed.
    package mutating func heard(info payload: [UInt8], of bridge: String, isStored: Bool) -> Bool {
        guard bridge != own, payload.count <= IncomingMessage.maximumPayload,
            let object = try? JSON.Value(parsing: payload),
            peers[bridge] != nil || peers.count < Self.capacity
        else { return false }
        let before = peers[bridge]
        var adapters: [String: Address] = [:]
        var usedProxies: Set<Address> = []
        for adapter in object["adapters"]?.array?.prefix(64) ?? [] {
            guard let name = adapter["name"]?.string else { continue }
            adapters[name] = adapter["address"]?.string.flatMap { Address($0) }
            guard AdapterName.isProxy(name), let address = adapters[name] else { continue }
            let isTaken =
                adapter["held_by"]?.string.map { !$0.hasPrefix(AdapterName.holdingBridge) } ?? false
            if isTaken || adapter["powered"]?.bool == true { usedProxies.insert(address) }
        }
        if !isStored, peers[bridge]?.isOnline != false { peers[bridge, default: Peer()].isHeardLive = true }
        peers[bridge, default: Peer()].claimsAddresses = object["fleet_protocol"]?.integer != nil
        peers[bridge, default: Peer()].adapters = adapters
        peers[bridge, default: Peer()].usedProxies = usedProxies
        peers[bridge, default: Peer()].host = object["host"]?.string
        return peers[bridge] != before
    }

    /// Whether the bridge of a claim is online.
    package func life(of claim: Claim, at now: Duration) -> Neighbors.Life {
        let isOver = deadline.map { now >= $0 } ?? false
        guard let peer = peers[claim.bridge], let isOnline = peer.isOnline else {
            guard isOver else { return .presumed }
            // If this bridge may not read the topics of bridges, a missing message does not show that the other bridge
            // is offline.
            return canSee ? .dead : .alive
        }
        guard isOnline else { return .dead }
        if !claim.isStored || peer.isHeardLive { return .alive }
        return isOver ? .dead : .presumed
    }

    /// The online bridges that publish claims on the topics `claim/<address>`.
    package var claiming: [String] {
        peers.filter { $0.value.isOnline == true && $0.value.claimsAddresses }.map(\.key)
    }

    /// Whether the online bridges are known: all retained messages have arrived, and bridges with a retained `online`
    /// have had time to repeat it.
    package func areKnown(at now: Duration) -> Bool { deadline.map { !hasOthers || now >= $0 } ?? false }

    /// The bridges that are certainly not this bridge under a former id: those that are online now, and those that run
    /// on another host.
    ///
    /// - Parameter host: The host that this bridge runs on.
    package func others(than host: String) -> Set<String> {
        Set(
            peers.filter { _, peer in
                peer.isOnline == true && peer.isHeardLive || peer.host.map { $0 != host } ?? false
            }.keys)
    }

    /// When a bridge went offline; nil if it is online, or unknown.
    package func goneSince(_ bridge: String) -> Duration? { peers[bridge]?.goneSince }

    package var hasOthers: Bool { peers.values.contains { $0.isOnline == true } }

    /// The other bridge that uses the Bluetooth proxy with this address; nil if none does. Of several, the first in
    /// alphabetical order. A bridge counts as the user too while an unknown program, such as Home Assistant, has taken the
    /// proxy from it: another bridge would take the proxy from that program in turn.
    package func user(ofProxy address: Address, at now: Duration) -> String? {
        peers.filter { bridge, peer in
            let claim = Claim(bridge: bridge, epoch: 0, state: .linked, isStored: true)
            return peer.usedProxies.contains(address) && life(of: claim, at: now) != .dead
        }.keys.min()
    }

    /// The online bridges that use or are configured with the Bluetooth proxy with this address, in alphabetical order.
    package func bridges(withProxy address: Address) -> [String] {
        peers.filter { _, peer in
            peer.isOnline == true
                && peer.adapters.contains { AdapterName.isProxy($0.key) && $0.value == address }
        }.keys.sorted()
    }

    /// The Bluetooth address of an adapter of another bridge's host, by the adapter's name.
    package func adapter(_ name: String, of bridge: String) -> Address? { peers[bridge]?.adapters[name] }
}
