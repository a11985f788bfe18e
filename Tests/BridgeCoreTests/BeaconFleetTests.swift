import Bluetooth
import BridgeContract
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("Several bridges in range of a device that only advertises")
struct BeaconFleetTests {
    @Test("A bridge without the key makes no offer and no claim, and reports why it does not use the device")
    func noKey() {
        withLab { lab in
            let attic = lab.bridge(.oneDevice("attic"), families: [BeaconFamily(hasKey: false)])
            let cellar = lab.bridge(.oneDevice("cellar"), families: [BeaconFamily()])
            attic.connectBroker()
            cellar.connectBroker()
            lab.time.advance(by: .seconds(10))
            for level in 40..<60 as Range<UInt8> {
                advertise(level, to: attic, rssi: -40)
                #expect(attic.broker.texts("bridge/attic/offer").isEmpty)
                if level == 40 { #expect(attic.connection()?["reason"] == "the key is missing") }
                advertise(level, to: cellar, rssi: -80)
                lab.time.advance(by: .seconds(1))
            }
            #expect(lab.broker.retained("sample/level") == "59")
            #expect(lab.broker.retainedObject("claim/\(BridgeSettings.sample.digits)")?["bridge"] == "cellar")
        }
    }

    @Test("Two bridges that both use the device, because the broker separated them, agree on the older one")
    func contest() {
        withLab { lab in
            let attic = lab.bridge(.oneDevice("attic"), families: [BeaconFamily()])
            let cellar = lab.bridge(.oneDevice("cellar"), families: [BeaconFamily()])
            attic.connectBroker()
            advertise(40, to: attic)
            lab.time.advance(by: .seconds(5))
            advertise(40, to: cellar)
            lab.time.advance(by: .seconds(5))
            cellar.connectBroker()
            lab.time.advance(by: .seconds(10))
            let count = lab.broker.texts("sample/level").count
            for level in 41..<51 as Range<UInt8> {
                advertise(level, to: attic)
                advertise(level, to: cellar)
                lab.time.advance(by: .seconds(10))
            }
            #expect(lab.broker.texts("sample/level").count == count + 10)
            #expect(lab.broker.retainedObject("claim/\(BridgeSettings.sample.digits)")?["bridge"] == "attic")
        }
    }

    @Test(
        "A bridge that receives the device clearly better takes it, and the device is not reported as offline"
    )
    func better() {
        withLab { lab in
            let attic = lab.bridge(.oneDevice("attic"), families: [BeaconFamily()])
            let cellar = lab.bridge(.oneDevice("cellar"), families: [BeaconFamily()])
            attic.connectBroker()
            cellar.connectBroker()
            lab.time.advance(by: .seconds(10))
            var level: UInt8 = 0
            func run(_ seconds: Int, attic atticRSSI: Int?, cellar cellarRSSI: Int?) -> JSON.Value? {
                for _ in 0..<(seconds / 5) {
                    level += 1
                    if let atticRSSI { advertise(level, to: attic, rssi: atticRSSI) }
                    if let cellarRSSI { advertise(level, to: cellar, rssi: cellarRSSI) }
                    lab.time.advance(by: .seconds(5))
                }
                return lab.broker.retainedObject("claim/\(BridgeSettings.sample.digits)")?["bridge"]
            }
            #expect(run(60, attic: -50, cellar: -80) == "attic")
            #expect(run(120, attic: -66, cellar: -60) == "attic")
            #expect(run(120, attic: -80, cellar: -60) == "cellar")
            #expect(run(200, attic: -70, cellar: nil) == "attic")
            #expect(lab.broker.texts("sample/availability").dropFirst().allSatisfy { $0 == "online" })
            #expect(lab.broker.retained("sample/level") == "\(level)")
        }
    }

    @Test("Of two bridges in range, one publishes, and the other continues when it stops")
    func fleet() {
        withLab { lab in
            let attic = lab.bridge(.oneDevice("attic"), families: [BeaconFamily()])
            let cellar = lab.bridge(.oneDevice("cellar"), families: [BeaconFamily()])
            attic.connectBroker()
            cellar.connectBroker()
            lab.time.advance(by: .seconds(10))
            for level in 40..<60 as Range<UInt8> {
                advertise(level, to: attic, rssi: -50)
                advertise(level, to: cellar, rssi: -80)
                lab.time.advance(by: .seconds(1))
            }
            #expect(attic.availability() == "online" && lab.broker.retained("sample/level") == "59")
            let count = lab.broker.texts("sample/level").count
            #expect(count <= 20)
            attic.shutDown()
            for level in 60..<70 as Range<UInt8> {
                lab.time.advance(by: .seconds(5))
                advertise(level, to: cellar, rssi: -80)
            }
            #expect(cellar.availability() == "online" && lab.broker.retained("sample/level") == "69")
        }
    }
}
