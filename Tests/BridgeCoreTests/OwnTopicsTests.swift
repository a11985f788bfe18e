import Bluetooth
import BridgeTesting
import HomeAssistant
import HostTesting
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Retained topics of a bridge and of other bridges")
struct OwnTopicsTests {
    private func settings(_ id: String, host: String) -> BridgeSettings {
        var settings = BridgeSettings.oneDevice(id)
        settings.host = host
        settings.homeAssistant = HomeAssistantSettings(prefix: "homeassistant")
        return settings
    }

    /// The topics of a bridge and its announcement.
    private func topics(_ lab: Lab, of id: String) -> Set<String> {
        lab.broker.retainedTopics.filter {
            $0.hasPrefix("bridge/\(id)/") || $0.contains("bridge_\(id)/config")
        }
    }

    @Test("A bridge that wrongly had the id of another bridge leaves that bridge's topics unchanged")
    func changedID() {
        withLab { lab in
            let first = lab.bridge(settings("attic", host: "one"))
            first.goOnline()
            lab.time.advance(by: .seconds(5))
            let before = topics(lab, of: "attic")
            #expect(before.contains("bridge/attic/availability") && before.count > 4)
            let values = Dictionary(uniqueKeysWithValues: before.map { ($0, lab.broker.retained($0)) })
            // The retained topics that a run with the id `attic` has recorded.
            let store = MemoryStore(BridgeState(retainedTopics: before.union(["gone/availability"])))
            lab.broker.send("gone/availability", "offline", retain: true)
            let second = lab.bridge(settings("hall", host: "two"), store: store)
            second.connectBroker()
            lab.time.advance(by: .seconds(10))
            for (topic, value) in values where !topic.hasSuffix("/info") && !topic.hasSuffix("/devices") {
                #expect(lab.broker.retained(topic) == value, "\(topic)")
            }
            #expect(topics(lab, of: "attic") == before)
            #expect(lab.broker.retained("gone/availability") == nil)
            #expect(store.state.retainedTopics.isDisjoint(with: before))
            #expect(second.log.all.contains("because other bridges publish them now"))
        }
    }

    @Test(
        "The topics of an offline bridge on another host are left unchanged, and those of a former id are cleared"
    )
    func changedIDWhileAway() {
        for (host, isKept) in [("one", true), ("two", false)] {
            withLab { lab in
                let first = lab.bridge(settings("attic", host: host))
                first.goOnline()
                let before = topics(lab, of: "attic")
                first.shutDown()
                let store = MemoryStore(BridgeState(retainedTopics: before))
                let second = lab.bridge(settings("hall", host: "two"), store: store)
                second.connectBroker()
                lab.time.advance(by: .seconds(10))
                #expect(topics(lab, of: "attic") == (isKept ? before : []), "\(host)")
            }
        }
    }

    @Test("The topics of a device that another bridge has are left to that bridge")
    func takenDevice() {
        withLab { lab in
            let first = lab.bridge(settings("attic", host: "one"))
            first.goOnline()
            lab.time.advance(by: .seconds(5))
            let before = lab.broker.retainedTopics.filter {
                $0.hasPrefix("sample/") || $0.hasPrefix("claim/")
            }
            let announced = lab.broker.retainedTopics.filter { $0.hasSuffix("/config") }
            #expect(before.count > 3 && announced.count == 2)
            var empty = BridgeSettings.empty("hall")
            empty.homeAssistant = HomeAssistantSettings(prefix: "homeassistant")
            let store = MemoryStore(BridgeState(retainedTopics: before.union(announced)))
            let second = lab.bridge(empty, store: store)
            second.connectBroker()
            lab.time.advance(by: .seconds(10))
            #expect(lab.broker.retainedTopics.isSuperset(of: before.union(announced)))
        }
    }

