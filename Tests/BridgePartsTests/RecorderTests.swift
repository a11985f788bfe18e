import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Content of a recording")
struct RecorderTests {
    private static let address: Address = "AA:BB:CC:A1:B2:C3"

    /// A family whose status characteristic reveals typed text.
    private struct TypingFamily: DeviceFamily {
        let base = SampleFamily()
        var name: String { base.name }
        var displayName: String { base.displayName }
        var naming: Naming { base.naming }
        var requirements: LinkRequirements { base.requirements }
        var privateCharacteristics: Set<CharacteristicID> { [SampleFamily.status] }
        var settings: [Field] { base.settings }
        var features: [Feature] { base.features }
        func recognises(_ advertisement: Advertisement) -> Bool { base.recognises(advertisement) }
        func makeMachine(_ context: DeviceContext) -> any DeviceMachine { base.makeMachine(context) }
        func reply(to operation: LinkOperation, memory: inout [CharacteristicID: [UInt8]]) -> DeviceReply {
            base.reply(to: operation, memory: &memory)
        }
    }

    private func subject(_ name: String = "sample/a1b2c3") -> Recorder.Subject {
        Recorder.Subject(name: name, address: Self.address, family: TypingFamily(), settings: [:])
    }

    private func lines(_ recorder: Recorder) -> [JSON.Value] {
        String(decoding: recorder.take(), as: UTF8.self).split(separator: "\n").compactMap {
            try? JSON.Value(parsing: $0.utf8)
        }
    }

    @Test(
        "Notified, read and published text is reduced to its length, unless private values are included",
        arguments: [false, true])
    func privacy(_ isPrivate: Bool) {
        let recorder = Recorder()
        recorder.begin(Recorder.Scope(includesPrivate: isPrivate), header: [:], at: .zero)
        let read = LinkOperation.read(SampleFamily.status)
        recorder.note(.notification(SampleFamily.status, [1, 2, 3]), of: subject(), at: .zero)
        recorder.note(.ended(read, .success([4, 5])), of: subject(), at: .zero)
        recorder.note(.notification(SampleFamily.motor, [9]), of: subject(), at: .zero)
        let message = OutgoingMessage(topic: "sample/a1b2c3/typed", payload: Array("hi".utf8), policy: .event)
        recorder.note(.message(message, isPrivate: true), of: subject(), at: .zero)
        let lines = lines(recorder)
        #expect(lines[0]["private"] == .bool(isPrivate))
        #expect(lines[1]["hex"] == (isPrivate ? "010203" : nil))
        #expect(lines[1]["length"] == (isPrivate ? nil : 3))
        #expect(lines[2]["hex"] == (isPrivate ? "0405" : nil))
        #expect(lines[3]["hex"] == "09")
        #expect(lines[4]["payload"] == (isPrivate ? "hi" : nil))
        #expect(lines[4]["length"] == (isPrivate ? nil : 2))
    }

    @Test(
        "An address is replaced everywhere, even in names derived from it, unless private values are included"
    )
    func addresses() {
        let recorder = Recorder()
        let text = "AA:BB:CC:A1:B2:C3 sample/a1b2c3 aabbcca1b2c3"
        let message = OutgoingMessage(topic: "sample/a1b2c3/info", payload: Array(text.utf8), policy: .state)
        recorder.begin(Recorder.Scope(), header: [:], at: .zero)
        recorder.note(.message(message, isPrivate: false), of: subject(), at: .zero)
        let line = lines(recorder)[1]
        #expect(line["device"] == "sample/000001")
        #expect(line["topic"] == "sample/000001/info")
        #expect(line["payload"] == "C0:00:00:00:00:01 sample/000001 c00000000001")
        _ = recorder.finish(.request, at: .zero)
        recorder.begin(Recorder.Scope(includesPrivate: true), header: [:], at: .zero)
        recorder.note(.message(message, isPrivate: false), of: subject(), at: .zero)
        #expect(lines(recorder)[1]["payload"] == .string(text))
    }

    @Test("A recording ends before it exceeds its size limit, including its last line")
    func size() {
        let recorder = Recorder(sizeLimit: 1000)
        recorder.begin(Recorder.Scope(), header: [:], at: .zero)
        while recorder.end == nil { recorder.note(.lost("away"), of: subject(), at: .zero) }
        #expect(recorder.end == .size)
        #expect(!recorder.takes(Self.address))
        let bytes = recorder.take() + recorder.finish(.size, at: .zero)
        #expect(bytes.count <= 1000)
        #expect(bytes.count == recorder.length.bytes)
        #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("\"reason\":\"size\"}\n"))
    }

    @Test("The buffer for a slow disk is limited, and ends the recording when it is full")
    func slowDisk() {
        let recorder = Recorder(waitingLimit: 1000)
        recorder.begin(Recorder.Scope(), header: [:], at: .zero)
        while recorder.end == nil { recorder.note(.lost("away"), of: subject(), at: .zero) }
        #expect(recorder.end == .disk("the disk did not keep up"))
        #expect(recorder.take().count <= 1000)
    }

    @Test("Nothing is recorded without a recording, or of a device outside its scope")
    func off() {
        let recorder = Recorder()
        #expect(!recorder.takes(Self.address))
        recorder.note(.lost("away"), of: subject(), at: .zero)
        #expect(recorder.take().isEmpty)
        recorder.begin(Recorder.Scope(devices: []), header: [:], at: .zero)
        recorder.note(.lost("away"), of: subject(), at: .zero)
        #expect(lines(recorder).count == 1)
    }

    @Test("A failed write has a second line, and a successful operation has one line")
    func operations() {
        let recorder = Recorder()
        recorder.begin(Recorder.Scope(), header: [:], at: .seconds(5))
        let write = LinkOperation.write(Write(SampleFamily.control, [1]))
        for event in [
            RecordedEvent.begun(write), .ended(write, .success([])), .begun(.read(SampleFamily.motor)),
        ] {
            if event.isNews { recorder.note(event, of: subject(), at: .seconds(6)) }
        }
        recorder.note(
            .ended(write, .failure(OperationError(.notPermitted, "no"))), of: subject(), at: .seconds(7))
        let lines = lines(recorder)
        #expect(lines.count == 3)
        #expect(lines[1]["event"] == "write")
        #expect(lines[1]["response"] == true)
        #expect(lines[1]["ms"] == 1000)
        #expect(lines[2]["event"] == "failed")
        #expect(lines[2]["code"] == "notPermitted")
        #expect(lines[2]["ms"] == 2000)
    }
}
