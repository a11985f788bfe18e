import BridgeContract
import Glibc

/// The properties of the host and of the process environment on which settings depend.
package struct Host: Sendable {
    package var environment: [String: String]
    package var name: String

    package static var current: Host {
        var environment: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                environment[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            next += 1
        }
        var buffer = [CChar](repeating: 0, count: 256)
        let isKnown = gethostname(&buffer, buffer.count - 1) == 0
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return Host(environment: environment, name: isKnown ? String(decoding: bytes, as: UTF8.self) : "")
    }

    /// The host name as a topic level: without its domain, and with `-` for characters that are not allowed. If nothing
    /// remains, `bridge`.
    var topicLevel: String {
        let label = name.prefix { $0 != "." }.utf8.map { NameRules.isNameByte($0) ? $0 : UInt8(ascii: "-") }
        let text = String(decoding: label.prefix(64), as: UTF8.self)
        return text.contains { $0 != "-" } && text != NameRules.everyBridge ? text : "bridge"
    }

    /// The folder for files that must not survive a restart of the host: systemd's runtime directory; nil if systemd
    /// provides none.
    package var runtimeDirectory: String? {
        environment["RUNTIME_DIRECTORY"].flatMap { value in
            value.hasPrefix("/") ? String(value.prefix { $0 != ":" }) : nil
        }
    }

    /// The folder for the bridge's state: systemd's state directory, otherwise the folder according to the XDG
    /// specification.
    package var stateDirectory: String {
        func folder(_ variable: String) -> String? {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        if let directory = folder("STATE_DIRECTORY") { return String(directory.prefix { $0 != ":" }) }
        if let state = folder("XDG_STATE_HOME") { return "\(state)/tactile-bridge" }
        if let home = folder("HOME") { return "\(home)/.local/state/tactile-bridge" }
        return "/var/lib/tactile-bridge"
    }
}
