import Bluetooth
import BridgeTesting
import DeviceKit
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Operation queue of a link")
struct OperationQueueTests {
    private let control = SampleFamily.control
    private let motor = SampleFamily.motor

    private func write(
        _ id: CharacteristicID, _ value: UInt8, _ priority: Write.Priority = .normal
    ) -> OperationQueue.Operation {
        .write(Write(id, [value], priority: priority))
    }

    @Test("Normal operations start one at a time, in order")
    func normal() {
        var queue = OperationQueue()
        let all = [write(control, 1), .read(motor), .subscribe(SampleFamily.status), .unsubscribe(motor)]
        for operation in all { #expect(queue.add(operation) == []) }
        for operation in all {
            #expect(queue.start() == [operation])
            #expect(queue.start() == [])
            #expect(queue.hasWrites == operation.isWrite)
            queue.finished(operation)
        }
        #expect(queue.start() == [])
    }

    @Test("Urgent writes start immediately, unless their characteristic is busy")
    func urgent() {
        var queue = OperationQueue()
        _ = queue.add(write(control, 1))
        #expect(queue.start() == [write(control, 1)])
        _ = queue.add(write(control, 2, .ahead))
        _ = queue.add(write(motor, 3, .ahead))
        _ = queue.add(write(motor, 4, .ahead))
        #expect(queue.start() == [write(motor, 3, .ahead)])
        queue.finished(write(control, 1))
        #expect(queue.start() == [write(control, 2, .ahead)])
        queue.finished(write(motor, 3, .ahead))
        #expect(queue.start() == [write(motor, 4, .ahead)])
    }

    @Test("No normal operation starts while an urgent one waits")
    func urgentFirst() {
        var queue = OperationQueue()
        _ = queue.add(write(motor, 1, .ahead))
        _ = queue.add(write(motor, 2, .ahead))
        _ = queue.add(write(control, 3))
        #expect(queue.start() == [write(motor, 1, .ahead)])
        queue.finished(write(motor, 1, .ahead))
        #expect(queue.start() == [write(motor, 2, .ahead), write(control, 3)])
    }

    @Test(
        "A stop precedes a keep-alive, and drops waiting writes, but neither reads nor subscriptions"
    )
    func stop() {
        var queue = OperationQueue()
        for operation in [write(motor, 1), .read(control), write(control, 2), .subscribe(control)] {
            _ = queue.add(operation)
        }
        _ = queue.add(write(motor, 3, .ahead))
        #expect(queue.start() == [write(motor, 3, .ahead)])
        _ = queue.add(write(motor, 4, .ahead))
        #expect(queue.add(write(motor, 0, .stop)) == [write(motor, 1), write(control, 2)])
        queue.finished(write(motor, 3, .ahead))
        #expect(queue.start() == [write(motor, 0, .stop)])
        queue.finished(write(motor, 0, .stop))
        #expect(queue.start() == [write(motor, 4, .ahead), .read(control)])
    }

    @Test(
        "A stop without response starts immediately, and counts as a write until it is complete"
    )
    func stopWithoutResponse() {
        var queue = OperationQueue()
        let first = OperationQueue.Operation.write(Write(motor, [0], .withoutResponse, priority: .stop))
        let second = OperationQueue.Operation.write(Write(motor, [1], .withoutResponse, priority: .stop))
        _ = queue.add(write(motor, 7))
        #expect(queue.start() == [write(motor, 7)])
        _ = queue.add(first)
        _ = queue.add(.read(motor))
        #expect(queue.start() == [first])
        _ = queue.add(second)
        #expect(queue.start() == [second])
        queue.finished(write(motor, 7))
        #expect(queue.start() == [])
        queue.finished(first)
        #expect(queue.start() == [] && queue.hasWrites)
        queue.finished(second)
        #expect(!queue.hasWrites && queue.start() == [.read(motor)])
    }

    @Test("A read that proves the link precedes waiting normal operations, and only one waits")
    func proof() {
        var queue = OperationQueue()
        for operation in [write(control, 1), .read(control)] { _ = queue.add(operation) }
        #expect(queue.start() == [write(control, 1)])
        queue.addProof(control)
        queue.addProof(motor)
        #expect(queue.start() == [])
        queue.finished(write(control, 1))
        #expect(queue.start() == [.read(motor)] && queue.isProofUnderWay && !queue.hasWrites)
        // A stop with response waits for the read, as for any operation on its characteristic.
        _ = queue.add(write(motor, 0, .stop))
        #expect(queue.start() == [])
        queue.finished(.read(motor))
        #expect(!queue.isProofUnderWay)
        #expect(queue.start() == [write(motor, 0, .stop), .read(control)])
    }

    @Test("A canceled proof does not start")
    func noProof() {
        var queue = OperationQueue()
        queue.addProof(control)
        queue.cancelProof()
        #expect(queue.start() == [])
    }

    @Test(
        "Operations beyond the capacity are refused, whatever their priority",
        arguments: [Write.Priority.normal, .ahead, .stop])
    func capacity(_ priority: Write.Priority) {
        var queue = OperationQueue()
        for _ in 0..<OperationQueue.capacity { #expect(queue.add(write(motor, 1, priority)) == []) }
        #expect(queue.add(write(motor, 2, priority)) == [write(motor, 2, priority)])
    }
}
