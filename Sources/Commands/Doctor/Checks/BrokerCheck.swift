import BridgeConfiguration
import DeviceKit
import MQTT
import Reference

/// What a test connection shows about the broker. The test client uses the bridge's user name and password, but its own
/// client id.
struct BrokerFacts: Hashable, Sendable {
    enum Connection: Hashable, Sendable {
        /// Connected: the version of the protocol and the broker's address.
        case accepted(version: String, address: String)
        case failed(MQTTError)
        /// No result within the time limit.
        case undecided
    }

    /// A subscription or a publication that the broker does not allow.
    struct Refusal: Hashable, Sendable {
        var topic: String
        var reason: String
        /// The reason code (MQTT 5, section 2.4); nil if the broker sent none.
        var code: UInt8?
    }

    var settings: MQTTSettings
    /// Whether systemd gives the service a password that this command does not have.
    var hasServiceCredential = false
    var connection: Connection
    /// The result for a client with the bridge's last will; nil if that was not tested.
    var will: Connection?
    /// The subscriptions that the broker refused.
    var unreadable: [Refusal] = []
    /// The publications that the broker refused.
    var unwritable: [Refusal] = []
    /// Whether a client of this command received the message that another client of this command published on a topic
    /// of the bridge; nil if that was not tested.
    var isHeard: Bool?
    /// Whether this command received an echo, a message of the bridge to itself, on `bridge/<id>/echo`. Nil if no robot
    /// needs echoes, or if that was not tested.
    var isEchoed: Bool?
    /// The topics of the stops that robots require before they move.
    var stops: [String] = []
    /// The retained message of `bridge/<id>/availability`; nil if there is none.
    var availability: String?
    /// The host in the retained message of `bridge/<id>/info`.
    var host: String?
    /// Whether a guardian is running, from the retained message of `bridge/<id>/info`.
    var hasGuardian: Bool?
    /// The Bluetooth proxies that other programs use, from the retained message of `bridge/<id>/info`.
    var heldProxies: [HeldProxy] = []

    /// Whether the broker accepts messages of any size; nil if that is unknown.
    var isUnbounded: Bool?

    /// The certificates of the connection, and the time at which they were read.
    var certificates: [MQTTSettings.Certificate] = []
    var date = TimeStamp(milliseconds: 0)

    /// The behavior with many bridges; nil if that was not tested.
    var fleet: Fleet?
    /// The results for the other brokers, if there are several.
    var others: [Other] = []

    /// The bridge's id and this machine's name. They reveal two bridges with the same id.
    var id: String
    var ownHost: String

    var isAccepted: Bool { if case .accepted = connection { true } else { false } }

    var isWillAccepted: Bool { if case .accepted = will { true } else { false } }

    /// Whether the bridge is online; nil if the broker is unreachable.
    var isBridgeOnline: Bool? {
        guard case .accepted = connection else { return nil }
        return availability == "online"
    }

    var findings: [Finding] {
        ownFindings + certificateFindings + others.map { $0.finding(besides: self) }
    }

    private var ownFindings: [Finding] {
        switch connection {
        case .undecided:
            return [
                .problem(
                    .broker, "\(broker): no answer in time",
                    ["check mqtt.host and mqtt.port", "systemctl status mosquitto   # on the broker's host"])
            ]
        case .failed(let error):
            return [.problem(.broker, "\(error.broker): \(error.explanation)", remedies(error.code))]
        case .accepted(let version, let address):
            let name = settings.username.map { ", as \($0)" } ?? ""
            let tls = settings.tls == nil ? "" : ", encrypted"
            let head = Finding.ok(.broker, "\(broker) (\(address)) uses MQTT \(version)\(tls)\(name)")
            if let refusedWill { return [head, refusedWill, bridge] }
            return [head] + open + size + (fleet?.findings ?? []) + access + [bridge]
        }
    }

    var broker: String {
        settings.host.hasPrefix("/") ? settings.host : "\(settings.host):\(settings.port)"
    }

    /// The finding if a client with the bridge's last will is rejected.
    private var refusedWill: Finding? {
        let (reason, remedies): (String, [String])
        switch will {
        case nil, .accepted: return nil
        case .undecided: (reason, remedies) = ("no answer in time", Self.needs)
        case .failed(let error):
            reason = error.explanation
            remedies = error.code == .connectionLost ? Self.needs : self.remedies(error.code)
        }
        return .problem(
            .broker,
            "the broker refuses the bridge's last will, which is retained and has QoS 1, so the bridge cannot connect: "
                + reason, remedies)
    }

    /// The remedies for a broker that rejects retained messages or QoS 1.
    private static let needs = [
        "the bridge needs retained messages and QoS 1",
        "in mosquitto.conf, remove retain_available false and max_qos 0",
    ]

