import DeviceCatalog
import EventLoop
import HostTesting
import MQTT
import Testing

@testable import BridgeConfiguration
@testable import Commands
@testable import Reference

@Suite("doctor checks the broker")
struct BrokerTests {
    private static func settings(_ environment: [String: String]) throws -> Settings {
        let loader = SettingsLoader(
            families: Registry.families, host: Host(environment: environment, name: "attic"),
            usualFile: "/nonexistent")
        return try loader.load().settings
    }

    private static func facts(
        _ connection: BrokerFacts.Connection, host: String = "localhost", username: String? = "bridge"
    ) throws -> BrokerFacts {
        var environment = ["TACTILE_BRIDGE_MQTT_HOST": host]
        environment["TACTILE_BRIDGE_MQTT_USERNAME"] = username
        return BrokerFacts(
            settings: try settings(environment).mqtt, connection: connection, id: "attic", ownHost: "attic")
    }

    @Test(
        "Each connection error has a remedy",
        arguments: [
            (MQTTError.Code.connectionRefused, "sudo systemctl start mosquitto"),
            (.nameNotFound, "getent hosts"), (.timedOut, "ping"), (.unreachable, "ping"),
            (.badCredentials, "mosquitto_passwd"), (.notAuthorized, "mosquitto_passwd"),
            (.clientIDRejected, "client ids"), (.unsupportedVersion, "mqtt.version"),
            (.certificateExpired, "openssl"), (.certificateNotYetValid, "timedatectl"),
            (.certificateSelfSigned, "mqtt.tls.ca_file"), (.certificateUnknownAuthority, "mqtt.tls.ca_file"),
            (.certificateWrongHost, "mqtt.host"), (.certificateRejected, "openssl"), (.tlsFailed, "8883"),
            (.clientCertificateMissing, "mqtt.tls.key_file"), (.clientCertificateRefused, "-dates -issuer"),
            (.protocolError, "mqtt.port"), (.connectionLost, "mqtt.tls.enabled"),
            (.invalidConfiguration, "check-config"), (.brokerUnavailable, "journalctl"),
            (.permissionDenied, "ls -l"), (.socketNotFound, "listener 0"), (.sessionTakenOver, "bridge.id"),
            (.retainUnavailable, "retain_available"), (.qosUnavailable, "max_qos"),
        ])
    func failures(_ code: MQTTError.Code, _ word: String) throws {
        let error = MQTTError(code, broker: "localhost:1883", explanation: "it says so")
        let findings = try Self.facts(.failed(error)).findings
        #expect(findings.map(\.verdict) == [.problem])
        #expect(findings[0].summary == "localhost:1883: it says so")
        #expect(findings[0].remedies.contains { $0.contains(word) }, "\(findings[0].remedies)")
    }

