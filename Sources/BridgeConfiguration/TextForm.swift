import Bluetooth
import BridgeContract
import DeviceKit
import HostServices

/// A restriction of a text in addition to its length, with its description for errors.
package struct SettingForm: Sendable {
    /// The allowed values, in words.
    package let allowed: String
    /// Returns whether a text is allowed.
    package let accepts: @Sendable (String) -> Bool

    /// A bridge's id: one topic level, but not the level `all`, which addresses every bridge.
    package static let bridgeID = SettingForm(
        allowed: "1 to 64 letters, digits, _ and -, but not all, which means every bridge"
    ) {
        (1...64).contains($0.utf8.count) && $0.utf8.allSatisfy(NameRules.isNameByte)
            && $0 != NameRules.everyBridge
    }

    /// The location of a host as one word (`bridge.zone`); may be empty.
    static let zone = SettingForm(allowed: "at most 64 letters, digits, _ and -, or empty") {
        $0.utf8.count <= 64 && $0.utf8.allSatisfy(NameRules.isNameByte)
    }

    /// A prefix of topics, or an empty text.
    static let topicPrefix = SettingForm(
        allowed: "topic levels separated by /, none empty, without + # and control characters"
    ) { text in
        text.isEmpty
            || (!text.hasPrefix("$") && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
                && !text.contains { $0 == "+" || $0 == "#" }
                && !text.split(separator: "/", omittingEmptySubsequences: false).contains(""))
    }

    static let path = SettingForm(allowed: "a path that starts with /") { $0.hasPrefix("/") }

    static let host = SettingForm(allowed: "a host name, an address, or the path of a Unix socket") { text in
        text.hasPrefix("/")
            || (!text.isEmpty && !text.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: "/") })
    }

    static let bus = SettingForm(allowed: "system, or a D-Bus address such as unix:path=/run/dbus/socket") {
        text in
        guard text != "system" else { return true }
        return text.split(separator: ";").allSatisfy { address in
            guard let colon = address.firstIndex(of: ":") else { return false }
            let transport = address[..<colon]
            return !transport.isEmpty && transport.utf8.allSatisfy { NameRules.isNameByte($0) }
                && address[address.index(after: colon)...].contains("=")
        } && !text.isEmpty
    }

    static let adapter = SettingForm(
        allowed: "an adapter's name such as hci0, its address such as 00:1A:7D:DA:71:13, or a proxy such as "
            + "proxy/kitchen"
    ) { text in
        let isName =
            text.hasPrefix("hci") && text.count > 3
            && text.dropFirst(3).allSatisfy { $0.isASCII && $0.isNumber }
        return isName || AdapterName.isProxy(text) || Address(text) != nil
    }

    /// An icon of Home Assistant.
    static let icon = SettingForm(allowed: "an icon's set and name such as mdi:run") { text in
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(NameRules.isNameByte) }
    }

    /// The address of the console.
    static let consoleListen = SettingForm(
        allowed: "ADDRESS:PORT such as 127.0.0.1:9480 or [::1]:9480, or the path of a Unix socket"
    ) { ListenAddress($0) != nil }

    /// A host as browsers send it in the header `Host`.
    static let authority = SettingForm(allowed: "a host such as console.example or console.example:8443") {
        text in
        !text.isEmpty && text.utf8.allSatisfy { NameRules.isNameByte($0) || ".:[]".utf8.contains($0) }
    }

    /// The address of a proxy.
    static let proxyAddress = SettingForm(allowed: "an address such as 127.0.0.1 or ::1, or unix") { text in
        text == "unix"
            || !text.hasPrefix("/") && (ListenAddress("\(text):1") ?? ListenAddress("[\(text)]:1")) != nil
    }

    /// A page that may show the console in a frame.
    static let frameAncestor = SettingForm(allowed: "self, or an origin such as https://home.example:8123") {
        text in
        if text == ConsoleSettings.ownOrigin { return true }
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
        return authority.accepts(String(text.dropFirst(scheme.count)))
    }

    /// An address to listen on, or an empty text.
    static let listen = SettingForm(
        allowed: "ADDRESS:PORT such as 127.0.0.1:9402 or [::1]:9402, the path of a Unix socket, or empty"
    ) { $0.isEmpty || ListenAddress($0) != nil }
}