    @Test(
        "Topics of the bridge, its devices and announcements are restored after another client changes them"
    )
    func restored() {
        withLab { lab in
            let bench = lab.bridge(settings("attic", host: "one"))
            bench.goOnline()
            lab.time.advance(by: .seconds(5))
            // The fake broker delivers a single copy of `info`, which does not show whether it is retained.
            let own = lab.broker.retainedTopics.filter {
                !$0.hasPrefix("claim/") && !$0.hasPrefix("roster/") && $0 != "bridge/attic/info"
            }
            #expect(own.contains("sample/availability") && own.contains("bridge/attic/devices"))
            #expect(own.contains { $0.hasPrefix("homeassistant/") })
            for topic in own.sorted() {
                for payload in ["", "nonsense"] {
                    lab.broker.send(topic, payload, retain: true)
                    let restored = bench.client.restored.last
                    #expect(restored?.topic == topic && restored?.payload == Array(payload.utf8))
                }
            }
        }
    }

    @Test("A claim is restored after another client clears it or overwrites it with an invalid message")
    func claim() {
        withLab { lab in
            let bench = lab.bridge(settings("attic", host: "one"))
            bench.goOnline()
            lab.time.advance(by: .seconds(5))
            let topic = "claim/aabbcca1b2c3"
            #expect(lab.broker.retained(topic) != nil)
            for payload in ["", "{}", "nonsense"] {
                let count = bench.client.restored.count
                lab.broker.send(topic, payload, retain: true)
                #expect(bench.client.restored.count == count + 1)
                #expect(bench.client.restored.last?.topic == topic)
            }
        }
    }

    @Test("A message that is not retained or is a claim of another bridge is not overwritten")
    func others() {
        withLab { lab in
            let bench = lab.bridge(settings("attic", host: "one"))
            bench.goOnline()
            lab.broker.send("sample/availability", "nonsense")
            lab.broker.send("sample/connection", #"{"bridge":"hall","state":"searching"}"#, retain: true)
            lab.broker.claim(by: "hall", epoch: 1, state: "released", isStored: true)
            #expect(bench.client.restored.isEmpty)
        }
    }

    @Test(
        "A command without a feature arrives once, even if the broker refuses to deliver the device's topics"
    )
    func bareCommands() {
        for isRefused in [false, true] {
            withLab { lab in
                let bench = lab.bridge(settings("attic", host: "one"))
                bench.client.sendCopies()
                if isRefused { bench.client.refuseSubscription("sample/+") }
                bench.goOnline()
                bench.broker.clearLog()
                bench.broker.send("sample/set", "{}")
                #expect(bench.broker.texts("sample/result").count == 1, "\(isRefused)")
                #expect(bench.client.filters.contains { $0.filter == "sample/+" } == !isRefused)
            }
        }
    }

    @Test(
        "After the connection ended over an answer, its Response Topic is not used for an hour",
        arguments: [true, false])
    func unconfirmed(isRefused: Bool) {
        func end(_ bench: TestBridge) {
            guard isRefused else {
                bench.client.leaveUnconfirmed("robot-x/y")
                return bench.client.leaveUnconfirmed("robot-x/y")
            }
            bench.client.refuse("robot-x/y", "not authorized")
            bench.client.lose()
            bench.connectBroker()
        }
        withLab { lab in
            let bench = lab.bridge(settings("attic", host: "one"))
            bench.goOnline()
            func answers() -> (own: Int, usual: Int) {
                bench.broker.clearLog()
                bench.broker.send(
                    "bridge/attic/request/health_check", "", responseTopic: "robot-x/y", correlation: [1])
                return (
                    bench.broker.texts("robot-x/y").count,
                    bench.broker.texts("bridge/attic/response/health_check").count
                )
            }
            #expect(answers() == (1, 0))
            // The broker refused the topic, but the connection did not end over it.
            bench.client.refuse("robot-x/y", "not authorized")
            lab.time.advance(by: .seconds(1))
            bench.client.lose()
            bench.connectBroker()
            #expect(answers() == (1, 0))
            end(bench)
            #expect(answers() == (0, 1))
            let lines = bench.log.all.split(separator: "\n").filter { $0.contains("because of an answer") }
            #expect(lines.count == 1)
            lab.time.advance(by: .seconds(3601))
            #expect(answers() == (1, 0))
        }
    }
}