    @Test("A missing user name and a password that only the service has are reported")
    func logins() throws {
        let error = MQTTError(.notAuthorized, broker: "b", explanation: "e")
        #expect(
            try Self.facts(.failed(error), username: nil).findings[0].remedies[0].contains("mqtt.username"))
        var facts = try Self.facts(.failed(error))
        facts.hasServiceCredential = true
        #expect(facts.findings[0].remedies[0].hasPrefix("sudo CREDENTIALS_DIRECTORY=/etc/credstore"))
    }

    private static let accepted = BrokerFacts.Connection.accepted(version: "5", address: "127.0.0.1:1883")

    @Test("For a broker that accepts the bridge, denied topics and the bridge's availability are reported")
    func access() throws {
        var facts = try Self.facts(Self.accepted)
        facts.isHeard = true
        #expect(facts.findings.map(\.verdict) == [.ok, .ok, .ok])
        #expect(facts.isBridgeOnline == false)
        facts.isHeard = false
        #expect(facts.findings.map(\.verdict) == [.ok, .warning, .ok])
        facts.unwritable = [.init(topic: "belt/result", reason: "not authorized")]
        facts.unreadable = (0..<5).map { .init(topic: "t\($0)", reason: "r") }
        let findings = facts.findings
        #expect(findings.map(\.verdict) == [.ok, .problem, .problem, .ok])
        #expect(findings[1].summary.hasSuffix("t0 (r), t1 (r), t2 (r) and 2 more"))
        #expect(findings[2].summary.contains("belt/result (not authorized)"))
        #expect(findings[2].remedies[0].contains("tactile-bridge acl --role bridge --user bridge"))
    }

    @Test(
        "A missing echo or stop subscription is a problem for robots, with the two missing lines"
    )
    func robots() throws {
        var facts = try Self.facts(Self.accepted)
        (facts.isHeard, facts.isEchoed) = (true, true)
        facts.stops = ["robot/stop/set", "all/stop/set"]
        #expect(facts.findings.map(\.verdict) == [.ok, .ok, .ok])
        facts.isEchoed = false
        let finding = try #require(facts.findings.first { $0.check == .access })
        #expect(finding.verdict == .problem && finding.summary.contains("bridge/attic/echo"))
        try #require(finding.remedies.count == 4)
        #expect(finding.remedies[0].hasPrefix("topic readwrite bridge/attic/echo "))
        #expect(finding.remedies[1].hasPrefix("topic read bridge/+/echo "))
        facts.isEchoed = true
        facts.unreadable = [.init(topic: "all/stop/set", reason: "r"), .init(topic: "t", reason: "r")]
        let findings = facts.findings.filter { $0.check == .access }
        try #require(findings.map(\.verdict) == [.problem, .problem])
        #expect(findings[0].summary.contains("neither driven nor switched on: all/stop/set (r)"))
        #expect(findings[1].summary.hasSuffix("t (r)"))
    }

    @Test("A bridge with the same name on another host is a warning")
    func twins() throws {
        var facts = try Self.facts(Self.accepted)
        facts.availability = "online"
        facts.host = "attic"
        #expect(facts.isBridgeOnline == true && facts.findings.last?.verdict == .ok)
        facts.host = "cellar"
        #expect(facts.findings.last?.verdict == .warning)
        #expect(facts.findings.last?.summary.contains("cellar") == true)
    }

    @Test("A bridge without a guardian is a problem; a bridge that reports no guardian state is not")
    func guardian() throws {
        var facts = try Self.facts(Self.accepted)
        facts.availability = "online"
        facts.host = "attic"
        for (hasGuardian, verdict) in [(nil, .ok), (true, .ok), (false, .problem)]
            as [(Bool?, Finding.Verdict)]
        {
            facts.hasGuardian = hasGuardian
            #expect(facts.findings.last?.verdict == verdict)
        }
        #expect(facts.findings.last?.check == .bridge)
        #expect(facts.findings.last?.summary.contains("without a guardian") == true)
        facts.availability = "offline"
        #expect(facts.findings.last?.verdict == .ok, "a bridge that does not run needs none")
    }

    @Test("An open connection to a robot's broker is a warning, except on this host")
    func open() throws {
        let far = try Self.facts(Self.accepted, host: "broker.example", username: nil)
        #expect(far.findings.contains { $0.check == .broker && $0.verdict == .warning })
        let near = try Self.facts(Self.accepted, username: nil)
        #expect(!near.findings.contains { $0.verdict == .warning })
    }

    // MARK: A real broker

    private static func visit(
        _ broker: TestBroker, _ environment: [String: String] = [:], configuration: String = ""
    ) async throws -> BrokerFacts {
        var all = [
            "TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1", "TACTILE_BRIDGE_MQTT_PORT": "\(broker.port)",
            "TACTILE_BRIDGE_BRIDGE_ID": "attic",
        ]
        all.merge(environment) { $1 }
        let folder = try TemporaryDirectory()
        let host = Host(environment: all, name: "attic")
        let loader = SettingsLoader(
            file: try folder.write(configuration, to: "c.yaml"), families: Registry.families, host: host)
        let settings = try loader.load().settings
        let loop = try EventLoop.start(name: "doctor")
        let facts = await withTaskExecutorPreference(loop) {
            await BrokerProbe(settings: settings, families: Registry.families, named: [], host: host).facts(
                on: loop)
        }
        loop.stop()
        return facts
    }

    private static let login = [
        "TACTILE_BRIDGE_MQTT_USERNAME": "bridge", "TACTILE_BRIDGE_MQTT_PASSWORD": "secret",
    ]
    private static let belt = "devices: { belt: { family: belt, address: \"C0:FF:EE:00:BE:01\" } }"

    @Test("A broker with the list of acl allows everything that the bridge needs")
    func allowed() async throws {
        var options = TestBroker.Options()
        options.users = ["bridge": "secret"]
        options.lines = MosquittoLines.all.map(\.line)
        let settings = try Self.settings(["TACTILE_BRIDGE_BRIDGE_ID": "attic"])
        options.accessList = AccessList(settings.bridge, families: Registry.families).text(
            [.bridge], user: "bridge")
        let broker = try TestBroker(options)
        let facts = try await Self.visit(broker, Self.login, configuration: Self.belt)
        #expect(facts.findings.map(\.verdict) == [.ok, .ok, .ok], "\(facts.findings)")
        #expect(facts.isHeard == true)
    }

    private static let robot = "devices: { tank: { family: robot, address: \"C0:FF:EE:00:BE:02\" } }"

    @Test(
        "With a robot, the echo and each stop are tested; otherwise not",
        arguments: [(robot, true), (belt, nil)] as [(String, Bool?)])
    func echo(configuration: String, isEchoed: Bool?) async throws {
        var options = TestBroker.Options()
        options.lines = MosquittoLines.all.map(\.line)
        let broker = try TestBroker(options)
        let facts = try await Self.visit(broker, configuration: configuration)
        #expect(facts.isEchoed == isEchoed)
        #expect(
            facts.stops
                == (isEchoed == nil ? [] : ["tank/stop/set", "tank/emergency_stop/set", "all/stop/set"]))
        #expect(!facts.findings.contains { $0.verdict == .problem }, "\(facts.findings)")
    }

    @Test("An older access list without the echo is a problem with the missing lines")
    func noEcho() async throws {
        var options = TestBroker.Options()
        options.users = ["bridge": "secret"]
        let names = ["availability", "info", "doctor", "request/+", "response/+", "event", "stats"]
        options.accessList =
            "user bridge\n" + names.map { "topic readwrite bridge/attic/\($0)\n" }.joined()
            + "topic readwrite tank/#\ntopic read all/#\n"
        let broker = try TestBroker(options)
        let facts = try await Self.visit(broker, Self.login, configuration: Self.robot)
        #expect(facts.isEchoed == false && facts.isHeard == true)
        let access = facts.findings.filter { $0.check == .access }
        #expect(access.map(\.verdict) == [.problem], "\(access)")
        #expect(access.first?.remedies.first?.hasPrefix("topic readwrite bridge/attic/echo") == true)
    }

    @Test("A refused subscription to a stop is reported")
    func noStop() async throws {
        let rules = try SubscriptionRules(
            filters: ["all/+/set", "all/stop/set", "tank/+/set", "tank/stop/set"], below: ["bridge"])
        var options = TestBroker.Options()
        options.lines = rules.lines
        let broker = try TestBroker(options)
        let facts = try await Self.visit(broker, configuration: Self.robot)
        let finding = try #require(facts.findings.first { $0.summary.contains("to stops") })
        #expect(finding.verdict == .problem)
        #expect(
            finding.summary.lowercased().hasSuffix("on: tank/emergency_stop/set (not authorized)"),
            "\(finding.summary)")
    }

    @Test("A list that denies a device's topics is detected by the broker's refusal")
    func forbidden() async throws {
        var options = TestBroker.Options()
        options.users = ["bridge": "secret"]
        options.accessList = "user bridge\ntopic readwrite bridge/attic/#\n"
        let broker = try TestBroker(options)
        let facts = try await Self.visit(broker, Self.login, configuration: Self.belt)
        let access = try #require(facts.findings.first { $0.check == .access })
        #expect(access.verdict == .problem)
        #expect(
            access.summary.contains("belt/result (not authorized)")
                || access.summary.contains("belt/result (Not authorized)"), "\(access.summary)")
    }

    @Test("A list with write access but no read access is detected, although the broker reports no error")
    func deaf() async throws {
        var options = TestBroker.Options()
        options.users = ["bridge": "secret"]
        options.accessList = "user bridge\ntopic write #\n"
        let broker = try TestBroker(options)
        let facts = try await Self.visit(broker, Self.login, configuration: Self.belt)
        #expect(facts.isHeard == false)
        #expect(facts.findings.first { $0.check == .access }?.verdict == .warning)
    }

    @Test("A wrong password is reported as rejected, not as an unreachable broker")
    func wrongPassword() async throws {
        var options = TestBroker.Options()
        options.users = ["bridge": "secret"]
        let broker = try TestBroker(options)
        let facts = try await Self.visit(
            broker, Self.login.merging(["TACTILE_BRIDGE_MQTT_PASSWORD": "wrong"]) { $1 })
        #expect(facts.findings.map(\.verdict) == [.problem])
        #expect(facts.findings[0].remedies.contains { $0.contains("mosquitto_passwd") }, "\(facts.findings)")
    }

    @Test("An unreachable broker and an unknown host name are reported")
    func away() async throws {
        let broker = try TestBroker()
        broker.kill()
        let facts = try await Self.visit(broker)
        #expect(facts.findings[0].summary.contains("refused"))
        let lost = try await Self.visit(broker, ["TACTILE_BRIDGE_MQTT_HOST": "/nonexistent/socket"])
        #expect(lost.findings[0].remedies[0] == "ls -l /nonexistent/socket")
    }
}
