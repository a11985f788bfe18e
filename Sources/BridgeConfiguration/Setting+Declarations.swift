import Bluetooth
import BridgeContract
package import DeviceKit
import HomeAssistant
import HostServices
import JSON
import Logging
import MQTT

extension Setting {
    /// Returns every setting outside `devices` and `groups`, in the order of the configuration file: the bridge, MQTT
    /// and Bluetooth, then one section for each family, then the other sections.
    package static func all(_ families: [any DeviceFamily]) -> [Setting] {
        bridge + mqtt.map(\.fixedAtStart) + bluetooth
            + families.flatMap { family in family.settings.map { Setting($0, of: family) } } + surroundings
            + console.map(\.fixedAtStart)
    }

    /// The key of the setting that contains the folder of the user's device files.
    static let devicesDirectory = "devices_directory"

    private static let bridge = [
        Setting(
            "bridge.id", .text(1...64), \.bridge.id, default: .derived("the host name"), form: .bridgeID,
            "The level of the bridge's own topics, bridge/<id>/…; it must be unique on the broker."
        ).fixedAtStart,
        Setting(
            "bridge.zone", .text(0...64), \.bridge.zone, form: .zone,
            "The location of the host: a word that hosts in the same place share. Published in info; the topics below "
                + "zone/<zone> address the devices of these hosts."),
        Setting(
            "bridge.state_directory", .text(1...4096), \.stateDirectory,
            default: .derived("$STATE_DIRECTORY, otherwise the XDG state folder"), form: .path,
            "The folder for data that the bridge needs after a restart."
        ).fixedAtStart,
        Setting(
            "bridge.stats_interval_s", .integer(1...3600), \.bridge.statsInterval, unit: "s",
            "The interval of bridge/<id>/stats."),
        Setting(
            "bridge.heartbeat_s", .integer(0...3600), \.bridge.heartbeat, default: .value(30), unit: "s",
            "The interval of bridge/<id>/heartbeat, whose age shows whether the bridge is still running; 0 for never."
        ),
        Setting(
            devicesDirectory, .text(1...4096), default: .value("/etc/tactile-bridge/devices"), form: .path,
            "The folder of your device files, one for each family of devices; they override the shipped files."
        ),
    ]

    private static let mqtt = [
        Setting(
            "mqtt.host", .text(1...253), default: .value("localhost"), form: .host,
            "The broker's host, or the path of its Unix socket."),
        Setting(
            "mqtt.hosts", .list(.object(server), count: 0...16), default: .value([]),
            "Several brokers with the same messages, instead of mqtt.host: the bridge tries them in this order. The "
                + "default port is mqtt.port."),
        Setting(
            "mqtt.port", .integer(1...65_535), default: .derived("1883, with TLS 8883"),
            "The broker's port; not used for a Unix socket."),
        Setting(
            "mqtt.version", .choice(MQTTSettings.Version.allCases.map(\.rawValue)), default: .value("auto"),
            "The MQTT version; auto uses 5 and falls back to 3.1.1."),
        Setting(
            "mqtt.client_id", .text(1...128), default: .derived("tactile-bridge-<bridge.id>-<random>"),
            "The client id, unchanged. A client that knows it can disconnect the bridge, so the default ends in "
                + "random characters, stored in the state directory."),
        Setting(
            "mqtt.base_topic", .text(0...200), default: .value(""), form: .topicPrefix,
            "The prefix of every topic."),
        Setting(
            "mqtt.keep_alive_s", .integer(5...3600), default: .value(15), unit: "s",
            "The keep-alive interval: how long the connection may be idle before it is checked."),
        Setting("mqtt.username", .text(1...256), "The user name for the broker."),
        Setting(
            "mqtt.password", .text(1...65_535), secrecy: .secret,
            "The password, from the environment, the systemd credential mqtt-password or mqtt.password_file."),
        Setting(
            "mqtt.password_file", .text(1...4096), form: .path,
            "A file with the password, which only the bridge may read. Each new connection reads it again."),
        Setting("mqtt.tls.enabled", .boolean, default: .value(false), "Whether the connection is encrypted."),
        Setting(
            "mqtt.tls.ca_file", .text(1...4096), form: .path,
            "The certificates (PEM) of trusted authorities; the system's if not set. Or the credential mqtt-ca. "
                + "Each new connection reads the files of mqtt.tls again."
        ),
        Setting(
            "mqtt.tls.certificate_file", .text(1...4096), form: .path,
            "The bridge's certificate (PEM), if the broker requires one. Or the credential mqtt-certificate."
        ),
        Setting(
            "mqtt.tls.key_file", .text(1...4096), form: .path,
            "The key (PEM) of that certificate. Or the credential mqtt-key."),
        Setting(
            "mqtt.tls.insecure", .boolean, default: .value(false),
            "Whether the broker's certificate is not checked. A program between bridge and broker can then read and "
                + "change everything."
        ),
    ]

    /// The keys of an entry in `mqtt.hosts`.
    private static let server = [
        Field("host", .text(1...253), required: true, "A host, or the path of a Unix socket."),
        Field("port", .integer(1...65_535), "Its port; mqtt.port if not set."),
        Field("server_name", .text(1...253), "The name in its certificate; the host if not set."),
    ]

