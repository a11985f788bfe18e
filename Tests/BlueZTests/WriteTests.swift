import Bluetooth
import DBus
import Synchronization
import Testing

@testable import BlueZ

@Suite("Writes and their order, with a scripted bluetoothd", .timeLimit(.minutes(1)))
struct WriteTests {
    @Test("A write refused because of another one in flight follows it, and other writes do not wait")
    func oneInFlight() async throws {
        try await withLink { scope, link, _ in
            await scope.fake.on("WriteValue") { fake, call, answer in
                guard call.arguments.first != .bytes([1]) else {
                    // Answered only after the read has overtaken it.
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

    @Test("A refused write without response is not retried after a newer one")
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

    /// Returns the error code of a write; nil if it succeeded.
    private func outcome(_ write: () async throws(BlueZError) -> Void) async -> BlueZError.Code? {
        do throws(BlueZError) {
            try await write()
            return nil
        } catch { return error.code }
    }

    @Test("A write of either kind that is no longer needed is not sent", arguments: Write.Kind.both)
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
        "A refused write that is no longer needed is not retried",
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
