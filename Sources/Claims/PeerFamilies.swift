import BridgeContract
import DeviceKit
import JSON

/// The families of devices that other bridges know: no other device gets a name at or below theirs.
///
/// They stay known while their bridge is offline, since its devices are named so when it is back. A bridge that is gone
/// for good is forgotten when its retained list is cleared. A list takes the same time however many bridges there are.
package struct PeerFamilies: Sendable {
    /// The longest list that is read, in bytes.
    private static let sizeLimit = 65_536
    /// How many bridges are remembered: more than stand at any broker.
    private static let capacity = 1024
    /// How many families of each are remembered.
    private static let namesCapacity = 256

    private var lists: [String: Set<String>] = [:]
    /// The bridges that know each family.
    private var knowers: [String: Set<String>] = [:]
    /// The names of all families, each with a bridge that knows it.
    package private(set) var roots: [String: String] = [:]

    package init() {}

    /// A bridge's list arrived; an empty one clears it.
    ///
    /// - Returns: Whether that makes a difference.
    package mutating func heard(_ payload: [UInt8], of bridge: String) -> Bool {
        guard payload.count <= Self.sizeLimit, lists[bridge] != nil || lists.count < Self.capacity else {
            return false
        }
        let names = (try? JSON.Value(parsing: payload, maximumDepth: 16))?.array?
            .lazy.compactMap { $0["name"]?.string }
            .filter { NameRules.isName($0) && !$0.contains("/") && !NameRules.everyRoot.contains($0) }
            .prefix(Self.namesCapacity)
        guard payload.isEmpty || names != nil else { return false }
        let (before, after) = (lists[bridge] ?? [], names.map { Set($0) } ?? [])
        lists[bridge] = names == nil ? nil : after
        for name in before.subtracting(after) { forget(name, of: bridge) }
        for name in after.subtracting(before) {
            knowers[name, default: []].insert(bridge)
            if roots[name] == nil { roots[name] = bridge }
        }
        return before != after
    }

    private mutating func forget(_ name: String, of bridge: String) {
        knowers[name]?.remove(bridge)
        if knowers[name]?.isEmpty ?? false { knowers[name] = nil }
        if roots[name] == bridge { roots[name] = knowers[name]?.first }
    }
}
