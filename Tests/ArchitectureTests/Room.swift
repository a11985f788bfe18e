/// A module of the house: where it stands and what may be imported into it.
struct Room: Sendable {
    /// The module's name.
    let name: String
    /// Its folder below the package's.
    let folder: String
    /// What it may import: modules of the house, of packages, of the system.
    let mayImport: Set<String>

    init(_ name: String, in folder: String? = nil, mayImport: Set<String> = []) {
        self.name = name
        self.folder = folder ?? "Sources/\(name)"
        self.mayImport = mayImport
    }

    /// The C libraries, each imported by exactly one module.
    static let libraries = ["CDBus": "DBus", "CLinux": "EventLoop", "CMosquitto": "MQTT", "CYAML": "YAML"]

    /// What reads YAML: it hands on values.
    static let yamlReaders: Set<String> = ["BridgeConfiguration", "DeviceFiles", "tactile-simulator"]

    /// The commands, which alone print.
    static let commands: Set<String> = [
        "tactile-bridge", "tactile-bridge-console", "tactile-demo", "tactile-simulator",
    ]

    /// The web server's library, which one module alone is built of.
    static let web: Set<String> = ["NIOCore", "NIOHTTP1", "NIOPosix", "NIOWebSocket"]

    /// The whole house. Nobody may import Foundation; `JSON` may use its essential part.
    static let all: [Room] = [
        // Towards the outside: buses, brokers, radios.
        Room("EventLoop", mayImport: ["CLinux", "Glibc", "Stalls", "Synchronization"]),
        Room("DBus", mayImport: ["CDBus", "EventLoop", "Logging", "Glibc"]),
        // The pairing agent and the simulator need it, nothing else.
        Room("DBusServer", mayImport: ["DBus", "EventLoop", "Logging"]),
        Room("MQTT", mayImport: ["CMosquitto", "CoreMetrics", "EventLoop", "Glibc", "Logging", "Messages"]),
        // Its actors live on the loop of the bus.
        Room("BlueZ", mayImport: ["Bluetooth", "DBus", "DBusServer", "EventLoop", "Glibc", "Logging"]),

        // Towards the devices: values only, nothing of the system.
        Room("Bluetooth"),
        Room("Messages"),
        Room("Claims", mayImport: ["Bluetooth"]),
        Room("Stalls"),
        Room("Product"),
        Room("JSON", mayImport: ["FoundationEssentials"]),
        Room("Haptics", mayImport: ["JSON"]),
        Room("DeviceKit", mayImport: ["Bluetooth", "Haptics", "JSON"]),
        // Every family; what a family's own folder may import is told by `families`.
        Room("DeviceCatalog", in: "Sources/Devices", mayImport: families),
        Room("DeviceFiles", mayImport: ["Bluetooth", "DeviceKit", "Haptics", "JSON", "YAML"]),
        Room("HomeAssistant", mayImport: ["Bluetooth", "DeviceKit", "JSON"]),
        Room(
            "BridgeCore",
            mayImport: [
                "Bluetooth", "Claims", "CoreMetrics", "DeviceKit", "Haptics", "HomeAssistant", "JSON",
                "Logging", "Messages", "ServiceLifecycle", "Stalls",
            ]),

        // The simulator; virtual devices are pure like the families.
        Room(
            "VirtualDevices",
            mayImport: ["Bluetooth", "DeviceFiles", "DeviceKit", "JSON", "Glibc.cos", "Glibc.sin"]),
        Room(
            "BlueZSimulator",
            mayImport: [
                "BlueZ", "Bluetooth", "DBus", "DBusServer", "EventLoop", "Glibc", "Logging",
                "Synchronization", "VirtualDevices",
            ]),

        // What a command needs of its host and its terminal.
        Room("Terminal", mayImport: ["JSON"]),
        // Pure: what is heard in, lines out.
        Room("Stage", mayImport: ["Glibc.cos", "Glibc.sin", "JSON", "Terminal"]),
        Room(
            "HostServices",
            mayImport: [
                "DeviceKit", "EventLoop", "Glibc", "JSON", "Logging", "ServiceLifecycle", "Synchronization",
                "Terminal",
            ]),

        // What is on the disk: the configuration and the state.
        Room("YAML", mayImport: ["CYAML"]),
        Room(
            "BridgeConfiguration",
            mayImport: [
                "Bluetooth", "BridgeCore", "DeviceFiles", "DeviceKit", "EventLoop", "Glibc", "Haptics",
                "HomeAssistant",
                "HostServices", "JSON", "Logging", "MQTT", "Messages", "Product", "Synchronization",
                "Terminal", "YAML",
            ]),
        Room(
            "StateFiles",
            mayImport: [
                "Bluetooth", "BridgeCore", "DeviceKit", "EventLoop", "Glibc", "HostServices", "JSON",
                "Logging",
            ]),

        // What the commands do besides running the bridge, and what stands beside a running bridge.
        Room(
            "Guardian",
            mayImport: [
                "BlueZ", "Bluetooth", "BridgeCore", "DBus", "DeviceKit", "EventLoop", "Glibc",
                "HostServices", "Logging",
            ]),
        Room(
            "MetricsEndpoint",
            mayImport: [
                "BridgeCore", "CoreMetrics", "EventLoop", "Glibc", "HostServices", "Logging", "MQTT",
                "Messages", "ServiceLifecycle", "Synchronization",
            ]),
        Room(
            "Reference",
            mayImport: [
                "Bluetooth", "BridgeConfiguration", "BridgeCore", "DeviceKit", "Haptics", "HomeAssistant",
                "HostServices", "JSON", "MQTT", "Messages", "MetricsEndpoint", "Product", "Terminal",
            ]),
        Room(
            "Doctor",
            mayImport: [
                "BlueZ", "Bluetooth", "BridgeConfiguration", "BridgeCore", "DBus", "DeviceKit", "EventLoop",
                "Glibc", "HostServices", "JSON", "Logging", "MQTT", "Messages",
                "Reference", "StateFiles", "Terminal",
            ]),
        Room(
            "DeviceListing",
            mayImport: [
                "BlueZ", "Bluetooth", "BridgeConfiguration", "BridgeCore", "DBus", "DeviceKit", "Doctor",
                "EventLoop", "Glibc", "HostServices", "JSON", "Logging", "MQTT",
                "StateFiles", "Terminal", "UnixSignals",
            ]),

        Room(
            "BridgeRequests",
            mayImport: [
                "BridgeConfiguration", "EventLoop", "HostServices", "JSON", "Logging", "MQTT", "Messages",
            ]),
        Room(
            "FleetControl",
            mayImport: [
                "Bluetooth", "BridgeConfiguration", "BridgeCore", "DeviceKit", "EventLoop", "HostServices",
                "JSON", "Logging", "MQTT", "Messages", "Terminal",
            ]),
        Room(
            "DeviceProbe", mayImport: ["BlueZ", "Bluetooth", "DBus", "EventLoop", "Logging", "Terminal"]),

        Room(
            "BridgeProcess",
            mayImport: [
                "BlueZ", "Bluetooth", "BridgeConfiguration", "BridgeCore", "CoreMetrics", "DBus",
                "DeviceKit", "EventLoop", "Glibc", "Guardian", "HostServices", "Logging",
                "MQTT", "Messages", "MetricsEndpoint", "Product", "ServiceLifecycle", "Stalls", "StateFiles",
                "Synchronization", "UnixSignals",
            ]),

        // What the console does, without its sockets.
        Room("Console", mayImport: ["BridgeConfiguration", "BridgeCore", "DeviceKit", "JSON", "Reference"]),

        // The commands.
        Room(
            "tactile-bridge",
            mayImport: [
                "ArgumentParser", "BlueZ", "Bluetooth", "BridgeConfiguration", "BridgeCore", "BridgeProcess",
                "BridgeRequests", "DBus",
                "DeviceCatalog", "DeviceFiles", "DeviceKit", "DeviceListing", "DeviceProbe", "Doctor",
                "EventLoop", "FleetControl", "Glibc", "Guardian",
                "Haptics", "HostServices", "JSON", "Logging", "Product", "Reference", "StateFiles",
                "Terminal",
            ]),
        Room(
            "tactile-bridge-console",
            mayImport: web.union([
                "ArgumentParser", "Bluetooth", "BridgeConfiguration", "BridgeCore", "Console",
                "DeviceCatalog", "DeviceKit", "EventLoop", "Glibc", "HostServices", "JSON", "Logging", "MQTT",
                "Messages", "Product", "Reference", "Synchronization", "Terminal", "UnixSignals",
            ])),
        Room(
            "tactile-simulator",
            mayImport: [
                "ArgumentParser", "BlueZSimulator", "Bluetooth", "DBus", "DeviceFiles", "Dispatch",
                "EventLoop", "Glibc",
                "JSON", "Logging", "Product", "Synchronization", "VirtualDevices", "YAML",
            ]),

        Room("tactile-demo", mayImport: ["ArgumentParser", "Dispatch", "Glibc", "Stage"]),

        // What the tests share: fakes and scopes for what it fakes.
        Room(
            "BridgeTesting", in: "Tests/BridgeTesting",
            mayImport: [
                "BlueZ", "BlueZSimulator", "Bluetooth", "BridgeCore", "DBus", "DeviceCatalog", "DeviceKit",
                "Dispatch", "EventLoop", "Glibc", "JSON", "Logging", "MQTT", "Messages", "ServiceLifecycle",
                "Stalls", "Synchronization", "Testing", "VirtualDevices",
            ]),
    ]

    /// What families may import. The functions of the system among it compute and do nothing else.
    static let families: Set<String> = [
        "Bluetooth", "DeviceKit", "Glibc.atan2", "Glibc.cos", "Glibc.sin", "Haptics", "JSON",
    ]
}
