import BridgeContract
package import DeviceKit
import HomeAssistant
import HostServices
import JSON
import Logging
import MQTT

extension Setting {
    /// Every setting outside `devices` and `groups`, in the order of the configuration file: the bridge's settings,
    /// then one section for each family, then the rest.
    package static func all(_ families: [any DeviceFamily]) -> [Setting] {
        bridge + mqtt.map(\.fixedAtStart) + bluetooth
            + families.flatMap { family in family.settings.map { Setting($0, of: family) } } + surroundings
            + console.map(\.fixedAtStart)
    }

    /// The path of the setting for the folder of the user's device files.
    static let devicesDirectory = "devices_directory"

    private static let bridge = [
        Setting(
            "bridge.id", .text(1...64), \.bridge.id, default: .derived("the host name"), form: .bridgeID,
            "The level of the bridge's own topics, bridge/<id>/…; another one for each bridge on a broker."
        ).fixedAtStart,
        Setting(
            "bridge.zone", .text(0...64), \.bridge.zone, form: .zone,
            "Where the host stands, a word that hosts have in common which stand together; info says it."),
        Setting(
            "bridge.state_directory", .text(1...4096), \.stateDirectory,
            default: .derived("$STATE_DIRECTORY, else the XDG state folder"), form: .path,
            "Where the bridge keeps what it must know after a restart."
        ).fixedAtStart,
        Setting(
            "bridge.stats_interval_s", .integer(1...3600), \.bridge.statsInterval, unit: "s",
            "How often bridge/<id>/stats is published."),
        Setting(
            "bridge.heartbeat_s", .integer(0...3600), \.bridge.heartbeat, default: .value(30), unit: "s",
            "How often bridge/<id>/heartbeat is published, by whose age others tell a bridge that is gone; 0 for never."
        ),
        Setting(
            devicesDirectory, .text(1...4096), default: .value("/etc/tactile-bridge/devices"), form: .path,
            "The folder of your device files, each one a family of devices; they win over the shipped ones."),
    ]

    private static let mqtt = [
        Setting(
            "mqtt.host", .text(1...253), default: .value("localhost"), form: .host,
            "The broker: a host, or the path of a Unix socket."),
        Setting(
            "mqtt.hosts", .list(.object(server), count: 0...16), default: .value([]),
            "Several brokers that hold the same messages, instead of mqtt.host: one after the other is asked, in this "
                + "order. Without a port of its own one has mqtt.port."),
        Setting(
            "mqtt.port", .integer(1...65_535), default: .derived("1883, with TLS 8883"),
            "The broker's port; a Unix socket has none."),
        Setting(
            "mqtt.version", .choice(MQTTSettings.Version.allCases.map(\.rawValue)), default: .value("auto"),
            "The protocol's version; auto speaks 5 and falls back to 3.1.1."),
        Setting(
            "mqtt.client_id", .text(1...128), default: .derived("tactile-bridge-<bridge.id>-<random>"),
            "The client id, used as it is. Whoever knows it can disconnect the bridge, so that by default it ends in random "
                + "characters, kept in the state directory."),
        Setting(
            "mqtt.base_topic", .text(0...200), default: .value(""), form: .topicPrefix,
            "What stands in front of every topic."),
        Setting(
            "mqtt.keep_alive_s", .integer(5...3600), default: .value(15), unit: "s",
            "Keep-alive interval: how long the connection may be silent before it is checked."),
        Setting("mqtt.username", .text(1...256), "The name to log in with."),
        Setting(
            "mqtt.password", .text(1...65_535), secrecy: .secret,
            "The password: from the environment, the systemd credential mqtt-password or mqtt.password_file."),
        Setting(
            "mqtt.password_file", .text(1...4096), form: .path,
            "A file that holds the password and that only the bridge may read."),
        Setting("mqtt.tls.enabled", .boolean, default: .value(false), "Whether the connection is encrypted."),
        Setting(
            "mqtt.tls.ca_file", .text(1...4096), form: .path,
            "The certificates (PEM) of the authorities that the bridge trusts; the system's if not given. Or the "
                + "credential mqtt-ca."),
        Setting(
            "mqtt.tls.certificate_file", .text(1...4096), form: .path,
            "The bridge's own certificate (PEM), where the broker asks for one. Or the credential mqtt-certificate."
        ),
        Setting(
            "mqtt.tls.key_file", .text(1...4096), form: .path,
            "The key (PEM) of that certificate. Or the credential mqtt-key."),
        Setting(
            "mqtt.tls.insecure", .boolean, default: .value(false),
            "Whether the broker's certificate goes unchecked; a program in between can then read and change all."
        ),
    ]

