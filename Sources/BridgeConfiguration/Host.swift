import BridgeContract
import Glibc

/// What the machine and the way in which the program was started say, apart from the configuration file.
package struct Host: Sendable {
    /// The environment variables.
    package var environment: [String: String]
    /// The machine's name.
    package var name: String

    /// The machine that this runs on.
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

    /// The machine's name as a level of a topic: without its domain, other characters as `-`.
    var topicLevel: String {
        let label = name.prefix { $0 != "." }.utf8.map { NameRules.isNameByte($0) ? $0 : UInt8(ascii: "-") }
        let text = String(decoding: label.prefix(64), as: UTF8.self)
        return text.contains { $0 != "-" } && text != NameRules.everyBridge ? text : "bridge"
    }

    /// Where things belong that die with the machine: systemd's runtime directory; nil if there is none.
    package var runtimeDirectory: String? {
        environment["RUNTIME_DIRECTORY"].flatMap { value in
            value.hasPrefix("/") ? String(value.prefix { $0 != ":" }) : nil
        }
    }

    /// Where state belongs: systemd's state directory, else the folder that the XDG specification names.
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
