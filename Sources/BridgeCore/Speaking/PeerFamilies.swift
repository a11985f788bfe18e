import BridgeContract
import DeviceKit
import JSON

/// The families of devices that other bridges know: no device of another family may be named at or below their names.
///
/// They stay known while their bridge is offline, since its devices are named so when it is back. A bridge that is gone
/// for good is forgotten when its retained list is cleared.
struct PeerFamilies: Sendable {
    /// The longest list that is read, in bytes.
    private static let sizeLimit = 65_536
    /// How many bridges are remembered: more than stand at any broker.
    private static let capacity = 4096

    private var lists: [String: Set<String>] = [:]
    /// The names of all families, each with the first bridge that knows it.
    private(set) var roots: [String: String] = [:]

    /// A bridge's list arrived; an empty one clears it.
    ///
    /// - Returns: Whether that makes a difference.
    mutating func heard(_ payload: [UInt8], of bridge: String) -> Bool {
        guard payload.count <= Self.sizeLimit, lists[bridge] != nil || lists.count < Self.capacity else {
            return false
        }
        let names = (try? JSON.Value(parsing: payload, maximumDepth: 16))?.array?
            .compactMap { $0["name"]?.string }
            .filter { NameRules.isName($0) && !$0.contains("/") && !NameRules.everyRoot.contains($0) }
        guard payload.isEmpty || names != nil else { return false }
        lists[bridge] = names.map { Set($0) }
        let before = roots
        roots = [:]
        for (bridge, names) in lists.sorted(by: { $0.key > $1.key }) {
            for name in names { roots[name] = bridge }
        }
        return roots != before
    }
}
