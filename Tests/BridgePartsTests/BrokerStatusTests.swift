import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("The connection to the broker")
struct BrokerStatusTests {
    private var connected: BrokerStatus {
        var broker = BrokerStatus()
        broker.connected(version: "MQTT 5.0")
        _ = broker.catchUp()
        return broker
    }

    @Test("A connection has a version as long as it is there")
    func version() {
        var broker = BrokerStatus()
        #expect(!broker.isConnected && broker.version == nil)
        broker.connected(version: "MQTT 5.0")
        #expect(broker.isConnected && broker.version == "MQTT 5.0")
        let isLoss = broker.lost()
        #expect(isLoss && !broker.isConnected)
    }

    @Test("A connection that the bridge leaves behind is not lost, and what arrives on the next one counts")
    func renewal() {
        var broker = connected
        var isAsked = broker.renew()
        #expect(isAsked)
        // Twice before it ends is once.
        isAsked = broker.renew()
        #expect(isAsked)
        let isLoss = broker.lost()
        #expect(!isLoss && broker.isConnected)
        broker.connected(version: "MQTT 3.1.1")
        #expect(broker.version == "MQTT 3.1.1")
        let isFresh = broker.catchUp()
        #expect(isFresh)
    }

    @Test("What piles up while the next connection is made is left behind once more")
    func again() {
        var broker = connected
        _ = broker.renew()
        _ = broker.lost()
        let isAsked = broker.renew()
        #expect(isAsked)
        broker.connected(version: "MQTT 5.0")
        var isFresh = broker.catchUp()
        #expect(!isFresh)
        let isLoss = broker.lost()
        #expect(!isLoss)
        broker.connected(version: "MQTT 5.0")
        isFresh = broker.catchUp()
        #expect(isFresh)
    }

    @Test("Where the next connection fails it is lost, and the one after is clean", arguments: [false, true])
    func failure(isLateAgain: Bool) {
        var broker = connected
        _ = broker.renew()
        _ = broker.lost()
        if isLateAgain { _ = broker.renew() }
        let isLoss = broker.lost()
        #expect(isLoss && !broker.isConnected)
        broker.connected(version: "MQTT 5.0")
        let isFresh = broker.catchUp()
        #expect(isFresh)
    }

    @Test("Without a connection nothing piles up")
    func away() {
        var broker = BrokerStatus()
        let isAsked = broker.renew()
        #expect(!isAsked)
        let isFresh = broker.catchUp()
        #expect(isFresh && !broker.isConnected)
    }

    @Test("The first 100 refused topics are remembered until they are taken or the connection is new")
    func refusals() {
        var broker = connected
        for number in 0..<200 { broker.refused("topic/\(number)", "not authorized") }
        #expect(broker.refusals.count == BridgeFeatures.refusalCapacity)
        broker.refused("topic/5", "quota exceeded")
        broker.refused("topic/150", "quota exceeded")
        #expect(broker.refusals["topic/5"] == "quota exceeded" && broker.refusals["topic/150"] == nil)
        broker.accepted("topic/5")
        #expect(broker.refusals["topic/5"] == nil && broker.refusals.count == 99)
        broker.connected(version: "MQTT 5.0")
        #expect(broker.refusals.isEmpty)
    }
}
