import Bluetooth
import DBus
import EventLoop
import HostTesting
import Testing

@testable import BridgeConfiguration
@testable import Commands

@Suite("ESPHome devices on the network as candidates for Bluetooth proxies")
struct ProxyCandidateTests {
    private static func answer(
        name: String = "attic", host: String = "attic.local", port: UInt16 = 6053,
        text: [[UInt8]] = [Array("mac=c0ffee000001".utf8), Array("api_encryption=Noise".utf8)]
    ) -> [Value] {
        [
            .int32(2), .int32(0), .string(name), .string("_esphomelib._tcp"), .string("local"), .string(host),
            .int32(0), .string("192.0.2.7"), .uint16(port),
            .array(text.map { .bytes($0) }, of: .array(.byte)), .uint32(0),
        ]
    }

    private static func candidate(_ name: String, text: [String] = []) throws -> ProxyCandidate {
        try #require(
            ProxyCandidate(
                resolved: answer(name: name, host: "\(name).local", text: text.map { Array($0.utf8) })))
    }

    @Test("The entries that ESPHome announces are read, in any case; the first of a key counts")
    func entries() throws {
        let text = [
            "friendly_name=Attic proxy", "VERSION=2026.10.0", "mac=C0FFEE000001", "mac=c0ffee000002",
            "network=ethernet", "project_name=esphome.bluetooth-proxy", "platform", "=", "board=",
            "api_encryption=Noise_NNpsk0_25519_ChaChaPoly_SHA256",
        ]
        let candidate = try Self.candidate("attic", text: text)
        #expect(candidate.place == "attic.local:6053")
        #expect(candidate.mac == "C0:FF:EE:00:00:01")
        #expect(candidate.isEncrypted)
        #expect(candidate.version == "2026.10.0")
        #expect(candidate.network == "ethernet")
        #expect(candidate.title == "Attic proxy")
        #expect(candidate.project == "esphome.bluetooth-proxy")
        let plain = try Self.candidate("attic", text: ["api_encryption_supported=Noise"])
        #expect(!plain.isEncrypted && plain.mac == nil && plain.version == nil)
    }

    @Test("An incomplete answer is no candidate")
    func incomplete() {
        #expect(ProxyCandidate(resolved: []) == nil)
        #expect(ProxyCandidate(resolved: Self.answer(port: 0)) == nil)
        for index in [2, 5, 7, 8] {
            var answer = Self.answer()
            answer[index] = .bool(true)
            #expect(ProxyCandidate(resolved: answer) == nil)
        }
    }

    @Test(
        "Texts from the network cannot forge a line, a setting or the terminal, and are short",
        arguments: [
            "x\", plain: true }\n- { name: \"y", "\u{1B}[2J\u{202E}",
            String(repeating: "a\u{301}", count: 4000), "",
        ])
    func hostile(_ text: String) throws {
        let bytes = Array(text.utf8)
        let entries =
            ["mac", "version", "network"].map { Array("\($0)=".utf8) + bytes } + [bytes, [0xFF, 0x3D, 0xFF]]
        let candidate = try #require(
            ProxyCandidate(resolved: Self.answer(name: text, host: text, text: entries)))
        let setting = candidate.setting
        #expect(
            setting.hasPrefix("- { name: \"") && setting.hasSuffix("\", host: \"192.0.2.7\", plain: true }"))
        #expect(setting.count { $0 == "\"" } == 4)
        let lines = [candidate].table([]) + ([candidate] as [ProxyCandidate]?).findings([]).map(\.line)
        for line in lines {
            #expect(line.unicodeScalars.count < 2000)
            #expect(
                !line.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" && !line.hasPrefix("{") })
        }
    }

    @Test("A candidate is recognized as a configured proxy by its MAC, without one by its host and port")
    func configured() throws {
        func proxy(_ host: String, _ mac: Bluetooth.Address?, port: UInt16 = 6053) -> ProxySettings {
            ProxySettings(name: "kitchen", host: host, port: port, mac: mac, key: nil)
        }
        let known = try Self.candidate("attic", text: ["mac=c0ffee000001"])
        #expect(known.adapter(among: [proxy("10.0.0.1", "C0:FF:EE:00:00:01")]) == "proxy/kitchen")
        #expect(known.adapter(among: [proxy("attic.local", "C0:FF:EE:00:00:02")]) == nil)
        #expect(known.adapter(among: [proxy("Attic.local", nil)]) == "proxy/kitchen")
        #expect(known.adapter(among: [proxy("192.0.2.7", nil)]) == "proxy/kitchen")
        #expect(known.adapter(among: [proxy("attic.local", nil, port: 6054)]) == nil)
    }

    @Test(
        "Doctor shows settings for the first eight that are not configured, and nothing if all are configured"
    )
    func findings() throws {
        let twelve: [ProxyCandidate]? = try (10...21).map {
            try Self.candidate("node\($0)", text: ["mac=c0ffee0000\($0)", "api_encryption=Noise"])
        }
        let kitchen = ProxySettings(
            name: "kitchen", host: "node10.local", port: 6053, mac: "C0:FF:EE:00:00:10", key: nil)
        let finding = try #require(twelve.findings([kitchen]).first)
        #expect(finding.verdict == .ok)
        #expect(finding.summary == "11 ESPHome devices on the network are not in bluetooth.proxies")
        #expect(finding.remedies.count == 10)
        #expect(
            finding.remedies[1]
                == "- { name: \"node11\", host: \"node11.local\", mac: \"C0:FF:EE:00:00:11\", "
                + "key_file: /etc/tactile-bridge/node11.key }")
        #expect(finding.remedies.last == "for 3 more: tactile-bridge scan")
        #expect(twelve.map { Array($0.prefix(1)) }.findings([kitchen]).isEmpty)
        let absent: [ProxyCandidate]? = nil
        #expect(absent.findings([]).isEmpty)
        #expect(absent.findings([kitchen]).map(\.verdict) == [.ok])
    }

    @Test(
        "Avahi is asked on a real bus: each device once, those that seem to be proxies first",
        arguments: [true, false])
    func asked(_ isFinite: Bool) async throws {
        let bus = try PrivateBus(policy: nil)
        let loop = try EventLoop.start(name: "candidates")
        defer { loop.stop() }
        let probe = CandidateProbe(bus: bus.address.description)
        #expect(await probe.candidates(on: loop) == nil)
        var services = ["lamp", "plug"].map { FakeAvahi.Announced($0, host: "\($0).local", text: []) }
        services.append(
            .init("zz", host: "zz.local", text: ["mac=c0ffee000001", "project_name=esphome.bluetooth-proxy"]))
        let avahi = try await FakeAvahi(services, isFinite: isFinite, on: bus, loop: loop)
        let candidates = try #require(await probe.candidates(on: loop))
        #expect(candidates.map(\.place) == ["zz.local:6053", "lamp.local:6053", "plug.local:6053"])
        #expect(candidates.first?.mac == "C0:FF:EE:00:00:01")
        await avahi.close()
        #expect(await probe.candidates(on: loop) == nil)
        bus.stop()
        #expect(await probe.candidates(on: loop) == nil)
    }

    @Test("The number of candidates is limited")
    func many() async throws {
        let bus = try PrivateBus(policy: nil)
        let loop = try EventLoop.start(name: "candidates")
        defer { loop.stop() }
        let services = (0..<200).map { FakeAvahi.Announced("n\($0)", host: "n\($0).local", text: []) }
        let avahi = try await FakeAvahi(services, on: bus, loop: loop)
        #expect(await CandidateProbe(bus: bus.address.description).candidates(on: loop)?.count == 64)
        await avahi.close()
    }
}
