import Bluetooth
import ESPHome
import Testing

@testable import ProxyClient

@Suite("Session with a proxy: values")
struct ProxyValueTests {
    private static let strap = SessionRun.strap
    private static let write = ProxySession.Operation.write([1], withResponse: false)
    private static let sentWrite = Message.write(GATTWrite(address: strap, handle: 12, data: [1]))
    private static let credit = Message.writeReply(Attribute(address: strap, handle: 12))
    private static let disconnect = Message.device(DeviceRequest(.disconnect, strap))

    private static func failure(_ error: Int32, _ handle: UInt16 = 12) -> Message {
        .failure(GATTFailure(address: strap, handle: handle, error: error))
    }

    private static func numbers(
        _ step: SessionRun.Step, _ failure: ProxySession.OperationFailure? = nil
    ) -> [Int] {
        step.results.filter { entry in
            switch entry.result {
            case .success: failure == nil
            case .failure(let found): found == failure
            }
        }.map(\.number)
    }

    @Test("A value is read")
    func read() {
        var run = SessionRun.connected()
        #expect(run.perform(.read, on: 3).sent == [.read(Attribute(address: Self.strap, handle: 3))])
        // Answers of other devices, to other handles and of other kinds do not count.
        run.receive(.readReply(AttributeValue(address: SessionRun.board, handle: 3, data: [9])))
        run.receive(.readReply(AttributeValue(address: Self.strap, handle: 4, data: [9])))
        run.receive(.writeReply(Attribute(address: Self.strap, handle: 3)))
        let step = run.receive(.readReply(AttributeValue(address: Self.strap, handle: 3, data: [1, 2])))
        #expect(step.results.map(\.result) == [.success([1, 2])])
    }

    @Test("The next operation is sent after the answer to the previous one, a stop before those that wait")
    func order() {
        var run = SessionRun.connected()
        #expect(run.perform(Self.write, number: 1).sent == [Self.sentWrite])
        #expect(run.perform(.read, on: 3, number: 2).sent == [])
        #expect(run.perform(Self.write, number: 3, isFirst: true).sent == [])
        var step = run.receive(Self.credit)
        #expect((Self.numbers(step), step.sent) == ([1], [Self.sentWrite]))
        step = run.receive(Self.credit)
        let read = Message.read(Attribute(address: Self.strap, handle: 3))
        #expect((Self.numbers(step), step.sent) == ([3], [read]))
        // An acknowledgment without a write is ignored.
        #expect(run.receive(Self.credit).results.isEmpty)
    }

    @Test("Without the acknowledgment of a write, nothing more is accepted after 1 s, until it arrives")
    func stall() {
        for withResponse in [false, true] {
            var run = SessionRun.connected()
            run.perform(.write([1], withResponse: withResponse), number: 1)
            run.perform(Self.write, number: 2)
            #expect(run.pass(.milliseconds(999)).results.isEmpty)
            let late = run.pass(.milliseconds(1))
            #expect((Self.numbers(late, .stalled), late.sent) == ([2], []))
            #expect(Self.numbers(run.perform(Self.write, number: 3, isFirst: true), .stalled) == [3])
            #expect(run.pass(.milliseconds(999)).sent == [])
            let step = run.receive(Self.credit)
            #expect((Self.numbers(step), step.sent) == ([1], []))
            #expect(run.perform(Self.write, number: 4).sent == [Self.sentWrite])
        }
    }

    @Test("Without the acknowledgment of a write, the connection is closed after 2 s")
    func unacknowledged() {
        var run = SessionRun.connected()
        run.perform(Self.write, number: 1)
        #expect(run.pass(.milliseconds(1_999)).sent == [])
        let step = run.pass(.milliseconds(1))
        #expect(step.sent == [Self.disconnect])
        #expect(step.events == [.disconnected(Self.strap, .timedOut)])
        #expect(Self.numbers(step, .notConnected) == [1])
        #expect(run.receive(Self.credit).results.isEmpty)
    }

    @Test("Without the answer to a read, the connection is closed after 5 s")
    func unanswered() {
        var run = SessionRun.connected()
        run.perform(.read, number: 1)
        run.perform(Self.write, number: 2)
        #expect(run.pass(.milliseconds(4_999)).results.isEmpty)
        let step = run.pass(.milliseconds(1))
        #expect(step.events == [.disconnected(Self.strap, .timedOut)])
        #expect(Self.numbers(step, .notConnected) == [1, 2])
    }

