// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let lifecycleTesting = Target.Dependency.product(
    name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

/// A room of the house: its name, what it may import, and where it stands if not under its own name.
func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency], path: String? = nil
) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

let package = Package(
    name: "tactile-bridge",
    products: [
        .executable(name: "tactile-bridge", targets: ["tactile-bridge"]),
        .executable(name: "tactile-simulator", targets: ["tactile-simulator"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // The C libraries, as Swift sees them.
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto",
            providers: [.apt(["libmosquitto-dev", "libssl-dev"])]),

        // Towards the outside: buses, brokers, radios.
        module("EventLoop"),
        module("DBus", ["CDBus", "EventLoop", logging]),
        module("MQTT", ["CMosquitto", "EventLoop", logging]),
        module("BlueZ", ["Bluetooth", "DBus", "EventLoop", logging]),

        // Towards the devices: values only.
        module("Bluetooth"),
        module("JSON"),
        module("DeviceKit", ["Bluetooth", "JSON"]),
        module(
            "FeelSpaceBelt", ["Bluetooth", "DeviceKit", "JSON"],
            path: "Sources/Devices/FeelSpaceBelt"),
        module("DeviceCatalog", ["Bluetooth", "DeviceKit", "FeelSpaceBelt"]),
        module("BridgeCore", ["Bluetooth", "DeviceCatalog", "DeviceKit", "JSON", lifecycle, logging]),

        // The simulator.
        module("VirtualDevices", ["Bluetooth"]),
        module("BlueZSimulator", ["Bluetooth", "DBus", "EventLoop", "VirtualDevices", logging]),

        // The two commands.
        .executableTarget(
            name: "tactile-bridge",
            dependencies: [
                "BlueZ", "Bluetooth", "BridgeCore", "DBus", "DeviceCatalog", "DeviceKit", "EventLoop", "JSON",
                "MQTT", arguments, lifecycle, logging, yams, signals,
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "tactile-simulator",
            dependencies: [
                "BlueZSimulator", "Bluetooth", "DBus", "EventLoop", "JSON", "VirtualDevices", arguments,
                logging,
                yams,
            ],
            swiftSettings: settings),

        // What the tests share.
        module(
            "BridgeTesting",
            ["Bluetooth", "BridgeCore", "DBus", "DeviceCatalog", "DeviceKit", "EventLoop", "JSON", logging]),

        // The tests.
        tests("BluetoothTests", ["Bluetooth"]),
        tests("JSONTests", ["JSON"]),
        tests("DeviceKitTests", ["DeviceKit", "JSON"]),
        tests(
            "FeelSpaceBeltTests", ["Bluetooth", "DeviceKit", "FeelSpaceBelt", "JSON", "VirtualDevices"]),
        tests("DeviceCatalogTests", ["Bluetooth", "DeviceCatalog", "DeviceKit", "JSON"]),
        tests(
            "BlueZSimulatorTests",
            ["Bluetooth", "BlueZSimulator", "BridgeTesting", "DBus", "EventLoop", "VirtualDevices"]),
        tests("ArchitectureTests", []),
        tests(
            "SettingsTests",
            [
                "Bluetooth", "BridgeCore", "DeviceCatalog", "DeviceKit", "JSON", "MQTT", "tactile-bridge",
                arguments, logging,
            ]),
        tests(
            "BridgeCoreTests",
            [
                "Bluetooth", "BridgeCore", "BridgeTesting", "DeviceCatalog", "DeviceKit", "JSON",
                lifecycleTesting, logging,
            ]),
        tests("EventLoopTests", ["EventLoop"]),
        tests("DBusTests", ["BridgeTesting", "DBus", "EventLoop", logging]),
        tests("VirtualDevicesTests", ["Bluetooth", "VirtualDevices"]),
        tests(
            "TactileSimulatorTests",
            ["Bluetooth", "BlueZSimulator", "JSON", "VirtualDevices", "tactile-simulator", arguments]),
        tests("MQTTTests", ["BridgeTesting", "EventLoop", "MQTT", logging]),
        tests("SystemTests", ["BridgeTesting", "DBus", "EventLoop", "JSON"]),
        tests("BlueZTests", ["BlueZ", "Bluetooth", "BridgeTesting", "DBus", "EventLoop"]),
    ]
)