    private var open: [Finding] {
        if settings.showsPassword {
            return [
                .warning(
                    .broker, MQTTSettings.passwordWarning,
                    [
                        "set mqtt.tls.enabled to true   # and mqtt.tls.ca_file for your own certificate authority"
                    ])
            ]
        }
        guard settings.isOpen else { return [] }
        return [
            .warning(
                .broker,
                "the connection to \(settings.host) has neither encryption nor a user name: every client "
                    + "that reaches the broker can set robots in motion",
                ["tactile-bridge acl   # writes an access list; then set mqtt.tls.enabled and mqtt.username"])
        ]
    }

    private var size: [Finding] {
        guard case .accepted(let version, _) = connection else { return [] }
        switch isUnbounded {
        case false: return []
        case true:
            return [
                .warning(
                    .broker,
                    "messages have no size limit: a message of 256 MB takes twice that in the bridge's memory, which "
                        + "can crash the bridge", MosquittoLines.remedies)
            ]
        case nil where version == "5": return []
        case nil:
            return [
                .ok(
                    .broker, "MQTT 3.1.1 does not report whether messages have a size limit",
                    MosquittoLines.remedies)
            ]
        }
    }

    private var access: [Finding] {
        let user = ShellWord.quoted(settings.username ?? "bridge")
        let update = [
            "sudo tactile-bridge acl --role bridge --user \(user) | sudo tee /etc/mosquitto/tactile-bridge.acl >/dev/null",
            "sudo systemctl reload mosquitto   # with acl_file /etc/mosquitto/tactile-bridge.acl",
        ]
        var findings: [Finding] = []
        let mute = unreadable.filter { stops.contains($0.topic) }
        if !mute.isEmpty {
            findings.append(
                .problem(
                    .access,
                    "the broker does not let the bridge subscribe to stops, so robots are neither driven nor switched "
                        + "on: \(Self.list(mute))", update))
        }
        let rest = unreadable.filter { !stops.contains($0.topic) }
        if !rest.isEmpty {
            findings.append(
                .problem(
                    .access, "the broker does not let the bridge subscribe to \(Self.list(rest))", update))
        }
        if isEchoed == false, isHeard != false {
            findings.append(
                .problem(
                    .access,
                    "messages to \(echoLines.bridge.topic) do not come back, so robots are neither driven nor "
                        + "switched on: the access list lacks two lines",
                    [
                        "\(echoLines.bridge.text)   # below: user \(settings.username ?? "bridge")",
                        "\(echoLines.driver.text)   # below each user with the role driver",
                    ] + update))
        }
        if !unwritable.isEmpty {
            findings.append(
                .problem(
                    .access, "the broker does not let the bridge publish \(Self.list(unwritable))", update))
        }
        guard findings.isEmpty else { return findings }
        guard isHeard != false else {
            return [
                .warning(
                    .access,
                    "messages to bridge/\(id)/doctor do not come back: the broker may discard commands to the "
                        + "bridge silently, as Mosquitto does with topics that its access list forbids",
                    update)
            ]
        }
        guard case .accepted(version: "5", _) = connection else {
            return [
                .ok(
                    .access,
                    "all topics can be subscribed to; MQTT 3.1.1 does not report what may be published"
                )
            ]
        }
        return [.ok(.access, "the topics of the bridge can be subscribed to and published")]
    }

    /// The lines of the access list that allow the echo.
    private var echoLines: (bridge: AccessList.Entry, driver: AccessList.Entry) {
        AccessList.echoEntries(bridge: id, baseTopic: settings.baseTopic)
    }

    /// Returns the first three refusals, and the number of further refusals.
    private static func list(_ refusals: [Refusal]) -> String {
        let first = refusals.prefix(3).map { "\($0.topic) (\($0.reason))" }.joined(separator: ", ")
        return refusals.count > 3 ? "\(first) and \(refusals.count - 3) more" : first
    }

    private var bridge: Finding {
        guard availability == "online" else {
            return .ok(.bridge, "the bridge \(id) is not running", ["sudo systemctl start tactile-bridge"])
        }
        guard let host, host != ownHost else {
            return hasGuardian == false ? unguarded : .ok(.bridge, "the bridge \(id) is running")
        }
        return .warning(
            .bridge,
            "a bridge called \(id) is running on the host \(host), and this is \(ownHost): two bridges with one id "
                + "disconnect each other",
            ["set bridge.id to another name on one of them"])
    }

    private var unguarded: Finding {
        .problem(
            .bridge,
            "the bridge \(id) is running without a guardian: robots are neither driven nor switched on, and if the bridge "
                + "crashes, nothing stops its devices",
            [
                "journalctl -u tactile-bridge | grep guardian   # why it cannot be started, or cannot reach the bus",
                "systemctl show -p TasksCurrent,TasksMax,LimitNOFILE tactile-bridge",
            ])
    }
}
