import HostTesting
import Testing

@Suite("A broker on this host", .serialized)
struct LocalhostTests {
    /// What the system says that the name means; not every one has both families.
    private static var addressesOfLocalhost: [String] {
        let lines = (try? TestProcess.run(["getent", "ahosts", "localhost"])) ?? ""
        let addresses = lines.split(separator: "\n").compactMap { $0.split(separator: " ").first }
        return Set(addresses.map(String.init)).sorted()
    }

    @Test(
        "A broker that the name localhost reaches by one address family only is found",
        arguments: Self.addressesOfLocalhost)
    func localhost(address: String) throws {
        let bench = try Bench(brokerAddress: address)
        try bench.startSimulator()
        try bench.startBridge(host: "localhost")
        try bench.watcher.expect("belt/availability", "online")
    }
}
