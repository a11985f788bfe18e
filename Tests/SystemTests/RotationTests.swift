import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Renewed passwords and certificates, without a restart", .serialized)
struct RotationTests {
    @Test("The bridge connects with the new password of its file; a reload needs no restart for it")
    func password() throws {
        let bench = try Bench(brokerRuns: false)
        var options = TestBroker.Options()
        options.users = ["bridge": "first"]
        let broker = try TestBroker(options)
        let file = try bench.folder.write("first\n", to: "password")
        chmod(file, 0o600)
        let bridge = try bench.startBridge(environment: [
            "TACTILE_BRIDGE_MQTT_PORT": "\(broker.port)", "TACTILE_BRIDGE_MQTT_USERNAME": "bridge",
            "TACTILE_BRIDGE_MQTT_PASSWORD_FILE": file,
        ])
        try bridge.expectLine("connected to the broker", within: .seconds(20))
        try bench.folder.write("second\n", to: "password")
        bridge.sendAlone(SIGHUP)
        let line = try bridge.expectLine("the configuration was reloaded")
        #expect(line.contains("mqtt.password") && !line.contains("restart_needed"), "\(line)")
        broker.stop()
        try broker.start(users: ["bridge": "second"])
        try bridge.expectLine("connected to the broker", within: .seconds(20))
    }

    @Test("doctor and the metrics show when the certificates of the connection end")
    func ends() throws {
        let bench = try Bench(brokerRuns: false)
        let certificates = try TestCertificates()
        var options = TestBroker.Options()
        options.identity = try certificates.issue("broker", host: "localhost", days: 20)
        options.clientAuthorityFile = certificates.authorityFile
        let broker = try TestBroker(options)
        let client = try certificates.issue("client", host: "bridge", days: 5)
        let port = try TestBroker.freePort()
        let environment = [
            "TACTILE_BRIDGE_MQTT_PORT": "\(broker.port)", "TACTILE_BRIDGE_MQTT_HOST": "localhost",
            "TACTILE_BRIDGE_MQTT_TLS_ENABLED": "true",
            "TACTILE_BRIDGE_MQTT_TLS_CA_FILE": certificates.authorityFile,
            "TACTILE_BRIDGE_MQTT_TLS_CERTIFICATE_FILE": client.certificateFile,
            "TACTILE_BRIDGE_MQTT_TLS_KEY_FILE": client.keyFile,
        ]
        let bridge = try bench.startBridge(
            environment: environment.merging(["TACTILE_BRIDGE_METRICS_LISTEN": "127.0.0.1:\(port)"]) { $1 })
        try bridge.expectLine("connected to the broker", within: .seconds(20))
        let page = try LoopbackSocket.get("/metrics", port: port)
        for (name, days) in [("broker", 19), ("ca", 29), ("client", 4)] {
            let line = "tactile_bridge_mqtt_certificate_days{certificate=\"\(name)\"} \(days)\n"
            #expect(page.contains(line), "\(line)\(page)")
        }
        let (lines, _) = try DoctorTests.run(bench, ["doctor", "--json"], environment)
        for (summary, verdict) in [
            ("the certificate of localhost:\(broker.port) ends in 19 days", "ok"),
            ("mqtt.tls.ca_file \(certificates.authorityFile) ends in 29 days", "ok"),
            ("mqtt.tls.certificate_file \(client.certificateFile) ends in 4 days", "warning"),
        ] {
            #expect(
                lines.contains { $0["summary"]?.string == summary && $0["verdict"]?.string == verdict },
                "\(summary): \(lines)")
        }
    }
}
