extension BridgeFigures {
    /// An example for documents: a bridge with one device, and a value in every field.
    package static var example: BridgeFigures {
        var counters = DeviceCounters()
        counters.named = ["stopped_by_stop": 1]
        return BridgeFigures(
            isBrokerConnected: true, adapters: 1, isGuardianRunning: true, refusedTopics: 0,
            devices: [Device(name: "belt", family: "belt", isOnline: true, signal: -60, counters: counters)])
    }
}
