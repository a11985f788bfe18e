import Bluetooth
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("State that outlives the process")
struct KeptStateTests {
    private let address: Address = "AA:BB:CC:A1:B2:C3"

    private func device(_ name: String) -> BridgeState.Device {
        BridgeState.Device(address: address, family: "sample", name: name)
    }

    @Test("Changes are saved once, with all changes made before the save starts")
    func once() {
        var kept = KeptState()
        #expect(!kept.isUnsaved)
        #expect(kept.changed(at: .zero) == .save)
        #expect(kept.changed(at: .zero) == nil)
        #expect(kept.isUnsaved)
        _ = kept.keep(topic: "sample/level")
        #expect(kept.begin().retainedTopics == ["sample/level"])
        #expect(!kept.isUnsaved)
        #expect(kept.finish(isKept: true, from: .zero, to: .zero, isLast: false) == nil)
        #expect(!kept.isUnsaved)
    }

    @Test("A change during a save is saved after it, after a pause of 29 times its duration")
    func rests() {
        var kept = KeptState()
        _ = kept.changed(at: .zero)
        _ = kept.begin()
        #expect(kept.changed(at: .milliseconds(5)) == nil)
        #expect(kept.isUnsaved)
        let pause = Duration.milliseconds(300)
        let step = kept.finish(isKept: true, from: .zero, to: .milliseconds(10), isLast: false)
        #expect(step == .wait(until: pause))
        #expect(kept.changed(at: .milliseconds(50)) == nil)
        #expect(kept.waited(at: pause) == .save)
        #expect(kept.waited(at: pause) == nil)
    }

    @Test("A failed save is retried after 5 s, except at the end", arguments: [true, false])
    func failure(isLast: Bool) {
        var kept = KeptState()
        _ = kept.changed(at: .zero)
        _ = kept.begin()
        let step = kept.finish(isKept: false, from: .zero, to: .zero, isLast: isLast)
        #expect(step == (isLast ? nil : .wait(until: .seconds(5))))
        #expect(kept.isUnsaved)
        #expect(kept.waited(at: .seconds(5)) == (isLast ? nil : .save))
    }

    @Test("Only a change makes a save necessary")
    func differences() {
        var kept = KeptState()
        var isChanged = kept.remember(device("sample"), at: address) { $0.memory["level"] = 1 }
        #expect(isChanged)
        isChanged = kept.remember(device("other"), at: address) { $0.memory["level"] = 1 }
        #expect(!isChanged && kept[address]?.name == "sample")
        isChanged = kept.forget(memory: "level", of: address)
        #expect(isChanged)
        isChanged = kept.forget(memory: "level", of: address)
        #expect(!isChanged)
        isChanged = kept.keep(topic: "a")
        #expect(isChanged)
        isChanged = kept.keep(topic: "a")
        #expect(!isChanged)
        isChanged = kept.forget(topics: ["b"])
        #expect(!isChanged)
    }

    @Test("Topics cleared while the broker is disconnected are forgotten when it is connected")
    func stale() {
        var kept = KeptState(BridgeState(retainedTopics: ["a", "b", "c"]))
        var isChanged = kept.clear(topics: ["a"], isDelivered: true)
        #expect(isChanged && kept.state.retainedTopics == ["b", "c"])
        isChanged = kept.clear(topics: ["b", "c"], isDelivered: false)
        #expect(!isChanged && kept.state.retainedTopics == ["b", "c"])
        // The topic has a value again.
        _ = kept.keep(topic: "c")
        isChanged = kept.brokerConnected()
        #expect(isChanged && kept.state.retainedTopics == ["c"])
        isChanged = kept.brokerConnected()
        #expect(!isChanged)
    }
}
