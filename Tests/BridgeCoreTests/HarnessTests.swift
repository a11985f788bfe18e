import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HostTesting
import JSON
import Messages
import Testing

@Suite("The test harness of state machines compared with the bridge")
struct HarnessTests {
    private static func words(_ operation: FakeLink.Operation) -> String {
        switch operation {
        case .write(let id, let value, let kind): "write \(id) \(value) \(kind)"
        case .read(let id): "read \(id)"
        case .subscribe(let id): "subscribe \(id)"
        case .unsubscribe(let id): "unsubscribe \(id)"
        }
    }

    private static func words(_ operation: LinkOperation) -> String {
        switch operation {
        case .write(let write): "write \(write.characteristic) \(write.value) \(write.kind)"
        case .read(let id): "read \(id)"
        case .subscribe(let id): "subscribe \(id)"
        case .unsubscribe(let id): "unsubscribe \(id)"
        }
    }

    @Test(
        "Operations start in the same order in a session and in the harness for random commands and completions",
        arguments: 0..<20)
    func order(seed: UInt64) {
        var random = RandomSource(seed: seed)
        withBridge { bench in
            bench.radio.setUpLinks { $0.setHolding(true) }
            bench.goOnline()
            guard let link = bench.link() else {
                Issue.record("no link")
                return
            }
            var session = MachineHarness(SampleFamily(), settings: ["greeting": "hello"])
            var started: [String] = []
            var (last, absorbed) = (0, 0)
            // The newest stop, until an input arrives that may move the device. While it is in progress, the session
            // answers identical stops together with it, and the machine does not receive them.
            var stop: (number: UInt64, feature: String)?
            func note() {
                for operation in session.underWay where operation.number > last {
                    last = operation.number
                    started.append(Self.words(operation.operation))
                }
            }
            session.feed(.connected(link.profile))
            note()
            for step in 0..<200 {
                // Like a session, the harness gives no command before the device is ready.
                let number = Int.random(in: 0..<10, using: &random)
                switch number {
                case 0..<5 where session.isReady:
                    let (feature, payload) = [
                        ("level", "\(step % 100)"), ("mode", "fast"), ("aim", "\(step)"), ("stop", ""),
                        ("halt", ""),
                    ][number]
                    bench.send(feature, payload)
                    let isStop = ["stop", "halt"].contains(feature)
                    if isStop, let stop, stop.feature == feature, session.answers[stop.number] == nil {
                        absorbed += 1
                    } else {
                        let number = session.command(feature, Array(payload.utf8))
                        stop = isStop ? (number: number, feature: feature) : nil
                    }
                case 5:
                    let value: [UInt8] = [
                        UInt8.random(in: 1...2, using: &random), UInt8.random(in: 0...1, using: &random),
                    ]
                    link.notify(SampleFamily.status, value)
                    session.feed(.notification(SampleFamily.status, value))
                    stop = nil
                default:
                    guard let first = session.underWay.first else { continue }
                    let isRefused = session.isReady && Int.random(in: 0..<6, using: &random) == 0
                    let error = isRefused ? OperationError(.failed, "for the test") : nil
                    link.completeNext(error)
                    session.finish(first.number, error.map { .failure($0) } ?? .success([]))
                }
                bench.time.advance(by: .milliseconds(50))
                let end = session.now + .milliseconds(50)
                while let next = session.nextTimer, next <= end {
                    session.advance(to: next)
                    stop = nil
                }
                session.sleep(until: end)
                note()
                guard link.operations.map(Self.words) == started else { break }
            }
            #expect(link.operations.map(Self.words) == started)
            #expect(started.count > 30)
            #expect(absorbed > 0)
        }
    }

    @Test("A dropped write completes after all writes of the stop are requested")
    func dropped() {
        var session = MachineHarness(SampleFamily())
        session.feed(
            .connected(
                LinkProfile(characteristics: [
                    SampleFamily.control: .write, SampleFamily.status: .notify, SampleFamily.motor: .write,
                ])))
        while let first = session.underWay.first {
            session.finish(first.number, .success([42]))
        }
        #expect(session.isReady)
        let level = session.command("level", Array("5".utf8))
        let other = session.command("level", Array("6".utf8))
        _ = session.takeWishes()
        session.command("stop", [])
        let wishes = session.takeWishes().map(\.effect)
        let answered = wishes.firstIndex {
            if case .answer(let id, _) = $0 { id.number == other } else { false }
        }
        let stops = wishes.indices.filter { LinkOperation(wishes[$0])?.priority == .stop }
        #expect(!stops.isEmpty && session.answers[level] == nil, "the first one is under way")
        #expect(stops.allSatisfy { $0 < answered ?? 0 }, "\(wishes)")
    }
}
