// swift-tools-version: 6.2
import PackageDescription

#if compiler(>=6.3)
let language: [SwiftSetting] = [.swiftLanguageMode(.v6)]
#else
// Swift 6.2 reports data races in closures that never leave their actor, which 6.3 accepts. These settings select the
// same language without that check.
let language: [SwiftSetting] =
    [.swiftLanguageMode(.v5)]
    + [
        "BareSlashRegexLiterals", "ConciseMagicFile", "DeprecateApplicationMain",
        "DisableOutwardActorInference",
        "DynamicActorIsolation", "ForwardTrailingClosures", "GlobalActorIsolatedTypesUsability",
        "GlobalConcurrency", "ImplicitOpenExistentials", "ImportObjcForwardDeclarations",
        "InferSendableFromCaptures", "IsolatedDefaultValues", "NonfrozenEnumExhaustivity",
    ].map { .enableUpcomingFeature($0) }
#endif

let settings: [SwiftSetting] =
    language + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]

/// The linker settings of the commands. A command resolves all symbols at its start, so that the table of their
/// addresses becomes read-only then.
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

/// Creates a library target: a module with its name, the modules that it may import, and its folder; nil for the
/// folder of its name in `Sources`.
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
        // In a release build only the tested modules are optimized: optimizing the tests takes time without a benefit.
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
        // Only the target `tactile-bridge-console` may depend on swift-nio.
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        // A dependency of the packages above, listed here only to pin its version. Their dependency
        // swift-async-algorithms is not listed, because then each build shows a warning about a file in it. A test
        // checks its version.
        .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
    ],
    targets: [
        // The C libraries that Swift imports.
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto",
            providers: [.apt(["libmosquitto-dev", "libssl-dev"])]),

        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),

        // The access to D-Bus, MQTT brokers and Bluetooth.
        module("EventLoop", ["CLinux"]),
        module("DBus", ["CDBus", "EventLoop", logging]),
        module("MQTT", ["CMosquitto", "EventLoop", "Messages", logging, metrics]),
        module("BlueZ", ["Bluetooth", "DBus", "EventLoop", logging]),
        module("Cryptography", ["CCrypto"]),

        // Values and rules for devices and messages, without input and output.
        module("Bluetooth"),
        module("ESPHome", ["Bluetooth", "CCrypto"]),
        module("ProxyClient", ["Bluetooth", "ESPHome"]),
        module("Messages"),
        module("Claims", ["Bluetooth", "BridgeContract", "DeviceKit", "JSON", "Messages"]),
        module("JSON"),
        module("Haptics", ["JSON"]),
        module("DeviceKit", ["Bluetooth", "Haptics", "JSON"]),
        // All built-in families of devices, each in its own folder.
        module("DeviceCatalog", ["Bluetooth", "DeviceKit", "Haptics", "JSON"], path: "Sources/Devices"),
        module("DeviceFiles", ["Bluetooth", "DeviceKit", "Haptics", "JSON", "YAML"]),
        module("Gestures", ["Bluetooth", "DeviceKit", "JSON", "YAML"]),
        module("HomeAssistant", ["Bluetooth", "DeviceKit", "JSON"]),
        // The contract that bridges, commands and the console share: topics, requests, settings, and protocols between
        // modules.
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
        // The radios of a bridge that has Bluetooth proxies.
        module(
            "ProxyRadio",
            ["Bluetooth", "BridgeContract", "DeviceKit", "ESPHome", "EventLoop", "ProxyClient", logging]),

        // The simulator.
        module("VirtualDevices", ["Bluetooth", "DeviceFiles", "DeviceKit", "JSON"]),
        module(
            "BlueZSimulator", ["Bluetooth", "DBus", "EventLoop", "VirtualDevices", logging]),
        module(
            "ProxySimulator",
            ["Bluetooth", "ESPHome", "EventLoop", "HostServices", "VirtualDevices"]),

        // The access of the commands to their host and their terminal.
        module("Terminal", ["JSON"]),
        module("HostServices", ["DeviceKit", "EventLoop", "JSON", "Terminal", lifecycle, logging]),

        // The files of the configuration and of the state.
        module("YAML", ["CYAML", "JSON"]),
        module(
            "BridgeConfiguration",
            [
                "Bluetooth", "BridgeContract", "Cryptography", "DeviceFiles", "DeviceKit", "ESPHome",
                "EventLoop", "Gestures", "Haptics", "HomeAssistant", "HostServices", "JSON", "MQTT",
                "Messages", "Terminal", "YAML", logging,
            ]),
        module(
            "StateFiles",
            [
                "Bluetooth", "BridgeContract", "DeviceKit", "EventLoop", "HostServices", "JSON", logging,
            ]),

        // The parts of a running bridge: its guardian, its metrics and its process; and the generated reference pages.
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
                "ProxyRadio", "StateFiles", lifecycle, logging, metrics, signals,
            ]),

        // The work of all commands except running the bridge.
        module(
            "Commands",
            [
                "BlueZ", "Bluetooth", "BridgeConfiguration", "BridgeContract", "DBus", "DeviceKit",
                "EventLoop", "Gestures", "HostServices", "JSON", "MQTT", "Messages", "ProxyRadio",
                "Reference",
                "StateFiles", "Terminal", logging, signals,
            ]),

        // The rules of the console, without its web server.
        module(
            "Console",
            ["BridgeConfiguration", "BridgeContract", "DeviceKit", "JSON", "Reference"]),

        // The commands.
        .executableTarget(
            name: "tactile-bridge",
            dependencies: [
                "BlueZ", "Bluetooth", "BridgeConfiguration", "BridgeContract", "BridgeProcess", "Commands",
                "Cryptography", "DBus", "DeviceCatalog", "DeviceFiles", "DeviceKit", "EventLoop", "Guardian",
                "Haptics", "HostServices", "JSON", "Reference", "StateFiles", "Terminal", arguments, logging,
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
                "BlueZSimulator", "Bluetooth", "DBus", "DeviceFiles", "ESPHome", "EventLoop", "HostServices",
                "JSON", "ProxySimulator", "VirtualDevices", "YAML", arguments, logging,
            ],
            swiftSettings: settings, linkerSettings: linked),

        .executableTarget(
            name: "tactile-demo", dependencies: ["JSON", "Terminal", arguments], swiftSettings: settings,
            linkerSettings: linked),

        // The modules that several test targets share.
        module("HostTesting", ["DBus", "EventLoop", "JSON", logging], path: "Tests/HostTesting"),
        module(
            "BridgeTesting",
            [
                "Bluetooth", "BridgeContract", "DeviceKit", "HostTesting", "JSON", "Messages",
                "VirtualDevices",
                logging,
            ],
            path: "Tests/BridgeTesting"),

        // The simulation of a fleet in virtual time, for tests and for deploy/fleet-simulation.
        module(
            "FleetSimulation", ["Bluetooth", "BridgeContract", "Claims", "DeviceKit"],
            path: "Tests/FleetSimulation"),
        .executableTarget(
            name: "fleet-simulation", dependencies: ["Bluetooth", "Claims", "FleetSimulation", arguments],
            path: "Tests/FleetSimulationCommand", swiftSettings: settings),

        // The examples in docs/protocols, in the form in which tests read them.
        module("ProtocolVectors", ["Bluetooth", "JSON"], path: "Tests/ProtocolVectors"),

        // The tests.
        tests("ProtocolTests", ["ProtocolVectors"]),
        tests("BluetoothTests", ["Bluetooth"]),
        tests(
            "ESPHomeTests",
            [
                "Bluetooth", "ESPHome", "HostTesting", "JSON", "ProxyClient", "ProxySimulator",
                "VirtualDevices",
            ],
            // The tests read these files from the source folder.
            exclude: ["Vectors"]),
        tests("JSONTests", ["JSON"]),
        tests("HapticsTests", ["Haptics", "JSON", "ProtocolVectors"]),
        tests(
            "HapticRenderingTests",
            [
                "Bluetooth", "BridgeConfiguration", "BridgeTesting", "DeviceCatalog", "DeviceFiles",
                "DeviceKit", "Haptics", "HostServices", "HostTesting", "JSON", "VirtualDevices",
            ]),
        tests("GesturesTests", ["Bluetooth", "DeviceCatalog", "DeviceKit", "Gestures", "JSON"]),
        tests("DeviceKitTests", ["Bluetooth", "DeviceKit", "Haptics", "JSON"]),
        tests(
            "DeviceFilesTests",
            [
                "Bluetooth", "BridgeTesting", "Cryptography", "DeviceCatalog", "DeviceFiles", "DeviceKit",
                "Haptics", "HostTesting", "JSON", "YAML",
            ],
            // The tests read these files from the source folder.
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
        tests("ProxySimulatorTests", ["Bluetooth", "ESPHome", "ProxySimulator", "VirtualDevices"]),
        tests(
            "ProxyRadioTests",
            [
                "Bluetooth", "BridgeContract", "BridgeTesting", "DeviceKit", "ESPHome", "EventLoop",
                "HostServices", "HostTesting", "ProxyClient", "ProxyRadio", "ProxySimulator",
                "VirtualDevices",
                logging,
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
            // The recordings of bridges, which the tests read from the source folder.
            exclude: ["Recordings"]),
        tests(
            "FuzzTests",
            [
                "BlueZ", "Bluetooth", "BridgeConfiguration", "BridgeContract", "BridgeTesting", "CDBus",
                "DBus", "DeviceCatalog", "DeviceFiles", "DeviceKit", "ESPHome", "Haptics", "HostTesting",
                "JSON",
            ],
            // The samples, which the tests read from the source folder.
            exclude: ["Corpus"]),
        tests(
            "BlueZTests", ["BlueZ", "Bluetooth", "DBus", "EventLoop", "HostTesting", logging]),
    ]
)

// The environment variable TACTILE_TESTS names the test targets to build, so that an edit rebuilds only these targets
// and the modules that they depend on.
if let chosen = Context.environment["TACTILE_TESTS"]?.split(separator: " ") {
    package.targets.removeAll { target in target.type == .test && !chosen.contains { $0 == target.name } }
}

// deploy/fuzz builds only the parsers, with counters that show libFuzzer which code an input has reached. The linker
// option `-sanitize=fuzzer` would add a `main` function, which conflicts with the `main` functions of the commands. So
// the library without `main`, whose path is in the variable TACTILE_LIBFUZZER, is linked into the program `fuzz` alone.
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
