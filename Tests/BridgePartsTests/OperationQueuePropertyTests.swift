import Bluetooth
import BridgeContract
import BridgeParts
import BridgeTesting
import DeviceKit
import HostTesting
import Testing

@Suite("Operation queue against a model")
struct OperationQueuePropertyTests {
    private static let characteristics: [CharacteristicID] = [
        SampleFamily.control, SampleFamily.motor, SampleFamily.status,
    ]

    /// The operations that wait and that are under way by the queue's rules. Each operation is distinct.
    private struct Model {
        var queue = OperationQueue()
        var waiting: [LinkOperation] = []
        var underWay: [LinkOperation] = []
        var count: UInt64 = 0
        /// The waiting read of a proof.
        var proof: CharacteristicID?

        /// Creates an operation; at most one in five is not a write.
        mutating func makeOperation(_ random: inout RandomSource) -> LinkOperation? {
            count += 1
            guard let id = characteristics.randomElement(using: &random) else { return nil }
            let priority: Write.Priority =
                switch Int.random(in: 0..<10, using: &random) {
                case 0: .stop
                case 1..<3: .ahead
                default: .normal
                }
            let kind: Write.Kind = Bool.random(using: &random) ? .withResponse : .withoutResponse
            let write = Write(id, [1], kind, priority: priority, token: WriteToken(count))
            guard priority == .normal, Int.random(in: 0..<5, using: &random) == 0 else {
                return LinkOperation(.write(write))
            }
            // Reads and subscriptions differ only by their characteristic, so each gets its own.
            let own = CharacteristicID(service: 0xAA00, uuid: UUID(UInt16(truncatingIfNeeded: count)))
            return LinkOperation(count % 2 == 0 ? .read(own) : .subscribe(own))
        }

        mutating func add(_ operation: LinkOperation) {
            let before = waiting
            let dropped = queue.add(operation)
            if dropped == [operation] {
                #expect(room(for: operation) <= 0, "refused although little waits")
                return
            }
            #expect(room(for: operation) > 0, "taken although too much waits")
            waiting.append(operation)
            let expected =
                operation.priority == .stop ? before.filter { $0.priority == .normal && $0.isWrite } : []
            #expect(dropped == expected, "a stop drops the normal writes that wait, and nothing else")
            waiting.removeAll(where: dropped.contains)
        }

        /// How many operations of a priority may still be added. Stops under way count, and an urgent operation
        /// replaces a waiting write that goes ahead.
        private func room(for operation: LinkOperation) -> Int {
            let taken =
                switch operation.priority {
                case .normal: waiting.count { $0.priority == .normal }
                case .ahead: waiting.count { $0.priority != .normal }
                case .stop:
                    waiting.count { $0.priority == .stop } + underWay.count { $0.isUnstoppable }
                }
            return OperationQueue.capacity - taken
        }

        mutating func addProof() {
            count += 1
            let id = CharacteristicID(service: 0xAB00, uuid: UUID(UInt16(truncatingIfNeeded: count)))
            proof = id
            queue.addProof(id)
        }

        mutating func start() {
            for operation in queue.start() {
                if let id = proof, operation == .read(id) {
                    #expect(queue.isProofUnderWay)
                    #expect(!underWay.contains { $0.priority == .normal }, "two normal operations")
                    proof = nil
                    underWay.append(operation)
                    continue
                }
                guard let index = waiting.firstIndex(of: operation) else {
                    Issue.record("\(operation) starts and did not wait: lost before, or doubled")
                    continue
                }
                waiting.remove(at: index)
                if !operation.isUnstoppable {
                    let busy = underWay.filter { $0.characteristic == operation.characteristic }
                    let isFree = busy.allSatisfy { $0.isUnstoppable }
                    #expect(isFree, "two on one characteristic")
                }
                if operation.priority == .normal {
                    #expect(!underWay.contains { $0.priority == .normal }, "two normal operations")
                    let earlier = waiting[..<index].filter { $0.priority == .normal }
                    #expect(earlier.isEmpty, "a normal operation overtakes another one")
                    #expect(proof == nil && !queue.isProofUnderWay, "a normal operation overtakes a proof")
                    #expect(!waiting.contains { $0.priority != .normal }, "something urgent waits")
                }
                underWay.append(operation)
            }
            for stop in waiting where stop.priority == .stop {
                #expect(!stop.isUnstoppable, "it waits for nothing")
                let busy = underWay.contains {
                    !$0.isUnstoppable && $0.characteristic == stop.characteristic
                }
                #expect(busy, "a stop waits although its characteristic is free")
            }
            #expect(waiting.isEmpty || !underWay.isEmpty, "nothing is under way, and something waits")
            let hasWrites = (waiting + underWay).contains { $0.isWrite }
            #expect(queue.hasWrites == hasWrites)
        }

        mutating func finish(_ random: inout RandomSource) {
            guard let index = underWay.indices.randomElement(using: &random) else { return }
            queue.finished(underWay.remove(at: index))
        }
    }

    @Test(
        "In any sequence each operation starts once or is dropped, in order, one at a time per characteristic",
        arguments: 0..<24)
    func sequences(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var model = Model()
        // Some sequences fill the queue, and some keep it nearly empty.
        let pressure = [20, 45, 60, 95][Int(seed % 4)]
        for _ in 0..<1500 {
            if Int.random(in: 0..<20, using: &random) == 0 { model.addProof() }
            if Int.random(in: 0..<100, using: &random) < pressure {
                if let operation = model.makeOperation(&random) { model.add(operation) }
            } else {
                model.finish(&random)
            }
            model.start()
        }
        var rounds = 0
        while !model.underWay.isEmpty, rounds < 5000 {
            model.finish(&random)
            model.start()
            rounds += 1
        }
        #expect(model.waiting.isEmpty && model.underWay.isEmpty && !model.queue.hasWrites, "nothing is lost")
        #expect(model.proof == nil, "a proof is lost")
    }
}
