import Bluetooth
import DBus
import Synchronization
import Testing

@testable import BlueZ

@Suite("Writes and when they leave, against a scripted bluetoothd", .timeLimit(.minutes(1)))
struct WriteTests {
    @Test("A write that bluetoothd refuses while another is in flight follows it; others do not wait")
    func oneInFlight() async throws {
        try await withLink { scope, link, _ in
            await scope.fake.on("WriteValue") { fake, call, answer in
                guard call.arguments.first != .bytes([1]) else {
                    // Answered only when the read has gone past it.
                    return fake.heldAnswers.append(answer)
                }
                guard fake.heldAnswers.isEmpty else {
                    return answer.refuse("InProgress")
                }
                answer.succeed()
            }
            async let first: Void = link.write([1], to: BlueZScope.command)
            await scope.fake.waitForCall("char0012 WriteValue")
            async let second: Void = link.write([2], to: BlueZScope.command)
            await scope.fake.waitForCall("char0012 WriteValue", count: 3)
            #expect(try await link.read(BlueZScope.value) == [7])
            await scope.fake.releaseHeldAnswers()
            try await first
            try await second
            #expect(await scope.fake.arguments.compactMap { $0.first?.bytes }.first == [1])
        }
    }

    @Test("A write without response that bluetoothd refused is not tried again after a newer one")
    func commandGivesWay() async throws {
        try await withLink { scope, link, _ in
            await scope.fake.on("WriteValue") { _, call, answer in
                guard call.arguments.first == .bytes([1]) else { return answer.succeed() }
                answer.refuse("InProgress")
            }
            let old = Task { () -> BlueZError.Code? in
                do throws(BlueZError) {
                    try await link.write([1], to: BlueZScope.command, .withoutResponse)
                    return nil
                } catch { return error.code }
            }
            await scope.fake.waitForCall("char0012 WriteValue")
            try await link.write([2], to: BlueZScope.command, .withoutResponse)
            #expect(await old.value == .inProgress)
            #expect(await scope.fake.arguments.last?.first == .bytes([2]))
        }
    }

    /// What a write came to; nil if it succeeded.
    private func outcome(_ write: () async throws(BlueZError) -> Void) async -> BlueZError.Code? {
        do throws(BlueZError) {
            try await write()
            return nil
        } catch { return error.code }
    }

    @Test("What is not wanted any more does not leave, of neither kind", arguments: Write.Kind.both)
    func unwanted(_ kind: Write.Kind) async throws {
        try await withLink { scope, link, _ in
            let code = await outcome { () async throws(BlueZError) in
                try await link.write([1], to: BlueZScope.command, kind) { false }
            }
            #expect(code == .cancelled)
            #expect(await scope.fake.calls.count { $0.hasSuffix("WriteValue") } == 0)
            try await link.write([2], to: BlueZScope.command, kind)
            #expect(await scope.fake.arguments.last?.first == .bytes([2]))
        }
    }

    @Test(
        "What bluetoothd refused is not tried again when it is not wanted any more",
        arguments: Write.Kind.both
    )
    func unwantedAgain(_ kind: Write.Kind) async throws {
        try await withLink { scope, link, _ in
            let isWanted = Mutex(true)
            await scope.fake.on("WriteValue") { _, _, answer in
                isWanted.withLock { $0 = false }
                answer.refuse("InProgress")
            }
            let code = await outcome { () async throws(BlueZError) in
                try await link.write([1], to: BlueZScope.command, kind) { isWanted.withLock { $0 } }
            }
            #expect(code == .inProgress)
            #expect(await scope.fake.calls.count { $0.hasSuffix("WriteValue") } == 1)
        }
    }
}

extension Write.Kind {
    fileprivate static let both: [Self] = [.withResponse, .withoutResponse]
}
