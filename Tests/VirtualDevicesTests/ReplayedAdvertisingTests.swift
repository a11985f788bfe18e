import Bluetooth
import Testing

@testable import VirtualDevices

@Suite("Replay of advertised data")
struct ReplayedAdvertisingTests {
    private static func recording(_ data: String) -> String {
        """
        {"recording":1,"bridge":"attic"}
        {"ms":100,"device":"porch","event":"link","family":"bthome","address":"C0:00:00:00:00:01"}
        {"ms":100,"device":"porch","event":"advertise","service_data":{"fcd2":"400161"}}
        {"ms":5100,"device":"porch","event":"advertise",\(data)}

        """
    }

    @Test("Recorded data is advertised at its time, without a connection")
    func advertised() throws {
        let text = Self.recording(#""service_data":{"fcd2":"400162"},"manufacturer_data":{"76":"02"}"#)
        var world = World(try Recording(text, file: "test.jsonl").scenario)
        _ = world.start(at: .zero)
        #expect(world.peripherals[0].advertisement.serviceData == [0xFCD2: [0x40, 0x01, 0x61]])
        #expect(world.peripherals[0].advertisement.manufacturerData == [:])
        while let next = world.nextDeadline, next <= .seconds(6) { _ = world.advance(to: next) }
        #expect(world.peripherals[0].advertisement.serviceData == [0xFCD2: [0x40, 0x01, 0x62]])
        #expect(world.peripherals[0].advertisement.manufacturerData == [76: [2]])
    }

    @Test("Data that is not hexadecimal is rejected with its line")
    func misuse() {
        let error = #expect(throws: ScenarioError.self) {
            try Recording(Self.recording(#""service_data":{"fcd2":"4x"}"#), file: "test.jsonl")
        }
        #expect("\(error.map { "\($0)" } ?? "")".hasPrefix("test.jsonl:4: "))
    }
}
