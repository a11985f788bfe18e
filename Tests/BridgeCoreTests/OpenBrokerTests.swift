import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import HostTesting
import Logging
import Testing

@Suite("A broker with open access")
struct OpenBrokerTests {
    @Test(
        "The bridge warns of an open broker if it has a hazardous device",
        arguments: [(true, true, 1), (true, false, 0), (false, true, 0)])
    func warning(isOpen: Bool, canHurt: Bool, count: Int) {
        withLab { lab in
            var settings = BridgeSettings.empty(join: .always)
            settings.isBrokerOpen = isOpen
            let bench = lab.bridge(settings, families: canHurt ? [RollerFamily()] : [SampleFamily()])
            bench.connectBroker()
            bench.hear("AA:BB:CC:00:00:01", name: canHurt ? "roller" : "sample")
            #expect(bench.log.count(.warning, "every client of the broker") == count)
        }
    }
}
