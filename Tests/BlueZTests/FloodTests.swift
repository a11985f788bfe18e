import Bluetooth
import DBus
import EventLoop
import Synchronization
import Testing

@testable import BlueZ

@Suite("Floods of signals from a scripted bluetoothd", .timeLimit(.minutes(2)))
struct FloodTests {
    private static let count = 20_000

    @Test("The loss of bluetoothd is reported right after 20,000 advertisements, none of which is lost")
    func advertisements() async throws {
        try await withBlueZ { scope in
            try await scope.add(hasServices: false)
            let (ends, sink) = AsyncStream.makeStream(of: (heard: Int, isOnLoop: Bool).self)
            let heard = Mutex(0)
            await scope.client.onEvent { [loop = scope.loop] event in
                switch event {
                case .heard: heard.withLock { $0 += 1 }
                case .serviceLost: sink.yield((heard.withLock { $0 }, loop.isIsolated))
                default: break
                }
            }
            let known = heard.withLock { $0 }
            for number in 0..<Self.count {
                await scope.fake.set(
                    ["Name": .string("Belt \(number)")], ofDevice: FakeBlueZ.device(BlueZScope.belt))
            }
            try await scope.fake.connection.flush()
            await scope.fake.vanish()
            var iterator = ends.makeAsyncIterator()
            let end = try #require(await iterator.next())
            #expect(end.heard - known == Self.count)
            #expect(end.isOnLoop)
        }
    }

    @Test("The loss of a link is reported right after 20,000 notifications, none of which is lost")
    func notifications() async throws {
        try await withBlueZ { scope in
            try await scope.add()
            let (ends, sink) = AsyncStream.makeStream(of: Int.self)
            let notified = Mutex(0)
            let link = try await scope.client.connect(BlueZScope.belt, requirements: ConnectTests.needs) {
                switch $0 {
                case .notification: notified.withLock { $0 += 1 }
                case .lost: sink.yield(notified.withLock { $0 })
                default: break
                }
            }
            try await link.subscribe(BlueZScope.value)
            let path = FakeBlueZ.characteristic(0, of: BlueZScope.belt)
            for number in 0..<Self.count {
                await scope.fake.signal([UInt8(truncatingIfNeeded: number)], at: path)
            }
            await scope.fake.set(["Connected": .bool(false)], ofDevice: FakeBlueZ.device(BlueZScope.belt))
            var iterator = ends.makeAsyncIterator()
            #expect(await iterator.next() == Self.count)
        }
    }
}
