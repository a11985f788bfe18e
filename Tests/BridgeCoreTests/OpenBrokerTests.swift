import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import HostTesting
import Logging
import Testing

@Suite("A broker that anybody can use")
struct OpenBrokerTests {
    @Test(
        "Is warned of for what can hurt a person, and for nothing else",
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
