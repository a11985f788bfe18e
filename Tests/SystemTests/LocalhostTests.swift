import HostTesting
import Testing

@Suite("A broker on this host", .serialized)
struct LocalhostTests {
    /// The addresses that the system's resolver returns for the name; not every system has both families.
    private static var addressesOfLocalhost: [String] {
        let lines = (try? TestProcess.run(["getent", "ahosts", "localhost"])) ?? ""
        let addresses = lines.split(separator: "\n").compactMap { $0.split(separator: " ").first }
        return Set(addresses.map(String.init)).sorted()
    }

    @Test(
        "The bridge finds a broker that localhost reaches by one address family only",
        arguments: Self.addressesOfLocalhost)
    func localhost(address: String) throws {
        let bench = try Bench(brokerAddress: address)
        try bench.startSimulator()
        try bench.startBridge(host: "localhost")
        try bench.watcher.expect("belt/availability", "online")
    }
}
