package import Bluetooth

/// The bus names that show which program uses an adapter: only the owner of an adapter's name uses the adapter.
///
/// The bridge that uses an adapter owns the adapter's name. When the bridge dies, the bridge's guardian becomes the
/// owner. The installed D-Bus policy allows only the service user to own names with this prefix. The name contains the
/// adapter's address, which stays the same if the adapter gets another number (`hci1`) after it is plugged in again. An
/// element of a bus name has no colons and does not start with a digit (D-Bus Specification, "Bus names"): hence the
/// name ends with `A` and the twelve digits of the address.
package enum AdapterName {
    /// The common prefix of all names.
    package static let prefix = "org.tactilebridge.Adapter"

    /// Returns the name of an adapter: `org.tactilebridge.Adapter.A001122334455`.
    package static func name(of address: Bluetooth.Address) -> String {
        "\(prefix).A\(address.description.split(separator: ":").joined())"
    }

    /// Returns the additional name by which a bridge publishes its id:
    /// `org.tactilebridge.Adapter.A001122334455.Battic`; the guardian of that bridge uses `…Gattic`.
    ///
    /// A bridge's id consists of letters, digits, `_` and `-`, all of which are allowed in bus names.
    package static func sign(of bridge: String, isGuardian: Bool, at name: String) -> String {
        "\(name).\(isGuardian ? "G" : "B")\(bridge)"
    }

    /// Returns the bridge id that is contained in an additional name of an adapter; nil if `sign` is not an additional
    /// name of the adapter's name `name`.
    static func signer(of sign: String, at name: String) -> (bridge: String, isGuardian: Bool)? {
        for (letter, isGuardian) in [("B", false), ("G", true)] where sign.hasPrefix("\(name).\(letter)") {
            return (String(sign.dropFirst(name.count + 2)), isGuardian)
        }
        return nil
    }

    /// Returns the adapter's name at the start of `name`, which may be an additional name with a bridge id; nil if
    /// `name` does not belong to an adapter.
    static func base(of name: String) -> String? {
        guard name.hasPrefix("\(prefix).A") else { return nil }
        let end = name.dropFirst(prefix.count + 1).firstIndex(of: ".") ?? name.endIndex
        return String(name[..<end])
    }
}
