import DeviceKit
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Request desk of the bridge")
struct RequestDeskTests {
    private let features = [
        Feature(
            "forget", "Marks a device.",
            command: Command(
                [Field("device", .text(1...16), required: true, "The device.")],
                shorthands: [.field("device")], example: ["device": "belt"]))
    ]

    @Test("An unknown request is refused with the known ones")
    func unknown() throws {
        var desk = RequestDesk(features)
        #expect(try desk.take("forget", at: .zero).command.example == features[0].command?.example)
        let error = #expect(throws: CommandError.self) { try desk.take("paint", at: .zero) }
        #expect(error?.code == .unknownFeature && error?.message == "paint: not known here; allowed: forget")
    }

    @Test("After a burst of 300, 50 requests per second are accepted, and unknown ones do not count")
    func limit() throws {
        var desk = RequestDesk(features)
        for _ in 0..<300 {
            #expect(throws: CommandError.self) { try desk.take("paint", at: .zero) }
            _ = try desk.take("forget", at: .zero)
        }
        let error = #expect(throws: CommandError.self) { try desk.take("forget", at: .zero) }
        #expect(error?.code == .rateLimited)
        for _ in 0..<50 { _ = try desk.take("forget", at: .seconds(1)) }
        #expect(throws: CommandError.self) { try desk.take("forget", at: .seconds(1)) }
    }

    @Test("An unsynchronized clock causes one warning")
    func clock() {
        var desk = RequestDesk(features)
        let warnings = [desk.warnsOfClock(), desk.warnsOfClock()]
        #expect(warnings == [true, false])
    }
}
