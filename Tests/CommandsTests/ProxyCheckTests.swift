import Bluetooth
import JSON
import ProxyRadio
import Testing

@testable import Commands

@Suite("What doctor reports about Bluetooth proxies")
struct ProxyCheckTests {
    private static func facts(_ answer: ProxyProbe.Answer) -> ProxyFacts {
        ProxyFacts(adapter: "proxy/kitchen", isEncrypted: true, answer: answer)
    }

    private static func node(canConnect: Bool = true, free: Int) -> ProxyProbe.Node {
        ProxyProbe.Node(
            name: "kitchen-proxy", address: "C0:FF:EE:00:00:01", version: "2026.10.0", canConnect: canConnect,
            slots: .init(free: free, limit: 3))
    }

    @Test("A usable proxy is described, and its limits are warnings")
    func usable() {
        let summary =
            "proxy/kitchen is the node kitchen-proxy (C0:FF:EE:00:00:01), ESPHome 2026.10.0, encrypted, 2 of 3 "
            + "connections free"
        #expect(Self.facts(.node(Self.node(free: 2))).findings == [.ok(.proxies, summary)])
        let full = Self.facts(.node(Self.node(free: 0))).findings
        #expect(full.map(\.verdict) == [.ok, .warning])
        let passive = Self.facts(.node(Self.node(canConnect: false, free: 0))).findings
        #expect(passive.map(\.verdict) == [.ok, .warning])
        #expect(
            passive.last?.remedies == ["set active: true in bluetooth_proxy of its ESPHome configuration"])
    }

    @Test("The reason and the remedy of a problem are separate")
    func problem() {
        let findings = Self.facts(.problem("the key is wrong: copy it: from the YAML")).findings
        #expect(findings.map(\.verdict) == [.problem])
        #expect(findings.first?.summary == "proxy/kitchen: the key is wrong")
        #expect(findings.first?.remedies.first == "copy it: from the YAML")
    }

    @Test("Without an adapter, problems of the host are notes, but only if a proxy can be used")
    func notes() {
        let problems: [Finding] = [.problem(.bluez, "bluetoothd is not installed", ["apt install bluez"])]
        let usable = [Self.facts(.node(Self.node(free: 1)))]
        let broken = [Self.facts(.problem("the key is wrong"))]
        #expect(
            problems.asNotes(because: usable, kernelAdapters: nil)
                == [.ok(.bluez, "bluetoothd is not installed; the proxies do not need it")])
        #expect(problems.asNotes(because: broken, kernelAdapters: nil) == problems)
        #expect(problems.asNotes(because: usable, kernelAdapters: ["hci0"]) == problems)
    }

    @Test("A proxy that another bridge uses is usual, one that another program uses is not")
    func held() {
        func held(by holder: JSON.Value, name: String = "proxy/kitchen") -> Finding? {
            HeldProxy(["name": .string(name), "held_by": holder, "problem": "it is used: wait"])?.finding
        }
        #expect(held(by: "bridge attic") == .ok(.proxies, "proxy/kitchen: it is used: wait"))
        #expect(held(by: "another client") == .warning(.proxies, "proxy/kitchen: it is used", ["wait"]))
        #expect(held(by: .null) == nil)
        #expect(held(by: "bridge attic", name: "hci0") == nil)
    }
}
