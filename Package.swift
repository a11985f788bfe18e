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

/// The commands resolve every symbol at their start, so that the table of their addresses can be made read-only then.
let linked: [LinkerSetting] = [
    .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"])
]

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let lifecycleTesting = Target.Dependency.product(
    name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"].map {
    Target.Dependency.product(name: $0, package: "swift-nio")
}
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")

/// A room of the house: its name, what it may import, and where it stands if not under its own name.
func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude,
        // In release, what is tested is optimised; to optimise the tests as well only takes time.
        swiftSettings: settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))])
}

let package = Package(
    name: "tactile-bridge",
    products: [
        .executable(name: "tactile-bridge", targets: ["tactile-bridge"]),
        .executable(name: "tactile-bridge-console", targets: ["tactile-bridge-console"]),
        .executable(name: "tactile-simulator", targets: ["tactile-simulator"]),
        .executable(name: "tactile-demo", targets: ["tactile-demo"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        // The console's alone: no other target may depend on it.
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        // Comes along with these, and is pinned by its name here. So could be swift-async-algorithms, but whoever names
        // it is warned at each build of a file in it; a test looks which version was resolved.
        .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
    ],
    targets: [
        // The C libraries, as Swift sees them.
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto",
            providers: [.apt(["libmosquitto-dev", "libssl-dev"])]),

        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),

        // Towards the outside: buses, brokers, radios.
        module("EventLoop", ["CLinux"]),
        module("DBus", ["CDBus", "EventLoop", logging]),
        module("MQTT", ["CMosquitto", "EventLoop", "Messages", logging, metrics]),
        module("BlueZ", ["Bluetooth", "DBus", "EventLoop", logging]),

        // Towards the devices: values only.
        module("Bluetooth"),
        module("ESPHome", ["Bluetooth", "CCrypto"]),
        module("Messages"),
        module("Claims", ["Bluetooth", "BridgeContract", "DeviceKit", "JSON", "Messages"]),
        module("JSON"),
        module("Haptics", ["JSON"]),
        module("DeviceKit", ["Bluetooth", "Haptics", "JSON"]),
        // All families of devices, each in a folder of its own.
        module("DeviceCatalog", ["Bluetooth", "DeviceKit", "Haptics", "JSON"], path: "Sources/Devices"),
        module("DeviceFiles", ["Bluetooth", "DeviceKit", "Haptics", "JSON", "YAML"]),
        module("Gestures", ["Bluetooth", "DeviceKit", "JSON", "YAML"]),
        module("HomeAssistant", ["Bluetooth", "DeviceKit", "JSON"]),
        // What bridges, commands and the console agree on: topics, requests, settings, ports.
        module(
            "BridgeContract",
            ["Bluetooth", "DeviceKit", "Haptics", "HomeAssistant", "JSON", "Messages", logging]),
        module(
            "BridgeParts",
            [
                "Bluetooth", "BridgeContract", "Claims", "DeviceKit", "Haptics", "HomeAssistant", "JSON",
                "Messages", logging, metrics,
            ]),
        module(
            "BridgeCore",
            [
                "Bluetooth", "BridgeContract", "BridgeParts", "Claims", "DeviceKit", "Haptics",
                "HomeAssistant", "JSON", "Messages", lifecycle, logging, metrics,
            ]),

        // The simulator.
        module("VirtualDevices", ["Bluetooth", "DeviceFiles", "DeviceKit", "JSON"]),
        module(
            "BlueZSimulator", ["Bluetooth", "DBus", "EventLoop", "VirtualDevices", logging]),

        // What a command needs of its host and its terminal.
        module("Terminal", ["JSON"]),
        // The picture of the demonstration: what is heard in, lines out.
        module("HostServices", ["DeviceKit", "EventLoop", "JSON", "Terminal", lifecycle, logging]),

        // What is on the disk: the configuration and the state.
        module("YAML", ["CYAML"]),
        module(
            "BridgeConfiguration",
            [
                "Bluetooth", "BridgeContract", "DeviceFiles", "DeviceKit", "EventLoop", "Gestures", "Haptics",
                "HomeAssistant", "HostServices", "JSON", "MQTT", "Messages", "Terminal", "YAML", logging,
            ]),
        module(
            "StateFiles",
            [
                "Bluetooth", "BridgeContract", "DeviceKit", "EventLoop", "HostServices", "JSON", logging,
            ]),

        // What the commands do besides running the bridge, and what stands beside a running bridge.
        module(
            "Guardian",
            [
                "BlueZ", "Bluetooth", "BridgeContract", "DBus", "DeviceKit", "EventLoop", "HostServices",
                logging,
            ]),
        module(
            "MetricsEndpoint",
            ["BridgeContract", "EventLoop", "HostServices", "MQTT", "Messages", lifecycle, logging, metrics]),
        module(
            "Reference",
            [
                "Bluetooth", "BridgeConfiguration", "BridgeContract", "DeviceKit", "Haptics", "HomeAssistant",
                "HostServices", "JSON", "MQTT", "Messages", "MetricsEndpoint", "Terminal",
            ]),
        module(
            "BridgeProcess",
            [
                "BlueZ", "Bluetooth", "BridgeConfiguration", "BridgeContract", "BridgeCore", "DBus",
                "DeviceKit", "EventLoop", "Guardian", "HostServices", "MQTT", "Messages", "MetricsEndpoint",
                "StateFiles", lifecycle, logging, metrics, signals,
            ]),

        // What the commands do besides running the bridge.
        module(
            "Commands",
            [
                "BlueZ", "Bluetooth", "BridgeConfiguration", "BridgeContract", "DBus", "DeviceKit",
                "EventLoop", "HostServices", "JSON", "MQTT", "Messages", "Reference", "StateFiles",
                "Terminal", logging, signals,
            ]),

        // What the console does, without its sockets.
        module(
            "Console",
            ["BridgeConfiguration", "BridgeContract", "DeviceKit", "JSON", "Reference"]),

        // The commands.
        .executableTarget(
            name: "tactile-bridge",
            dependencies: [
                "BlueZ", "Bluetooth", "BridgeConfiguration", "BridgeContract", "BridgeProcess", "Commands",
                "DBus", "DeviceCatalog", "DeviceFiles", "DeviceKit", "EventLoop", "Guardian", "Haptics",
                "HostServices", "JSON", "Reference", "StateFiles", "Terminal", arguments, logging,
            ],
            swiftSettings: settings, linkerSettings: linked),
        .executableTarget(
            name: "tactile-bridge-console",
            dependencies: [
                "Bluetooth", "BridgeConfiguration", "BridgeContract", "CCrypto", "Console", "DeviceCatalog",
                "DeviceKit", "EventLoop", "HostServices", "JSON", "MQTT", "Messages", "Reference", "Terminal",
                arguments, logging, signals,
            ] + nio,
            swiftSettings: settings, linkerSettings: linked),
        .executableTarget(
            name: "tactile-simulator",
            dependencies: [
                "BlueZSimulator", "Bluetooth", "DBus", "DeviceFiles", "EventLoop", "HostServices", "JSON",
                "VirtualDevices", "YAML", arguments, logging,
            ],
            swiftSettings: settings, linkerSettings: linked),

        .executableTarget(
            name: "tactile-demo", dependencies: ["JSON", "Terminal", arguments], swiftSettings: settings,
            linkerSettings: linked),

        // What the tests share.
        module("HostTesting", ["DBus", "EventLoop", "JSON", logging], path: "Tests/HostTesting"),
        module(
            "BridgeTesting",
            [
                "Bluetooth", "BridgeContract", "DeviceKit", "HostTesting", "JSON", "Messages",
                "VirtualDevices",
                logging,
            ],
            path: "Tests/BridgeTesting"),

        // A fleet in virtual time, for tests and for a command.
        module("FleetSimulation", ["Bluetooth", "Claims"], path: "Tests/FleetSimulation"),
        .executableTarget(
            name: "fleet-simulation", dependencies: ["Bluetooth", "Claims", "FleetSimulation", arguments],
            path: "Tests/FleetSimulationCommand", swiftSettings: settings),

        // The worked examples of docs/protocols, as tests read them.
        module("ProtocolVectors", ["Bluetooth", "JSON"], path: "Tests/ProtocolVectors"),

        // The tests.
        tests("ProtocolTests", ["ProtocolVectors"]),
        tests("BluetoothTests", ["Bluetooth"]),
        tests(
            "ESPHomeTests", ["Bluetooth", "ESPHome", "HostTesting", "JSON"],
            // Read in place.
            exclude: ["Vectors"]),
        tests("JSONTests", ["JSON"]),
        tests("HapticsTests", ["Haptics", "JSON", "ProtocolVectors"]),
        tests(
            "HapticRenderingTests",
            [
                "BridgeConfiguration", "BridgeTesting", "DeviceCatalog", "DeviceFiles", "DeviceKit",
                "Haptics",
                "HostServices", "JSON",
                "VirtualDevices",
            ]),
        tests("GesturesTests", ["Bluetooth", "DeviceCatalog", "DeviceKit", "Gestures", "JSON"]),
        tests("DeviceKitTests", ["Bluetooth", "DeviceKit", "Haptics", "JSON"]),
        tests(
            "DeviceFilesTests",
            [
                "Bluetooth", "BridgeTesting", "DeviceCatalog", "DeviceFiles", "DeviceKit", "Haptics",
                "HostTesting", "JSON", "YAML",
            ],
            // Read where they lie.
            exclude: ["Files"]),
        tests(
            "DeviceCatalogTests",
            [
                "Bluetooth", "BridgeTesting", "DeviceCatalog", "DeviceKit", "Haptics", "HostTesting", "JSON",
                "ProtocolVectors", "VirtualDevices",
            ]),
        tests(
            "BlueZSimulatorTests",
            [
                "BlueZSimulator", "Bluetooth", "DBus", "EventLoop", "HostTesting",
                "VirtualDevices",
            ]),
        tests("ArchitectureTests", [], exclude: ["figures"]),
        tests(
            "DocumentationTests",
            ["BridgeContract", "DeviceCatalog", "DeviceFiles", "DeviceKit", "tactile-demo"]),
        tests("YAMLTests", ["YAML"]),
        tests("DemoTests", ["JSON", "tactile-demo"]),
        tests(
            "SettingsTests",
            [
                "BlueZ", "Bluetooth", "BridgeConfiguration", "BridgeContract", "BridgeTesting", "Commands",
                "DeviceCatalog", "DeviceFiles", "DeviceKit", "EventLoop", "Haptics", "HomeAssistant",
                "HostServices", "HostTesting", "JSON", "MQTT", "Messages", "MetricsEndpoint", "Reference",
                "StateFiles", "Terminal", lifecycle, logging,
            ]),
        tests(
            "BridgeCoreTests",
            [
                "Bluetooth", "BridgeContract", "BridgeCore", "BridgeParts", "BridgeTesting", "Claims",
                "DeviceKit", "Haptics", "HomeAssistant", "HostTesting", "JSON", "Messages",
                lifecycleTesting, logging,
            ]),
        tests(
            "BridgePartsTests",
            [
                "Bluetooth", "BridgeContract", "BridgeParts", "BridgeTesting", "Claims", "DeviceCatalog",
                "DeviceKit", "Haptics", "HomeAssistant", "HostTesting", "JSON", "Messages", logging,
            ]),
        tests(
            "CommandsTests",
            [
                "BlueZ", "Bluetooth", "BridgeConfiguration", "BridgeContract", "BridgeTesting", "Commands",
                "DBus", "DeviceCatalog", "DeviceFiles", "DeviceKit", "EventLoop", "HostServices",
                "HostTesting", "JSON", "MQTT", "Messages", "Reference", "StateFiles",
            ]),
        tests(
            "GuardianTests",
            [
                "BlueZ", "Bluetooth", "BridgeContract", "BridgeTesting", "DeviceKit", "Guardian",
                "HostServices", "HostTesting", logging,
            ]),
        tests(
            "MetricsTests",
            [
                "BridgeContract", "EventLoop", "HostServices", "HostTesting", "MQTT", "Messages",
                "MetricsEndpoint", lifecycle, logging, metrics,
            ]),
        tests(
            "ConsoleTests",
            [
                "BridgeConfiguration", "BridgeContract", "BridgeTesting", "Console", "DeviceCatalog",
                "DeviceKit", "JSON", "Reference",
            ]),
        tests(
            "ClaimsTests", ["Bluetooth", "BridgeContract", "Claims", "DeviceKit", "FleetSimulation", "JSON"]),
        tests("EventLoopTests", ["EventLoop"]),
        tests("DBusTests", ["DBus", "EventLoop", "HostTesting", logging]),
        tests("VirtualDevicesTests", ["Bluetooth", "JSON", "ProtocolVectors", "VirtualDevices"]),
        tests(
            "TactileSimulatorTests",
            [
                "BlueZSimulator", "Bluetooth", "HostServices", "JSON", "VirtualDevices", "tactile-simulator",
                arguments,
            ]),
        tests("MQTTTests", ["EventLoop", "HostTesting", "MQTT", "Messages", logging]),
        tests(
            "SystemTests", ["DBus", "EventLoop", "HostTesting", "JSON"],
            // Recordings of bridges; read where they lie.
            exclude: ["Recordings"]),
        tests(
            "FuzzTests",
            [
                "BlueZ", "Bluetooth", "BridgeConfiguration", "BridgeContract", "BridgeTesting", "CDBus",
                "DBus", "DeviceCatalog", "DeviceFiles", "DeviceKit", "ESPHome", "Haptics", "HostTesting",
                "JSON",
            ],
            // The samples; read where they lie.
            exclude: ["Corpus"]),
        tests(
            "BlueZTests", ["BlueZ", "Bluetooth", "DBus", "EventLoop", "HostTesting", logging]),
    ]
)

