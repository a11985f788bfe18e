import Bluetooth
import BridgeTesting
import Commands
import DeviceFiles
import DeviceKit
import JSON
import Testing

@Suite("The output of probe")
struct ProbedDeviceTests {
    private let device = ProbedDevice(
        address: "C0:FF:EE:00:00:01", name: "Buzz \"1\"", mtu: 23, isPaired: false,
        entries: [
            .init(
                CharacteristicID(
                    service: "6e400001-b5a3-f393-e0a9-e50e24dcca9e",
                    uuid: "6e400002-b5a3-f393-e0a9-e50e24dcca9e"),
                [.write, .writeWithoutResponse]),
            .init(CharacteristicID(service: 0x180F, uuid: 0x2A19), [.read, .notify], value: [55]),
            .init(CharacteristicID(service: 0x1800, uuid: 0x2A00), [.read], value: Array("Buzz".utf8)),
            .init(
                CharacteristicID(service: 0xFFE0, uuid: 0xFFE1), [.read], complaint: "cannot be read: locked"),
        ])

    @Test("The printed device file is valid, and the examples of its commands are encoded")
    func file() throws {
        var device = device
        device.name = "Buzz"
        let file = try DeviceFile.read(device.deviceFile, file: "buzz.yaml").file
        let command = try #require(file.features.compactMap(\.command).first)
        #expect(command.example == "01")
        guard case .packet(let packet) = command.steps[0].content else {
            Issue.record("no packet is written")
            return
        }
        #expect(try packet.write(["data": command.example]).bytes == [1])
    }

    @Test(
        "An empty value and a battery level above 100 % have no example; the other examples are correct"
    )
    func examples() throws {
        var device = device
        device.name = "Buzz"
        device.entries.append(.init(CharacteristicID(service: 0xFFE0, uuid: 0xFFE2), [.read], value: []))
        device.entries.append(.init(CharacteristicID(service: 0xFFE0, uuid: 0xFFE3), [.read], value: [7]))
        for level in [[55], [101], []] as [[UInt8]] {
            device.entries[1].value = level
            let run = ExampleRun(try DeviceFile.read(device.deviceFile, file: "buzz.yaml").file)
            #expect(run.failures.isEmpty && run.count == (level == [55] ? 2 : 1), "\(run.failures)")
        }
    }

    @Test("A service with exclusive use by bluetoothd is reported with a remedy")
    func claimed() {
        let midi: UUID = "03b80e5a-ede8-4b33-a751-6ce34ec4c700"
        var family = SampleFamily()
        family.requirements = .init(
            required: [CharacteristicID(service: midi, uuid: "7772e5db-3868-4112-a1a9-f2669d106bf3")])
        var device = device
        device.advertisement = Advertisement(address: device.address, name: "sample", services: [midi])
        #expect(
            device.fitting([family]).first?.contains("--noplugin=midi") == true, "\(device.fitting([family]))"
        )
        device.advertisement?.services = []
        #expect(device.fitting([family]).first?.contains("lacks") != false)
    }

    @Test("All matching families are listed below the name")
    func families() {
        var device = device
        for (families, line) in [(["lamp", "uart (lacks x)"], "lamp, uart (lacks x)"), ([], "none")] {
            device.families = families
            #expect(device.lines[1] == "families that fit: \(line)")
        }
    }

    @Test("Services, characteristics with known names, properties and values fit into 80 columns")
    func lines() {
        #expect(
            device.lines == [
                "Buzz \"1\"  C0:FF:EE:00:00:01  MTU 23  not bonded", "", "service  1800  Generic Access",
                "  2a00  Device Name  [read]", "    42757a7a  \"Buzz\"", "", "service  180f  Battery",
                "  2a19  Battery Level  [read, notify]", "    37", "", "service  ffe0", "  ffe1  [read]",
                "    cannot be read: locked", "",
                "service  6e400001-b5a3-f393-e0a9-e50e24dcca9e  Nordic UART",
                "  6e400002-b5a3-f393-e0a9-e50e24dcca9e  Nordic UART, to the device  [write, write-without-response]",
            ])
        let line = ProbedDevice.line(CharacteristicID(service: 0x180F, uuid: 0x2A19), [1], seconds: 2.04)
        #expect(line == "   2.0 s  2a19  01")
    }

    @Test("The draft of a device that only advertises is a valid file, and its examples hold")
    func advertised() throws {
        let advertisement = Advertisement(
            address: "C0:FF:EE:00:00:01", name: "Porch \"1\"", manufacturerData: [0x4C: [2, 0x15]],
            serviceData: [0xFCD2: [0x40, 1, 0x61]])
        #expect(
            ProbedDevice.advertised(advertisement) == [
                "advertises service data of fcd2  400161", "advertises manufacturer data of 0x004c  0215",
            ])
        let text = ProbedDevice.deviceFile(advertisedBy: advertisement)
        let run = ExampleRun(try DeviceFile.read(text, file: "porch.yaml").file)
        #expect(run.count == 2 && run.failures.isEmpty, "\(run.failures)")
    }
}