    private static let bluetooth = [
        Setting(
            "bluetooth.bus", .text(1...4096), \.bluetooth.bus, form: .bus,
            "The D-Bus of BlueZ: system, or an address."
        ).fixedAtStart,
        Setting(
            "bluetooth.adapters", .list(.text(1...64), count: 0...64), \.bluetooth.adapters, form: .adapter,
            "The adapters to use, by name or address, such as [hci0]; all if empty. Names can change at a reboot. A "
                + "list with only proxies, such as [proxy/kitchen], excludes the adapters of the host."
        ).fixedAtStart,
        Setting(
            "bluetooth.proxies", .list(.object(ProxySettings.fields), count: 0...16), \.bluetooth.proxies,
            "ESPHome Bluetooth proxies to use in addition to the adapters, such as [{ name: kitchen, host: "
                + "kitchen-proxy.local, key_file: /etc/tactile-bridge/kitchen.key }]. No other program may use them."
        ).fixedAtStart,
        Setting(
            "bluetooth.join", .choice(["configured", "permit", "always"]), \.bridge.join,
            "The devices to connect: configured (the devices below), permit (also devices that joined by "
                + "permit_join), always."
        ),
        Setting(
            "bluetooth.max_devices", .integer(1...10_000), \.bridge.maxDevices,
            "How many devices may join by permit_join; devices in the section devices do not count."),
        Setting(
            "bluetooth.max_advertised_devices", .integer(1...10_000), \.bridge.maxAdvertisedDevices,
            "How many devices that only advertise may join by permit_join, in addition to max_devices."),
        Setting(
            "bluetooth.slots", .integer(1...256), \.bridge.slots,
            "How many links an adapter supports at the same time. If not set, the bridge uses the number at which a "
                + "link was refused, for a minute."
        ),
        Setting(
            "bluetooth.moves_per_hour", .integer(0...60), \.bridge.moves.perHour,
            "How often a connected device may move to another host within an hour; 0 for never."),
        Setting(
            "bluetooth.move_margin_db", .integer(3...60), \.bridge.moves.margin, unit: "dB",
            "How much better another host must receive a connected device for it to move; half of it on a weak link."
        ),
        Setting(
            "bluetooth.move_after_s", .integer(0...3600), \.bridge.moves.time, unit: "s",
            "How long another host must receive a connected device better; on a weak link, 10 s are sufficient."
        ),
        Setting(
            "bluetooth.move_weak_dbm", .integer(-127...0), \.bridge.moves.weak, unit: "dBm",
            "The signal strength below which a link is weak."),
        Setting(
            "bluetooth.acquire", .choice(Acquisition.allCases.map(\.rawValue)), \.bluetooth.acquisition,
            "Whether notifications arrive through sockets of bluetoothd, which is faster; auto: from BlueZ 5.86 on."
        ).fixedAtStart,
    ]

    private static let surroundings = [
        Setting(
            "haptics.directory", .text(1...4096), \.hapticsDirectory,
            form: .path,
            "The folder of the pattern files, each played by its file name."),
        Setting(
            "haptics.mixing", .choice(BridgeSettings.PatternMixing.allCases.map(\.rawValue)), \.bridge.mixing,
            "The effect of a new pattern on a playing one: add (the stronger of both is felt) or replace."),
        Setting(
            "gestures.directory", .text(1...4096), default: .value("/etc/tactile-bridge/gestures"),
            form: .path,
            "The folder of the gesture files."),
        Setting(
            "gestures.devices", .list(.text(1...200), count: 0...100), \.bridge.gestureDevices,
            "The devices, by name, that may receive commands from gestures of other devices, such as [belt]. "
                + "Robots and other hazardous devices never receive such commands."),
        Setting(
            "home_assistant.enabled", .boolean, \.announces,
            "Whether devices are announced to Home Assistant."),
        Setting(
            "home_assistant.prefix", .text(1...200), \.homeAssistant.prefix, form: .topicPrefix,
            "The topic under which Home Assistant discovers devices."),
        Setting(
            "home_assistant.drive_entities", .boolean, \.homeAssistant.hasDriveEntities,
            "Whether Home Assistant can drive robots, not only stop them."),
        Setting(
            "home_assistant.message_pattern", .text(1...64), \.homeAssistant.messagePattern,
            "The haptic pattern for a message that is not the name of a pattern."),
        Setting(
            "metrics.listen", .text(0...255), \.metricsAddress, default: .value(""), form: .listen,
            "The address of the metrics for Prometheus, at /metrics; none if empty."
        ).fixedAtStart,
        Setting(
            "log.level", .choice(Logger.Level.allCases.map(\.rawValue)), \.logLevel,
            "The lowest level that is logged."),
        Setting(
            "log.only",
            .list(.choice(LogSubsystem.allCases.map(\.rawValue)), count: 0...LogSubsystem.allCases.count),
            \.loggedOnly,
            "The kinds of lines that are logged, such as [commands, links]; all if empty. Errors are always logged."
        ),
        Setting(
            "log.format", .choice(LogFormat.allCases.map(\.rawValue)), \.logFormat,
            "The format of log lines: text for reading, json for programs, journald under systemd."),
        Setting(
            "log.mqtt", .choice(["off"] + BridgeFeatures.logLevels.map(\.rawValue)), \.bridge.brokerLogLevel,
            default: .value("off"),
            "The lowest level that is also published on bridge/<id>/log; off for none."),
        Setting(
            "log.typing", .boolean, \.bridge.logsTyping,
            "Whether the level trace contains text typed with a TAP, and its raw values; otherwise no log contains "
                + "them."
        ),
    ]

    /// The description of each section, for the generated configuration file.
    package static let sectionSummaries: [String: String] = [
        "": "Keys outside all sections.",
        "bridge": "The bridge itself.",
        "mqtt": "The broker.",
        "mqtt.tls": "Encryption.",
        "bluetooth": "Bluetooth, through BlueZ.",
        "haptics": "Haptic patterns.",
        "gestures": "Gestures.",
        "home_assistant": "Home Assistant.",
        "metrics": "Metrics for monitoring.",
        "log": "The log, on standard error.",
        "console":
            "The console, a page for the browser. It is a separate process, which also reads this file.",
    ]
}
