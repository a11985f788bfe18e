import Bluetooth
import Testing
import VirtualDevices

@Suite("Random notifications of a device")
struct GarbageTests {
    @Test("A test that a lost connection interrupts continues on the next connection and counts both parts")
    func goesOn() {
        var bench = BeltBench()
        _ = bench.line("garbage belt 100")
        let before = bench.pass(.milliseconds(20)).map(\.what)
        #expect((1..<100).contains(before.debugOutputs))
        _ = bench.handle(.disconnected)
        #expect(bench.pass(.seconds(5)).isEmpty)
        _ = bench.connect()
        // The client has time to subscribe again.
        #expect(bench.pass(.milliseconds(900)).map(\.what).debugOutputs == 0)
        let after = bench.pass(.seconds(1)).map(\.what)
        #expect(before.debugOutputs + after.debugOutputs == 100)
        #expect(
            after.filter { $0.hasPrefix("garbage") } == [
                "garbage 100: FE02 100 FE04 100 FE06 100 FE09 100 FE0B 100 FE0C 100 FE14 100"
            ])
    }

    @Test("Characteristics without a subscription neither send nor delay the end of the test")
    func unwanted() {
        var bench = BeltBench(isConnected: false)
        _ = bench.connect(subscribing: ["FE04", "FE14"])
        _ = bench.line("garbage belt 20")
        let happened = bench.pass(.seconds(1)).map(\.what)
        #expect(happened.last == "garbage 20: FE02 0 FE04 20 FE06 0 FE09 0 FE0B 0 FE0C 0 FE14 20")
        #expect(happened.debugOutputs == 20)
    }

    @Test("Without a client, the test ends after a minute")
    func givenUp() {
        var bench = BeltBench(isConnected: false)
        _ = bench.line("garbage belt 20")
        #expect(bench.pass(.seconds(59)).allSatisfy { $0.what.hasPrefix("feel") })
        let end = bench.pass(.seconds(2)).map(\.what).filter { !$0.hasPrefix("feel") }
        #expect(end == ["garbage 20: FE02 0 FE04 0 FE06 0 FE09 0 FE0B 0 FE0C 0 FE14 0"])
    }

    @Test("A farewell is rare and is the last notification of its connection")
    func farewell() throws {
        var bench = BeltBench()
        _ = bench.line("garbage belt 100000")
        func step() -> (sent: Int, farewells: [Int]) {
            let happened = bench.pass(.milliseconds(5)).map(\.what)
            return (happened.debugOutputs, happened.indices.filter { happened[$0].isFarewell })
        }
        var sent = 0
        var farewells: [Int] = []
        while farewells.isEmpty, sent < 20_000 {
            let step = step()
            (sent, farewells) = (sent + step.sent, step.farewells)
        }
        #expect(farewells.count == 1)
        #expect((2500..<20_000).contains(sent))
        // The belt still sends keep-alives, but the random notifications pause.
        #expect(bench.pass(.seconds(1)).map(\.what).debugOutputs == 0)
        _ = bench.handle(.disconnected)
        _ = bench.connect()
        #expect(bench.pass(.milliseconds(1100)).map(\.what).debugOutputs > 0)
    }

    @Test("A client that stays connected after a farewell receives more notifications after a pause")
    func stays() {
        var bench = BeltBench()
        _ = bench.line("garbage belt 100000")
        while !bench.pass(.milliseconds(5)).contains(where: { $0.what.isFarewell }) {}
        #expect(bench.pass(.milliseconds(4900)).map(\.what).debugOutputs == 0)
        #expect(bench.pass(.milliseconds(200)).map(\.what).debugOutputs > 0)
    }

    @Test(
        "Clients treat certain notifications as the belt's farewell",
        arguments: [
            ("FE02", "0100", true), ("FE02", "a000ff", true), ("FE02", "0101", false), ("FE02", "00", false),
            ("FE04", "0101000100", true), ("FE04", "0901000100", false), ("FE04", "0101000900", false),
            ("FE04", "0101000101", false), ("FE04", "010100", false), ("FE06", "010100", true),
            ("FE06", "010101", false), ("FE06", "010200", false), ("FE0C", "010100", false),
            ("FE02", "", false),
        ])
    func values(characteristic: String, hex: String, isFarewell: Bool) {
        let bytes = Hex.bytes(hex) ?? []
        #expect(VirtualBelt().saysFarewell(bytes, on: BeltBench().id(characteristic)) == isFarewell)
    }
}

extension [String] {
    /// The number of notifications on a characteristic on which a belt sends nothing without a request.
    fileprivate var debugOutputs: Int { count { $0.hasPrefix("FE14") } }
}

extension String {
    /// Whether the text is a notification that a client treats as a farewell.
    fileprivate var isFarewell: Bool {
        let words = split(separator: " ").map(String.init)
        guard words.count == 2, let id = Self.notifying[words[0]] else { return false }
        return Self.belt.saysFarewell(Hex.bytes(words[1]) ?? [], on: id)
    }

    private static let belt = VirtualBelt()
    private static let notifying = Dictionary(
        uniqueKeysWithValues: BeltBench.notifying.map { ($0, BeltBench().id($0)) })
}
