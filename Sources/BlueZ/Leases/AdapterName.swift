package import Bluetooth

/// The names on the bus by which programs agree which of them uses an adapter.
///
/// An adapter's name is owned by the one bridge that uses it, and passes to that bridge's guardian when it
/// dies; the installed D-Bus policy lets the service user own all names that begin so, and no other user. It
/// carries the adapter's address, which stays with an adapter that gets another number (`hci1`) when it is
/// plugged in anew. A part of a bus name has no colons and does not begin with a digit (D-Bus Specification,
/// "Bus names"): hence `A` and the twelve digits.
package enum AdapterName {
    /// What all of them begin with.
    package static let prefix = "org.tactilebridge.Adapter"

    /// The name of an adapter: `org.tactilebridge.Adapter.A001122334455`.
    package static func name(of address: Bluetooth.Address) -> String {
        "\(prefix).A\(address.description.split(separator: ":").joined())"
    }

    /// The name beside it by which a bridge tells its id: `org.tactilebridge.Adapter.A001122334455.Battic`;
    /// its guardian's is `…Gattic`.
    ///
    /// A bridge's id is made of letters, digits, `_` and `-`, which a bus name may hold too.
    package static func sign(of bridge: String, isGuardian: Bool, at name: String) -> String {
        "\(name).\(isGuardian ? "G" : "B")\(bridge)"
    }

    /// Whose sign beside the name of an adapter it is; nil if it is none.
    static func signer(of sign: String, at name: String) -> (bridge: String, isGuardian: Bool)? {
        for (letter, isGuardian) in [("B", false), ("G", true)] where sign.hasPrefix("\(name).\(letter)") {
            return (String(sign.dropFirst(name.count + 2)), isGuardian)
        }
        return nil
    }

    /// The adapter's name of which one of these names tells.
    static func base(of name: String) -> String? {
        guard name.hasPrefix("\(prefix).A") else { return nil }
        let end = name.dropFirst(prefix.count + 1).firstIndex(of: ".") ?? name.endIndex
        return String(name[..<end])
    }
}
