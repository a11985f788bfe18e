import Bluetooth
import Testing

@testable import ProxyRadio

@Suite("The choice among the radios that receive a device")
struct ReceiverTableTests {
    private static let device: Address = "C0:FF:EE:00:BE:01"
    private static let adapters = ["hci0", "proxy/kitchen", "proxy/attic"]

    /// A table with states of radios that a test sets.
    private final class Scene {
        var table = ReceiverTable()
        var standings: [Int: ReceiverTable.Standing] = [:]

        /// Reports the device over a radio, and returns whether the report is used.
        func hear(_ receiver: Int, _ rssi: Int?, at second: Double, data: [UInt8] = [1]) -> Bool {
            let advertisement = Advertisement(address: device, manufacturerData: [7: data], rssi: rssi)
            let standings = standings
            return table.heard(
                advertisement, over: adapters[receiver], by: receiver, at: .seconds(second)
            ) { number, _ in standings[number] ?? .init() }
        }

        func choose(at second: Double, mayUseProxy: Bool = true) -> ReceiverTable.Choice {
            table.choose(device, mayUseProxy: mayUseProxy, at: .seconds(second)) { number, _ in
                standings[number] ?? .init()
            }
        }

        func forget(by receiver: Int, at second: Double) -> Bool {
            table.forget(device, by: receiver, at: .seconds(second))
        }

        func fail(_ receiver: Int, at second: Double) {
            table.attempted(device, by: receiver, succeeded: false, at: .seconds(second))
        }
    }

    @Test(
        "The strongest signal wins, where an adapter of the host counts 10 dB more",
        arguments: [(-70, -61, 0), (-70, -60, 0), (-70, -59, 1), (-50, -90, 0)])
    func signal(host: Int, proxy: Int, expected: Int) {
        let scene = Scene()
        _ = scene.hear(0, host, at: 1)
        _ = scene.hear(1, proxy, at: 1)
        #expect(scene.choose(at: 1) == .use(expected))
    }

    @Test("A link counts more than a bond, a bond more than a free slot, a free slot more than the signal")
    func order() {
        let scene = Scene()
        _ = scene.hear(0, -40, at: 1)
        _ = scene.hear(1, -90, at: 1)
        _ = scene.hear(2, -90, at: 1)
        #expect(scene.choose(at: 1) == .use(0))
        scene.standings[0] = .init(isFull: true)
        scene.standings[1] = .init(isFull: true)
        #expect(scene.choose(at: 1) == .use(2))
        scene.standings[1]?.isBonded = true
        #expect(scene.choose(at: 1) == .use(1))
        scene.standings[2] = .init(isConnected: true)
        #expect(scene.choose(at: 1) == .use(2))
    }

    @Test("An advertisement counts for 10 s, over a radio with a bond for 30 s")
    func age() {
        let scene = Scene()
        _ = scene.hear(1, -50, at: 0)
        _ = scene.hear(2, -80, at: 5)
        #expect(scene.choose(at: 10) == .use(1))
        #expect(scene.choose(at: 11) == .use(2))
        scene.standings[1] = .init(isBonded: true)
        #expect(scene.choose(at: 30) == .use(1))
        #expect(scene.choose(at: 31) == .nobody)
    }

    @Test("A device that may not use a proxy is connected over the host, or not at all")
    func proxyOnly() {
        let scene = Scene()
        #expect(scene.choose(at: 0, mayUseProxy: false) == .nobody)
        _ = scene.hear(1, -40, at: 0)
        #expect(scene.choose(at: 0, mayUseProxy: false) == .proxyOnly("proxy/kitchen"))
        _ = scene.hear(0, -90, at: 1)
        #expect(scene.choose(at: 1, mayUseProxy: false) == .use(0))
        _ = scene.hear(1, -40, at: 20)
        #expect(scene.choose(at: 20, mayUseProxy: false) == .proxyOnly("proxy/kitchen"))
    }

    @Test("Each failed attempt costs 10 dB for a minute, and needs a new advertisement")
    func failures() {
        let scene = Scene()
        _ = scene.hear(1, -50, at: 0)
        _ = scene.hear(2, -65, at: 0)
        scene.fail(1, at: 0)
        #expect(scene.choose(at: 0) == .use(2))
        _ = scene.hear(1, -50, at: 1)
        #expect(scene.choose(at: 1) == .use(1))
        scene.fail(1, at: 1)
        _ = scene.hear(1, -50, at: 2)
        #expect(scene.choose(at: 2) == .use(2))
        _ = scene.hear(1, -50, at: 62)
        _ = scene.hear(2, -65, at: 62)
        #expect(scene.choose(at: 62) == .use(1))
    }

    @Test("Only the reports of one radio are used while it receives the device")
    func duplicates() {
        let scene = Scene()
        #expect(scene.hear(1, -60, at: 0))
        #expect(scene.hear(0, -75, at: 0) == false, "the radio in use has an advantage of 6 dB")
        #expect(scene.hear(0, -60, at: 1))
        #expect(scene.hear(1, -60, at: 1, data: [2]) == false)
        #expect(scene.hear(1, -60, at: 11, data: [2]) == false)
        #expect(scene.hear(1, -60, at: 11.5, data: [2]), "the host has received nothing for more than 10 s")
    }

    @Test("A lost adapter receives nothing until it reports the device again")
    func lost() {
        let scene = Scene()
        _ = scene.hear(0, -50, at: 0)
        _ = scene.hear(1, -80, at: 0)
        scene.table.lost("hci0")
        #expect(scene.choose(at: 0) == .use(1))
        #expect(scene.hear(1, -80, at: 0.5, data: [2]))
        _ = scene.hear(0, -50, at: 1)
        #expect(scene.choose(at: 1) == .use(0))
        scene.table.lostHost(at: .seconds(1))
        #expect(scene.table.knows(Self.device, by: 0) == false)
        #expect(scene.choose(at: 1) == .use(1))
    }

    @Test("A device is forgotten when no radio knows it, and not before its data count as new")
    func forgotten() {
        let scene = Scene()
        _ = scene.hear(0, -50, at: 0)
        _ = scene.hear(1, -80, at: 0)
        #expect(!scene.forget(by: 1, at: 61))
        #expect(scene.forget(by: 0, at: 61))
        _ = scene.hear(1, -80, at: 70)
        #expect(!scene.forget(by: 1, at: 100), "for lack of space")
        #expect(scene.table.count == 0)
        _ = scene.hear(1, -80, at: 100)
        #expect(scene.forget(by: 1, at: 130.1))
    }
}
