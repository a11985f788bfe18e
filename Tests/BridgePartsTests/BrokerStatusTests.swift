import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Broker connection")
struct BrokerStatusTests {
    private var connected: BrokerStatus {
        var broker = BrokerStatus()
        broker.connected(version: "MQTT 5.0")
        _ = broker.catchUp()
        return broker
    }

    @Test("A connection has a version until it is lost")
    func version() {
        var broker = BrokerStatus()
        #expect(!broker.isConnected && broker.version == nil)
        broker.connected(version: "MQTT 5.0")
        #expect(broker.isConnected && broker.version == "MQTT 5.0")
        let isLoss = broker.lost()
        #expect(isLoss && !broker.isConnected)
    }

    @Test("A connection that the bridge replaces is not lost, and messages on the next one are current")
    func renewal() {
        var broker = connected
        var isAsked = broker.renew()
        #expect(isAsked)
        // A second request before the connection closes changes nothing.
        isAsked = broker.renew()
        #expect(isAsked)
        let isLoss = broker.lost()
        #expect(!isLoss && broker.isConnected)
        broker.connected(version: "MQTT 3.1.1")
        #expect(broker.version == "MQTT 3.1.1")
        let isFresh = broker.catchUp()
        #expect(isFresh)
    }

    @Test("A connection on which messages piled up while it was established is replaced again")
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

    @Test("A failed replacement is a lost connection, and the next one is clean", arguments: [false, true])
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

    @Test("Without a connection there is nothing to replace")
    func away() {
        var broker = BrokerStatus()
        let isAsked = broker.renew()
        #expect(!isAsked)
        let isFresh = broker.catchUp()
        #expect(isFresh && !broker.isConnected)
    }

    @Test("The first 100 refused topics are kept until they are accepted or the connection is new")
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
