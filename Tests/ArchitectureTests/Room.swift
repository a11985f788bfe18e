import Foundation

/// A module with its folder and its permitted imports, from the table in docs/architecture.
struct Room: Sendable {
    let name: String
    /// The folder, relative to the package.
    let folder: String
    /// The permitted imports: modules of the package, of other packages, and of the system.
    let mayImport: Set<String>

    /// The C libraries, each with the only modules that may import it, by name.
    static let libraries = [
        "CCrypto": ["Cryptography", "ESPHome", "tactile-bridge-console"], "CDBus": ["DBus"],
        "CLinux": ["EventLoop"], "CMosquitto": ["MQTT"], "CYAML": ["YAML"],
    ]

    /// The modules that read YAML; other modules receive values.
    static let yamlReaders: Set<String> = [
        "BridgeConfiguration", "DeviceFiles", "Gestures", "tactile-simulator",
    ]

    /// The commands, which alone may print.
    static let commands: Set<String> = [
        "tactile-bridge", "tactile-bridge-console", "tactile-demo", "tactile-simulator",
    ]

    /// The modules of the web server's library.
    static let web: Set<String> = ["NIOCore", "NIOHTTP1", "NIOPosix", "NIOWebSocket"]

    /// The imports that families may use. The system functions among them only compute.
    static let families: Set<String> = [
        "Bluetooth", "DeviceKit", "Glibc.atan2", "Glibc.cos", "Glibc.sin", "Haptics", "JSON",
    ]

    /// The modules whose folders have other names.
    private static let folders = [
        "DeviceCatalog": "Sources/Devices", "BridgeTesting": "Tests/BridgeTesting",
        "HostTesting": "Tests/HostTesting",
    ]

    /// All modules, in the order of the table.
    static let all: [Room] = {
        let page = SourceFile.root.appending(path: "docs/architecture/README.md")
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").drop { $0 != "<!-- rooms: begin -->" }
            .prefix { $0 != "<!-- rooms: end -->" }
            .compactMap { line in
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                guard line.hasPrefix("| `"), cells.count == 3 else { return nil }
                let name = cells[0].trimmingCharacters(in: ["`"])
                return Room(
                    name: name, folder: folders[name] ?? "Sources/\(name)",
                    mayImport: Set(cells[2].matches(of: /`([^`]+)`/).map { String($0.1) }))
            }
    }()
}