// TACTILE_TESTS names the test targets to build, so that an edit rebuilds only these and the modules below them.
if let chosen = Context.environment["TACTILE_TESTS"]?.split(separator: " ") {
    package.targets.removeAll { target in target.type == .test && !chosen.contains { $0 == target.name } }
}

// deploy/fuzz builds the parsers and nothing else, each with counters that tell libFuzzer where its bytes have led.
// `-sanitize=fuzzer` at the linker would bring a main that collides with those of the commands: the library without
// one, whose path the variable holds, is linked into the one program that asks for it.
if let libFuzzer = Context.environment["TACTILE_LIBFUZZER"],
    let parsers = package.targets.first(where: { $0.name == "FuzzTests" })
{
    package.products = []
    package.targets.removeAll { $0.type == .test || $0.type == .executable }
    package.targets += [
        .systemLibrary(name: "CFuzzer", path: "Tests/CFuzzer"),
        .executableTarget(
            name: "fuzz", dependencies: parsers.dependencies + ["CFuzzer"], path: "Tests/FuzzTests",
            exclude: ["Corpus", "CorpusTests.swift"], swiftSettings: settings + [.define("FUZZING")],
            linkerSettings: [.unsafeFlags([libFuzzer, "-lstdc++", "-lm"])]),
    ]
    for target in package.targets where target.type != .system {
        target.swiftSettings?.append(.unsafeFlags(["-sanitize=fuzzer"]))
    }
}
