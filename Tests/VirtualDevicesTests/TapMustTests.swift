import Bluetooth
import Testing
import VirtualDevices

@Suite("Requirements of a TAP")
struct TapMustTests {
    @Test("The table contains the attributes that clients need, with properties confirmed by the vendor")
    func hasTable() {
        let bench = TapBench()
        func rows(_ service: UUID) -> [String] {
            let found = bench.world.peripherals[0].services.first { $0.uuid == service }
            return (found?.characteristics ?? []).map { row in
                let letters: [(CharacteristicProperties, String)] = [
                    (.read, "R"), (.write, "W"), (.writeWithoutResponse, "w"), (.notify, "N"),
                ]
                let can = letters.filter { row.properties.contains($0.0) }.map(\.1).joined()
                return "\(BenchTap.name(row.id)) \(can)"
            }
        }
        #expect(
            rows("c3ff0001-1d8b-40fd-a56f-c7bd5d0f3370") == [
                "c3ff0002 RW", "c3ff0003 RW", "c3ff0005 N", "c3ff0006 WwN", "c3ff0007 Ww", "c3ff0008 N",
                "c3ff0009 Ww", "c3ff000a RwN", "c3ff000b RwN",
            ])
        #expect(rows("6e400001-b5a3-f393-e0a9-e50e24dcca9e") == ["6e400002 Ww", "6e400003 N"])
        #expect(rows(0x180A) == ["2a29 R", "2a25 R", "2a27 R", "2a26 R", "2a28 R"])
        #expect(rows(0x180F) == ["2a19 RN"])
        let input = bench.world.peripherals[0].services.filter(\.isClaimed)
        #expect(input.map(\.uuid) == [0x1812])
    }

    @Test("A TapXR has its versions, and no TAP has the framed protocol by default")
    func hasVersions() {
        let xr = TapBench(VirtualTap.Choices(.xr)).world.peripherals[0].services
            .flatMap(\.characteristics).map { BenchTap.name($0.id) }
        #expect(xr.contains("c3ff000c") && xr.contains("c3ff000d"))
        #expect(!xr.contains("c3ff000e") && !xr.contains("c3ff000f"))
    }

    @Test("The TAP advertises its keyboard and its service while no client is connected")
    func advertises() {
        var bench = TapBench(isConnected: false)
        let advertisement = bench.world.peripherals[0].advertisement
        #expect(advertisement.name.hasPrefix("Tap_"))
        #expect(advertisement.services == [0x1812, "c3ff0001-1d8b-40fd-a56f-c7bd5d0f3370"])
        #expect(bench.connect() == ["advertise false"])
        #expect(bench.handle(.disconnected) == ["advertise true"])
    }

    @Test("All characteristics, only those of standard services, or none require encryption")
    func needsEncryption() {
        func bare(_ encryption: VirtualTap.Choices.Encryption) -> Set<UUID> {
            var choices = VirtualTap.Choices()
            choices.encryption = encryption
            return Set(
                TapBench(choices).world.peripherals[0].services.flatMap(\.characteristics)
                    .filter { !$0.needsEncryption }.map(\.id.service))
        }
        #expect(bare(.all) == [])
        #expect(
            bare(.standard) == [
                "c3ff0001-1d8b-40fd-a56f-c7bd5d0f3370", "6e400001-b5a3-f393-e0a9-e50e24dcca9e",
            ])
        #expect(bare(.none).count == 5)
    }

    /// The product, the characteristic and the value.
    static let values: [(model: VirtualTap.Choices.Model, characteristic: String, value: String)] = [
        (.xr, "2a28", "303132"), (.strap2, "2a29", "5441502053797374656d73"),
    ]

    @Test("A TAP returns its bootloader version and its manufacturer", arguments: values)
    func reads(model: VirtualTap.Choices.Model, characteristic: String, value: String) {
        var bench = TapBench(VirtualTap.Choices(model))
        #expect(bench.read(characteristic) == ["value \(value)"])
    }

    @Test("A name is stored and read back, and a name that is too long is rejected")
    func renames() {
        var choices = VirtualTap.Choices()
        choices.longestName = 9
        var bench = TapBench(choices)
        #expect(bench.write("c3ff0003", "5461705F58523432") == ["written"])
        #expect(bench.read("c3ff0003") == ["value 5461705f58523432"])
        #expect(bench.world.peripherals[0].advertisement.name == "Tap_XR42")
        #expect(bench.write("c3ff0003", "54617054617054617070") == ["refused 13", "rejected"])
        choices.advertisesNewName = false
        bench = TapBench(choices)
        _ = bench.write("c3ff0003", "5461705F58523432")
        #expect(bench.world.peripherals[0].advertisement.name == "Tap_SIM")
        _ = bench.act("off")
        _ = bench.handle(.disconnected)
        _ = bench.act("on")
        #expect(bench.world.peripherals[0].advertisement.name == "Tap_XR42")
    }

    @Test("The serial number depends on the scenario or the seed and differs between TAPs")
    func hasSerial() {
        var bench = TapBench { $0.serial = "ABCDEF0123456789" }
        #expect(bench.read("2a25") == ["value 41424344454630313233343536373839"])
        let devices = (1...3).map { number in
            Scenario.Device(
                name: "t\(number)", model: .tap(.init()), address: Address(number: UInt64(number)))
        }
        var world = World(Scenario(devices: devices))
        let id = CharacteristicID(service: 0x180A, uuid: 0x2A25)
        let serials = (1...3).map { world.handle(.read(id), of: "t\($0)", request: 1, at: .zero) }
        #expect(Set(serials).count == 3)
    }

    @Test("Unsupported reads and writes and absent characteristics are rejected")
    func refuses() {
        var bench = TapBench()
        #expect(bench.read("6e400002") == ["refused 2"])
        #expect(bench.write("c3ff0005", "00") == ["refused 3"])
        #expect(bench.write("2a19", "00") == ["refused 3"])
        var choices = VirtualTap.Choices()
        choices.missing = [0x2A28]
        bench = TapBench(choices)
        let all = bench.world.peripherals[0].services.flatMap(\.characteristics).map(\.id.uuid)
        #expect(!all.contains(0x2A28))
        let id = CharacteristicID(service: 0x180A, uuid: 0x2A28)
        #expect(bench.handle(.read(id)) == ["refused 2"])
    }

    @Test("The TAP bonds with every host, or only after the wearer allowed it")
    func bonds() {
        #expect(TapBench().world.acceptsPairing("tap"))
        var bench = TapBench { $0.pairing = .mode }
        #expect(!bench.world.acceptsPairing("tap"))
        _ = bench.act("pair")
        #expect(bench.world.acceptsPairing("tap"))
        _ = bench.handle(.bonded)
        #expect(!bench.world.acceptsPairing("tap"))
        _ = bench.act("pair")
        _ = bench.pass(.seconds(61))
        #expect(!bench.world.acceptsPairing("tap"))
    }

    @Test("A TAP that is switched off is silent and does not advertise")
    func switchesOff() {
        var bench = TapBench()
        #expect(bench.act("off") == ["disconnect"])
        _ = bench.handle(.disconnected)
        #expect(bench.act("5").first?.hasPrefix("error the TAP is switched off") == true)
        #expect(bench.act("on") == ["advertise true", "mode text by power"])
    }

    @Test("Changes of the battery level are notified, if enabled")
    func tellsBattery() {
        var bench = TapBench()
        _ = bench.handle(.subscribed(bench.id("2a19"), true))
        #expect(bench.act("battery 42") == ["2a19 2a"])
        #expect(bench.act("battery 42") == [])
        #expect(bench.read("2a19") == ["value 2a"])
        var choices = VirtualTap.Choices()
        choices.batteryDrain = 1
        choices.notifiesBattery = false
        bench = TapBench(choices)
        _ = bench.handle(.subscribed(bench.id("2a19"), true))
        #expect(bench.pass(.seconds(130)).map(\.what) == [])
        #expect(bench.read("2a19") == ["value 55"])
    }
}