    /// The keys of one of several brokers.
    private static let server = [
        Field("host", .text(1...253), required: true, "A host, or the path of a Unix socket."),
        Field("port", .integer(1...65_535), "Its port; mqtt.port if not given."),
        Field("server_name", .text(1...253), "The name in its certificate; the host if not given."),
    ]

    private static let bluetooth = [
        Setting(
            "bluetooth.bus", .text(1...4096), \.bluetooth.bus, form: .bus,
            "The D-Bus on which BlueZ is: system, or an address."
        ).fixedAtStart,
        Setting(
            "bluetooth.adapters", .list(.text(1...64), count: 0...64), \.bluetooth.adapters, form: .adapter,
            "The adapters to use, by name or address, such as [hci0]; all if empty. Names may change at a reboot."
        ).fixedAtStart,
        Setting(
            "bluetooth.join", .choice(["configured", "permit", "always"]), \.bridge.join,
            "Devices to connect: configured (those below), permit (also those that joined by permit_join), always."
        ),
        Setting(
            "bluetooth.max_devices", .integer(1...10_000), \.bridge.maxDevices,
            "How many devices may join by permit_join; those of the section devices do not count."),
        Setting(
            "bluetooth.slots", .integer(1...256), \.bridge.slots,
            "How many links an adapter bears at the same time; not given: until it refuses one, which counts for a minute."
        ),
        Setting(
            "bluetooth.acquire", .boolean, \.bluetooth.acquires,
            "Whether notifications and writes bypass bluetoothd; faster, for BlueZ 5.84 and later."
        ).fixedAtStart,
    ]

    private static let surroundings = [
        Setting(
            "haptics.directory", .text(1...4096), \.hapticsDirectory,
            form: .path,
            "The folder of the pattern files, each played by its file name."),
        Setting(
            "haptics.mixing", .choice(BridgeSettings.PatternMixing.allCases.map(\.rawValue)), \.bridge.mixing,
            "What a new pattern does to one that plays: add (the stronger of both is felt) or replace."),
        Setting(
            "home_assistant.enabled", .boolean, \.announces,
            "Whether devices announce themselves to Home Assistant."),
        Setting(
            "home_assistant.prefix", .text(1...200), \.homeAssistant.prefix, form: .topicPrefix,
            "The topic under which Home Assistant looks for devices."),
        Setting(
            "home_assistant.drive_entities", .boolean, \.homeAssistant.hasDriveEntities,
            "Whether Home Assistant can drive robots, not only stop them."),
        Setting(
            "home_assistant.message_pattern", .text(1...64), \.homeAssistant.messagePattern,
            "The haptic pattern that tells the wearer of a message which is not itself a pattern's name."),
        Setting(
            "metrics.listen", .text(0...255), \.metricsAddress, default: .value(""), form: .listen,
            "The address on which metrics for Prometheus are served, at /metrics; none if empty."
        ).fixedAtStart,
        Setting(
            "log.level", .choice(Logger.Level.allCases.map(\.rawValue)), \.logLevel,
            "The lowest level that is logged."),
        Setting(
            "log.only",
            .list(.choice(LogSubsystem.allCases.map(\.rawValue)), count: 0...LogSubsystem.allCases.count),
            \.loggedOnly,
            "The kinds of lines that are logged, such as [commands, links]; all if empty. Errors always are."),
        Setting(
            "log.format", .choice(LogFormat.allCases.map(\.rawValue)), \.logFormat,
            "The form of log lines: text for people, json for machines, journald under systemd."),
        Setting(
            "log.mqtt", .choice(["off"] + BridgeFeatures.logLevels.map(\.rawValue)), \.bridge.brokerLogLevel,
            default: .value("off"),
            "The lowest level that is published on bridge/<id>/log too; off for none."),
        Setting(
            "log.typing", .boolean, \.bridge.logsTyping,
            "Whether the level trace shows what people type with a TAP, and its raw values; otherwise they are in no log."
        ),
    ]

    /// A sentence for each section, for the configuration file.
    package static let sectionSummaries: [String: String] = [
        "": "Keys that stand in no section.",
        "bridge": "The bridge itself.",
        "mqtt": "The broker.",
        "mqtt.tls": "Encryption.",
        "bluetooth": "Bluetooth, through BlueZ.",
        "haptics": "Haptic patterns.",
        "home_assistant": "Home Assistant.",
        "metrics": "Metrics for monitoring.",
        "log": "The log, on standard error.",
        "console": "The console, a page for the browser: a process of its own that reads this file too.",
    ]
}
