import Bluetooth
import Testing
import VirtualDevices

/// The requirements of all client libraries. The numbers refer to the list in docs/protocols/belt.md.
@Suite("Requirements of a simulated belt")
struct MustTests {
    @Test("1: The belt advertises both UUIDs and a name with the prefix")
    func advertises() {
        let bench = BeltBench(isConnected: false)
        let advertisement = bench.world.peripherals[0].advertisement
        #expect(advertisement.name.hasPrefix("naviGuertel"))
        #expect(advertisement.services == ["65333333-A115-11E2-9E9A-0800200CA100", 0xFE51])
    }

    @Test("1: The belt advertises after power-on, and not while a client is connected")
    func advertisesUntilConnected() {
        var world = World(.standard)
        #expect(world.start(at: .zero).contains(.advertise(device: "belt", true)))
        #expect(
            world.handle(.connected(mtu: 23), of: "belt", at: .zero)
                .contains(.advertise(device: "belt", false)))
        #expect(world.handle(.disconnected, of: "belt", at: .zero).contains(.advertise(device: "belt", true)))
    }

    static let table: [(service: UUID, characteristic: UUID, properties: CharacteristicProperties)] = [
        (0xFE51, 0xFE01, .read), (0xFE51, 0xFE02, [.notify, .write]), (0xFE51, 0xFE03, .write),
        (0xFE51, 0xFE04, .notify), (0xFE51, 0xFE05, .write), (0xFE51, 0xFE06, .notify),
        (0xFE51, 0xFE07, .write), (0xFE51, 0xFE09, [.read, .notify]), (0xFE52, 0xFE0A, .write),
        (0xFE52, 0xFE0B, .notify), (0xFE52, 0xFE0C, .notify), (0xFE53, 0xFE13, .write),
        (0xFE53, 0xFE14, .notify),
    ]

    @Test("2: The table equals the documented table")
    func hasTheWholeTable() {
        let services = BeltBench().world.peripherals[0].services
        #expect(services.map(\.uuid) == [0xFE51, 0xFE52, 0xFE53])
        let found = services.flatMap(\.characteristics)
        #expect(
            found.map(\.id)
                == Self.table.map { CharacteristicID(service: $0.service, uuid: $0.characteristic) })
        #expect(found.map(\.properties) == Self.table.map(\.properties))
    }

    @Test("3: The firmware information has three bytes and is not the version that a library patches")
    func readsFirmware() {
        var bench = BeltBench()
        #expect(bench.read("FE01") == ["value 340000"])
    }

    @Test("4: The battery has the same format when it is read: status, level, time, current, voltage")
    func readsBattery() {
        var bench = BeltBench { $0.batteryLevel = 75.5 }
        // 75.5 % = 0x4B80 / 256; 75.5 % of 8 h = 21744 s = 3865 * 5.625; -200 mA; 4004 mV.
        #expect(bench.read("FE09") == ["value 01804b190f38ffa40f"])
        #expect(bench.line("belt battery 100 charging") == ["FE09 0200640000f4016810"])
        #expect(bench.pass(.seconds(6)).contains { $0.what == "FE09 0200640000f4016810" })
    }

    @Test(
        "5 and 6: Requests are answered immediately, after the response to the write",
        arguments: [
            ("100100", "FE06 100032"), ("100101", "FE06 10012d00"),
            ("0104", "FE06 01042d73696d"), ("10010f", "FE06 100ff401"), ("100125", "FE06 102500"),
        ])
    func answersQuestions(question: String, answer: String) {
        var bench = BeltBench()
        #expect(bench.write("FE05", question) == ["written", answer])
    }

    @Test("6: One request can contain several parameters")
    func answersSeveralQuestions() {
        var bench = BeltBench()
        #expect(bench.write("FE05", "10020301") == ["written", "FE06 100303", "FE06 10012d00"])
    }

    @Test(
        "7: Every write is answered with the resulting value",
        arguments: [
            ("0182320000", "FE06 010232"), ("0182020000", "FE06 010205"), ("0182FF0000", "FE06 010264"),
            ("01836801", "FE06 01032d00"), ("11030109", "FE06 100303"), ("110F000100", "FE06 100f1400"),
            ("01842D74657374", "FE06 01042d74657374"), ("11000040", "FE06 100040"),
        ])
    func answersWrites(command: String, answer: String) {
        var bench = BeltBench()
        let air = bench.write("FE05", command).air
        #expect(air == ["written", answer])
    }

    @Test(
        "7: A request for an unavailable mode is answered with the unchanged mode",
        arguments: [
            "01810900", "018107", "0181FF",
        ])
    func answersRefusedMode(command: String) {
        var bench = BeltBench()
        #expect(bench.write("FE05", command) == ["written", "rejected", "FE06 010101"])
    }

    @Test(
        "8: Keep-alives are sent every two seconds and contain the mode, and any reply is accepted",
        arguments: [
            "", "00", "0000", "01",
        ])
    func keepsAlive(reply: String) {
        var bench = BeltBench { $0.missedReplies = 1 }
        for second in 1...3 {
            let happened = bench.pass(.seconds(2)).filter { $0.what.hasPrefix("FE02") }
            #expect(happened.map(\.what) == ["FE02 0101"])
            #expect(happened.map(\.at) == [.seconds(2 * second)])
            #expect(bench.write("FE02", reply) == ["written"])
        }
    }

    @Test("8: A belt that requires replies disconnects without them")
    func missesReplies() {
        var bench = BeltBench { $0.missedReplies = 3 }
        let happened = bench.pass(.seconds(9)).filter { $0.what == "disconnect" }
        #expect(happened.map(\.at) == [.seconds(8)])
    }

    @Test("9: Keep-alive, button and parameter contain the same mode")
    func agreesOnMode() {
        var bench = BeltBench()
        #expect(bench.write("FE05", "01810300").air == ["written", "FE06 010103"])
        #expect(bench.line("belt press compass").air == ["FE04 0301000302"])
        #expect(bench.write("FE05", "0101") == ["written", "FE06 010102"])
        #expect(bench.pass(.seconds(2)).map(\.what).contains("FE02 0102"))
    }

    @Test("11: The orientation is sent every 500 ms while a client is subscribed")
    func sendsOrientation() {
        var bench = BeltBench()
        _ = bench.line("belt turn 270")
        let happened = bench.pass(.milliseconds(1200)).filter { $0.what.hasPrefix("FE0C") }
        // Heading -90, box -135, roll and pitch 0, accuracy 5, all statuses 3, accurate.
        let packet = "FE0C 02a6ff79ff0000000005000303030300"
        #expect(happened.map(\.what) == [packet, packet])
        #expect(happened.map(\.at) == [.milliseconds(500), .milliseconds(1000)])
        _ = bench.handle(.subscribed(bench.id("FE0C"), false))
        #expect(!bench.pass(.seconds(2)).contains { $0.what.hasPrefix("FE0C") })
    }

    @Test("11: An inaccurate compass is reported")
    func sendsDoubt() {
        var bench = BeltBench()
        _ = bench.line("belt compass inaccurate")
        #expect(
            bench.pass(.milliseconds(500)).map(\.what).contains("FE0C 020000d3ff000000002d000003030101"))
    }

    @Test("12: In app mode, and in a pause that started there, the application handles pause")
    func leavesPauseToApplication() {
        var bench = BeltBench()
        _ = bench.write("FE05", "01810300")
        #expect(bench.line("belt press pause") == ["FE04 0201000303"])
        _ = bench.write("FE05", "01810400")
        #expect(bench.line("belt press pause") == ["FE04 0201000404"])
        #expect(bench.write("FE05", "0101").air == ["written", "FE06 010104"])
    }

    @Test("13: Home and compass change the intensity in pause mode and notify nothing else")
    func changesIntensityInPause() {
        var bench = BeltBench()
        _ = bench.line("belt press pause")
        #expect(bench.line("belt press home") == ["FE06 01023c"])
        #expect(bench.line("belt press compass") == ["FE06 010232"])
        for _ in 0..<6 { _ = bench.line("belt press compass") }
        #expect(bench.line("belt press compass") == ["FE06 010205"])
        for _ in 0..<11 { _ = bench.line("belt press home") }
        #expect(bench.line("belt press home") == ["FE06 010264"])
    }

    @Test(
        "14: Standby is announced before the disconnect",
        arguments: [
            ("belt press power long", "FE04 0103000100"), ("belt standby", "FE06 010100"),
        ])
    func announcesStandby(line: String, announcement: String) {
        var bench = BeltBench()
        #expect(bench.line(line).air == [announcement])
        let happened = bench.pass(.seconds(10)).map(\.what)
        #expect(happened == ["disconnect"])
        #expect(bench.handle(.disconnected) == [])
        #expect(bench.line("belt press power long") == ["mode wait", "advertise true"])
    }

    @Test("17: App mode ends with the connection, and the application's pause becomes the belt's pause")
    func leavesAppModeWithLink() {
        var bench = BeltBench()
        _ = bench.write("FE05", "01810300")
        #expect(bench.handle(.disconnected) == ["mode wait", "advertise true"])
        _ = bench.connect()
        _ = bench.write("FE05", "01810300")
        _ = bench.write("FE05", "01810400")
        _ = bench.handle(.disconnected)
        _ = bench.connect()
        #expect(bench.line("belt press pause").air == ["FE04 0201000401"])
        _ = bench.handle(.disconnected)
        #expect(bench.line("belt mode app").first?.hasPrefix("error") == true)
    }

    @Test("18: The belt bonds with every host, or only after the wearer allowed it")
    func bonds() {
        #expect(BeltBench().world.acceptsPairing("belt"))
        var bench = BeltBench { $0.pairing = .mode }
        let characteristics = bench.world.peripherals[0].services.flatMap(\.characteristics)
        #expect(characteristics.filter { !$0.needsEncryption }.isEmpty)
        #expect(!bench.world.acceptsPairing("belt"))
        #expect(bench.read("FE01") == ["refused 5"])
        #expect(bench.write("FE05", "0101") == ["refused 5"])
        _ = bench.line("belt press home long")
        #expect(bench.world.acceptsPairing("belt"))
        _ = bench.handle(.bonded)
        #expect(!bench.world.acceptsPairing("belt"))
        #expect(bench.read("FE01") == ["value 340000"])
        _ = bench.line("belt press home long")
        _ = bench.pass(.seconds(61))
        #expect(!bench.world.acceptsPairing("belt"))
    }

    @Test("Reads and writes that a characteristic does not support are rejected")
    func refuses() {
        var bench = BeltBench()
        #expect(bench.read("FE05") == ["refused 2"])
        #expect(bench.write("FE06", "00") == ["refused 3"])
        #expect(bench.write("FE01", "00") == ["refused 3"])
    }
}
