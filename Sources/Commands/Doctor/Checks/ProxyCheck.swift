import Bluetooth
import BridgeConfiguration
import EventLoop
import JSON
package import ProxyRadio

/// The answer of a configured Bluetooth proxy.
package struct ProxyFacts: Hashable, Sendable {
    /// The name of its adapter: `proxy/kitchen`.
    var adapter: String
    var isEncrypted: Bool
    var answer: ProxyProbe.Answer

    package init(adapter: String, isEncrypted: Bool, answer: ProxyProbe.Answer) {
        (self.adapter, self.isEncrypted, self.answer) = (adapter, isEncrypted, answer)
    }

    /// Asks all proxies at the same time. No other client of a proxy is disturbed.
    static func ask(_ proxies: [ProxySettings], on loop: EventLoop) async -> [ProxyFacts] {
        await withTaskGroup(of: (Int, ProxyFacts).self) { group in
            for (index, proxy) in proxies.enumerated() {
                group.addTask {
                    let settings = ProxyRadio.Settings(
                        name: proxy.name, host: proxy.host, port: proxy.port, mac: proxy.mac, key: proxy.key)
                    let answer = await ProxyProbe(settings, loop: loop).ask()
                    return (
                        index,
                        ProxyFacts(adapter: proxy.adapter, isEncrypted: proxy.key != nil, answer: answer)
                    )
                }
            }
            var facts: [(Int, ProxyFacts)] = []
            for await fact in group { facts.append(fact) }
            return facts.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    package var findings: [Finding] {
        switch answer {
        case .problem(let words):
            let (reason, remedies) = words.reasonAndRemedies
            return [
                .problem(
                    .proxies, "\(adapter): \(reason)",
                    remedies + ["tactile-bridge check-config   # host, mac and key of bluetooth.proxies"])
            ]
        case .node(let node): return [describe(node)] + limits(node)
        }
    }

    /// Whether the proxy can be used.
    var isUsable: Bool { if case .node = answer { true } else { false } }

    private func describe(_ node: ProxyProbe.Node) -> Finding {
        let slots = node.slots.map { "\($0.free) of \($0.limit) connections free" } ?? "connections unknown"
        let address = node.address.map { " (\($0))" } ?? ""
        return .ok(
            .proxies,
            "\(adapter) is the node \(node.name)\(address), ESPHome \(node.version), "
                + "\(isEncrypted ? "encrypted" : "not encrypted"), \(slots)")
    }

    private func limits(_ node: ProxyProbe.Node) -> [Finding] {
        guard node.canConnect else {
            return [
                .warning(
                    .proxies, "\(adapter) only forwards advertisements: no device is connected over it",
                    ["set active: true in bluetooth_proxy of its ESPHome configuration"])
            ]
        }
        guard node.slots?.free == 0 else { return [] }
        return [
            .warning(
                .proxies, "\(adapter) has no free connection",
                [
                    "disconnect a device, or set connection_slots in bluetooth_proxy of its ESPHome configuration",
                    "if another program uses the proxy, such as Home Assistant: remove the proxy there",
                ])
        ]
    }
}

extension [Finding] {
    /// Replaces the problems of the host's Bluetooth by notes if there is no adapter, because the proxies suffice.
    func asNotes(because proxies: [ProxyFacts], kernelAdapters: [String]?) -> [Finding] {
        guard (kernelAdapters ?? []).isEmpty, proxies.contains(where: \.isUsable) else { return self }
        return map { finding in
            finding.verdict == .problem
                ? .ok(finding.check, "\(finding.summary); the proxies do not need it") : finding
        }
    }
}

/// A Bluetooth proxy that another program uses instead of the running bridge.
struct HeldProxy: Hashable, Sendable {
    var adapter: String
    /// Whether the program is another bridge, which is usual in a fleet.
    var isWithBridge: Bool
    /// What the bridge reports about it.
    var problem: String

    /// Reads an entry of `adapters` in `bridge/<id>/info`; nil for any other adapter.
    init?(_ adapter: JSON.Value) {
        guard let name = adapter["name"]?.string, AdapterName.isProxy(name),
            let holder = adapter["held_by"]?.string, let problem = adapter["problem"]?.string
        else { return nil }
        (self.adapter, self.problem) = (name, problem)
        isWithBridge = holder.hasPrefix(AdapterName.holdingBridge)
    }

    var finding: Finding {
        let (reason, remedies) = problem.reasonAndRemedies
        return isWithBridge
            ? .ok(.proxies, "\(adapter): \(problem)") : .warning(.proxies, "\(adapter): \(reason)", remedies)
    }
}

extension String {
    /// The reason in a problem of a proxy, and what to do, which follows after a colon.
    fileprivate var reasonAndRemedies: (reason: String, remedies: [String]) {
        let parts = split(separator: ": ", maxSplits: 1).map(String.init)
        return (parts.first ?? self, Array(parts.dropFirst()))
    }
}
