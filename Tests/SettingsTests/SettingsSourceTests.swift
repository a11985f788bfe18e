import Bluetooth
import BridgeContract
import DeviceKit
import Foundation
import HomeAssistant
import HostServices
import JSON
import Logging
import MQTT
import Testing

@testable import BridgeConfiguration

@Suite("The sources of settings and their precedence")
struct SettingsSourceTests {
    @Test(
        "An empty file is valid and gives the defaults",
        arguments: ["", "\n# nothing\n", "mqtt:\nlamp: {}\n"])
    func empty(_ text: String) async throws {
        try await ConfigurationScope.with { scope in
            let configuration = try scope.load(text, environment: ["HOME": "/home/me"])
            let settings = configuration.settings
            #expect(settings.bridge.id == "attic")
            #expect(settings.stateDirectory == "/home/me/.local/state/tactile-bridge")
            #expect(settings.bridge.statsInterval == .seconds(30))
            #expect(settings.mqtt.host == "localhost")
            #expect(settings.mqtt.port == 1883)
            #expect(settings.mqtt.version == .auto)
            #expect(settings.mqtt.clientID == "tactile-bridge-attic")
            #expect(settings.mqtt.keepAlive == .seconds(15))
            #expect(
                settings.mqtt.username == nil && settings.mqtt.password == nil && settings.mqtt.tls == nil)
            #expect(
                settings.bluetooth == BluetoothSettings() && settings.bridge.join == .permit)
            #expect(settings.bridge.devices.isEmpty && settings.bridge.groups.isEmpty)
            #expect(
                settings.bridge.families["lamp"] == [
                    "glow_ms": 100, "warm": false, "scene": "day", "dim": 0.5,
                ])
            #expect(settings.bridge.homeAssistant == HomeAssistantSettings())
            #expect(settings.metricsAddress == nil)
            #expect(settings.logLevel == .info && settings.logFormat == .text)
            #expect(configuration.warnings.isEmpty)
        }
    }

    @Test("A complete file is read")
    func whole() async throws {
        try await ConfigurationScope.with { scope in
            let text = """
                bridge: { id: cellar, state_directory: /s }
                mqtt:
                  host: /run/mosquitto.sock
                  version: 3.1.1
                  client_id: 42
                  base_topic: home/touch
                  tls: { enabled: true, ca_file: /ca.pem }
                bluetooth: { bus: "unix:path=/run/bus", adapters: [hci0, "00:1a:7d:da:71:13"], join: always, acquire: true }
                devices:
                  hall/left: { family: lamp, address: 11:22:33:44:55:06, dim: null, warm: true }
                  right:
                    family: lamp
                    address: "AA:BB:CC:DD:EE:FF"
                groups: { both: [hall/left, right] }
                lamp: { glow_ms: 50, steps: [1, 2], limits: { low: 3 } }
                """
            let settings = try scope.load(text).settings
            #expect(settings.bridge.id == "cellar" && settings.stateDirectory == "/s")
            #expect(settings.mqtt.host == "/run/mosquitto.sock")
            #expect(settings.mqtt.port == 8883)
            #expect(settings.mqtt.version == .v311)
            #expect(settings.mqtt.clientID == "42")
            #expect(settings.mqtt.baseTopic == "home/touch")
            #expect(settings.mqtt.tls?.caFile == "/ca.pem")
            let bluetooth = settings.bluetooth
            #expect(bluetooth.bus == "unix:path=/run/bus" && bluetooth.acquisition == .always)
            #expect(bluetooth.adapters == ["hci0", "00:1a:7d:da:71:13"] && settings.bridge.join == .always)
            #expect(settings.bridge.devices.map(\.name) == ["hall/left", "right"])
            #expect(settings.bridge.devices.map(\.address) == ["11:22:33:44:55:06", "AA:BB:CC:DD:EE:FF"])
            #expect(settings.bridge.devices[0].settings["dim"] == .null)
            #expect(settings.bridge.devices[0].settings.flag("warm"))
            #expect(settings.bridge.devices[1].settings.number("dim") == 0.5)
            #expect(settings.bridge.devices[1].settings.integer("glow_ms") == 50)
            #expect(settings.bridge.families["lamp"]?.integers("steps") == [1, 2])
            #expect(settings.bridge.families["lamp"]?["limits"] == ["low": 3])
            #expect(settings.bridge.groups == [.init(name: "both", members: ["hall/left", "right"])])
            let bridge = settings.bridge
            #expect(bridge.version == TactileBridge.version && bridge.baseTopic == "home/touch")
            #expect(bridge.reservedNames == ["homeassistant"])
        }
    }

    @Test(
        "A broker is open if it is on another host, without encryption and without a user",
        arguments: [
            ("", false), ("mqtt: { host: 127.0.0.5 }", false), ("mqtt: { host: /run/mqtt.sock }", false),
            ("mqtt: { host: broker.lan }", true), ("mqtt: { host: broker.lan, username: bridge }", false),
            ("mqtt: { host: broker.lan, tls: { enabled: true } }", false),
            ("mqtt: { host: broker.lan, tls: { enabled: true, insecure: true } }", true),
        ])
    func openBroker(_ text: String, _ isOpen: Bool) async throws {
        try await ConfigurationScope.with { scope in
            let settings = try scope.load(text).settings
            #expect(settings.bridge.isBrokerOpen == isOpen)
        }
    }

    @Test("The environment takes precedence over the file, and an option over both")
    func order() async throws {
        try await ConfigurationScope.with { scope in
            let configuration = try scope.load(
                "mqtt: { port: 1, host: a }\nlog: { level: error, format: json }\n",
                environment: [
                    "TACTILE_BRIDGE_MQTT_PORT": "2", "TACTILE_BRIDGE_LOG_LEVEL": "debug",
                    "TACTILE_BRIDGE_MQTT_TLS_ENABLED": "1", "TACTILE_BRIDGE_LAMP_GLOW_MS": "20",
                    "TACTILE_BRIDGE_MQTT_BASE_TOPIC": "", "TACTILE_BRIDGE_BLUETOOTH_JOIN": "always",
                ], options: ["log.level": ("--log-level", "trace")])
            let settings = configuration.settings
            #expect(settings.mqtt.port == 2 && settings.mqtt.host == "a")
            #expect(settings.logLevel == .trace && settings.logFormat == .json)
            #expect(settings.mqtt.tls != nil && settings.bridge.join == .always)
            #expect(settings.bridge.families["lamp"]?.integer("glow_ms") == 20)
            let origins = Dictionary(
                uniqueKeysWithValues: configuration.entries.map {
                    ($0.path, $0.origin.description.replacing("\(scope.folder)/", with: ""))
                })
            #expect(origins["mqtt.port"] == "TACTILE_BRIDGE_MQTT_PORT")
            #expect(origins["mqtt.host"] == "c.yaml:1")
            #expect(origins["log.format"] == "c.yaml:2")
            #expect(origins["log.level"] == "--log-level")
            #expect(origins["bridge.id"] == "default: host name")
            #expect(origins["mqtt.keep_alive_s"] == "default")
        }
    }

    @Test("check-config lists how Home Assistant displays a device")
    func looks() async throws {
        try await ConfigurationScope.with { scope in
            let configuration = try scope.load(
                "devices: { lamp: { family: lamp, address: C0:FF:EE:00:00:01, display_name: Desk lamp, area: Hall } }\n"
            )
            let lamp = try #require(configuration.entries.first { $0.path == "devices.lamp" })
            #expect(lamp.json["display_name"] == "Desk lamp" && lamp.json["area"] == "Hall")
            #expect(lamp.json["icon"] == nil && lamp.value.hasSuffix("display_name=Desk lamp area=Hall"))
        }
    }

    @Test("An unknown or empty variable is a warning with a suggestion")
    func variables() async throws {
        try await ConfigurationScope.with { scope in
            let warnings = try scope.load(
                "",
                environment: [
                    "TACTILE_BRIDGE_MQTT_PROT": "1", "TACTILE_BRIDGE_MQTT_USERNAME": "", "OTHER": "x",
                    "TACTILE_BRIDGE_BLUETOOTH_ADAPTERS": "hci0",
                ]
            ).warnings
            #expect(
                warnings == [
                    "TACTILE_BRIDGE_BLUETOOTH_ADAPTERS: not a setting; did you mean TACTILE_BRIDGE_BLUETOOTH_ACQUIRE?",
                    "TACTILE_BRIDGE_MQTT_PROT: not a setting; did you mean TACTILE_BRIDGE_MQTT_PORT?",
                    "TACTILE_BRIDGE_MQTT_USERNAME: empty, so treated as not set",
                ])
        }
    }

    @Test("A variable of the project's scripts is allowed; a similar one is a warning")
    func scriptVariables() async throws {
        try await ConfigurationScope.with { scope in
            let own = ["BIN", "TESTS", "CACHE", "LOAD_SECONDS"].map { ("TACTILE_BRIDGE_\($0)", "/somewhere") }
            #expect(try scope.load("", environment: Dictionary(uniqueKeysWithValues: own)).warnings == [])
            let other = try scope.load("", environment: ["TACTILE_BRIDGE_BINS": "/somewhere"]).warnings
            #expect(other.count == 1 && other[0].hasPrefix("TACTILE_BRIDGE_BINS: not a setting"))
        }
    }

    @Test("The password is from the environment, a credential or a file, without one final line break")
    func password() async throws {
        try await ConfigurationScope.with { scope in
            let file = try scope.write("password", "from file \n")
            let text = "mqtt: { username: me, password_file: \(file) }"
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            let fromFile = try scope.load(text)
            #expect(fromFile.settings.mqtt.password == "from file ")
            #expect(fromFile.warnings.isEmpty)

            try scope.write("mqtt-password", "from credential\r\n")
            let credentials = ["CREDENTIALS_DIRECTORY": scope.folder]
            let fromCredential = try scope.load(text, environment: credentials)
            #expect(fromCredential.settings.mqtt.password == "from credential")

            let variable = ["TACTILE_BRIDGE_MQTT_PASSWORD": "from environment"]
            let all = credentials.merging(variable) { $1 }
            let configuration = try scope.load(text, environment: all)
            #expect(configuration.settings.mqtt.password == "from environment")
            #expect(!configuration.report.contains { $0.contains("from") })
            #expect(!"\(configuration)".contains("from environment"))

            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
            let warnings = try scope.load(text).warnings
            #expect(
                warnings == [
                    "mqtt.password_file: every user of this host can read \(file); run chmod o= on it"
                ])
        }
    }

    @Test("A file that is named must exist; the default file may be missing")
    func files() async throws {
        try await ConfigurationScope.with { scope in
            let missing = "\(scope.folder)/none.yaml"
            #expect(throws: SettingsError.self) { try SettingsLoader(file: missing, families: []).load() }
            let configuration = try SettingsLoader(
                families: [], host: Host(environment: [:], name: "x"), usualFile: missing
            ).load()
            #expect(configuration.file == nil)
            #expect(configuration.settings.stateDirectory == "/var/lib/tactile-bridge")
        }
    }

    @Test("A setting without effect and an insecure setting are warnings")
    func remarks() async throws {
        try await ConfigurationScope.with { scope in
            let text = """
                mqtt: { tls: { ca_file: /ca.pem } }
                metrics: { listen: "0.0.0.0:9402" }
                home_assistant: { enabled: true }
                """
            let warnings = try scope.load(text).warnings
            #expect(
                warnings == [
                    "mqtt.tls.ca_file: has no effect, because mqtt.tls.enabled is false",
                    "metrics.listen: every host that reaches 0.0.0.0:9402 over the network can read the metrics, which "
                        + "name the devices",
                ])
        }
    }

    @Test(
        "The host's name becomes a topic level",
        arguments: [
            ("attic", "attic"), ("attic.example.org", "attic"), ("my host", "my-host"), ("", "bridge"),
            ("---", "bridge"), ("dach-2_x", "dach-2_x"),
        ])
    func hostName(_ name: String, _ level: String) {
        #expect(Host(environment: [:], name: name).topicLevel == level)
    }

    @Test(
        "The state folder follows systemd, then XDG",
        arguments: [
            (["STATE_DIRECTORY": "/a:/b", "HOME": "/h"], "/a"),
            (["XDG_STATE_HOME": "/x", "HOME": "/h"], "/x/tactile-bridge"),
            (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/tactile-bridge"),
        ])
    func stateFolder(_ environment: [String: String], _ folder: String) {
        #expect(Host(environment: environment, name: "").stateDirectory == folder)
    }
}
