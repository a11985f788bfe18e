import BridgeContract
import DeviceKit
import JSON

/// The device families of other bridges. No other device gets a name at or below the name of such a family.
///
/// The names stay reserved while the bridge of a family is offline, because its devices have these names when it
/// returns. The families of a bridge that was removed are dropped when its retained list is cleared. The cost of a list
/// does not depend on the number of bridges.
package struct PeerFamilies: Sendable {
    /// The size of the longest list that is parsed, in bytes.
    private static let sizeLimit = 65_536
    /// The maximum number of bridges, more than any broker has.
    private static let capacity = 1024
    /// The maximum number of families per bridge.
    private static let namesCapacity = 256

    private var lists: [String: Set<String>] = [:]
    /// For each family, the bridges whose lists contain the family.
    private var knowers: [String: Set<String>] = [:]
    /// The names of all families of other bridges, each with one bridge whose list contains the family.
    package private(set) var roots: [String: String] = [:]

    package init() {}

    /// Applies the list of families that a bridge published. An empty list removes the bridge's families.
    ///
    /// - Returns: Whether the families changed.
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