    @Test("A value that the proxy would cut is refused, and so is the 33rd operation that waits")
    func limits() {
        var run = SessionRun.connected(mtu: 23)
        let long = ProxySession.Operation.write([UInt8](repeating: 0, count: 21), withResponse: true)
        #expect(Self.numbers(run.perform(long), .tooLong(most: 20)) == [1])
        let most = ProxySession.Operation.write([UInt8](repeating: 0, count: 20), withResponse: true)
        #expect(run.perform(most).results.isEmpty)
        for number in 2...32 { #expect(run.perform(.read, number: number).results.isEmpty) }
        #expect(Self.numbers(run.perform(.read, number: 33), .full) == [33])
        #expect(run.perform(Self.write, number: 34, isFirst: true).results.isEmpty)
    }

    @Test("A subscription requests forwarding, then writes the descriptor of the device")
    func notify() {
        for (isOn, isIndication, value) in [(true, false, 1), (true, true, 2), (false, false, 0)]
            as [(
                Bool, Bool, UInt8
            )]
        {
            var run = SessionRun.connected()
            let operation = ProxySession.Operation.notify(isOn, descriptor: 4, isIndication: isIndication)
            let request = Notify(address: Self.strap, handle: 3, isEnabled: isOn)
            #expect(run.perform(operation, on: 3).sent == [.notify(request)])
            #expect(run.receive(.writeReply(Attribute(address: Self.strap, handle: 4))).results.isEmpty)
            let step = run.receive(.notifyReply(Attribute(address: Self.strap, handle: 3)))
            let descriptor = AttributeValue(address: Self.strap, handle: 4, data: [value, 0])
            #expect(step.sent == [.writeDescriptor(descriptor)])
            let reply = Message.writeReply(Attribute(address: Self.strap, handle: 4))
            #expect(Self.numbers(run.receive(reply)) == [1])
        }
        var run = SessionRun.connected()
        run.perform(.notify(true, descriptor: nil, isIndication: false), on: 3)
        let reply = Message.notifyReply(Attribute(address: Self.strap, handle: 3))
        #expect(Self.numbers(run.receive(reply)) == [1])
    }

    @Test("Notifications of connected devices are passed on")
    func notifications() {
        var run = SessionRun.connected()
        let value = AttributeValue(address: Self.strap, handle: 3, data: [0, 72])
        #expect(run.receive(.notification(value)).events == [.notification(Self.strap, handle: 3, [0, 72])])
        let other = AttributeValue(address: SessionRun.board, handle: 3, data: [1])
        #expect(run.receive(.notification(other)).events == [])
    }

    @Test("A device is bonded with the proxy, or refuses it", arguments: [true, false])
    func pair(isPaired: Bool) {
        var run = SessionRun.connected()
        #expect(run.perform(.pair, on: 0).sent == [.device(DeviceRequest(.pair, Self.strap))])
        #expect(run.pass(.seconds(29)).results.isEmpty)
        let error: Int32 = isPaired ? 0 : 0x61
        let step = run.receive(
            .pairing(Pairing(address: Self.strap, isPaired: isPaired, error: error)))
        #expect(Self.numbers(step, isPaired ? nil : .refused(0x61)) == [1])
    }

    @Test("An error of the device is the result of the operation")
    func refused() {
        var run = SessionRun.connected()
        run.perform(.read, on: 3)
        #expect(run.receive(Self.failure(5, 4)).results.isEmpty)
        #expect(Self.numbers(run.receive(Self.failure(5, 3)), .refused(5)) == [1])
    }

    @Test("A busy device gets a write again after 50 ms, three times")
    func busy() {
        var run = SessionRun.connected()
        run.perform(Self.write)
        for _ in 1...3 {
            #expect(run.receive(Self.failure(0x84)).results.isEmpty)
            #expect(run.pass(.milliseconds(49)).sent == [])
            #expect(run.pass(.milliseconds(1)).sent == [Self.sentWrite])
        }
        #expect(Self.numbers(run.receive(Self.failure(0x84)), .refused(0x84)) == [1])
    }

    @Test("A congested device has accepted the write; the next one follows after 50 ms")
    func congested() {
        var run = SessionRun.connected()
        run.perform(Self.write, number: 1)
        run.perform(Self.write, number: 2)
        let step = run.receive(Self.failure(0x8F))
        #expect((Self.numbers(step), step.sent) == ([1], []))
        #expect(run.pass(.milliseconds(50)).sent == [Self.sentWrite])
    }

    @Test("ESPHome's error -1 means that the device is no longer connected")
    func notConnected() {
        var run = SessionRun.connected()
        run.perform(Self.write)
        let step = run.receive(Self.failure(-1))
        #expect(step.events == [.disconnected(Self.strap, .code(-1))])
        #expect(Self.numbers(step, .notConnected) == [1])
        #expect(Self.numbers(run.perform(Self.write, number: 2), .notConnected) == [2])
    }
}
