import Bluetooth
import BridgeContract
import BridgeTesting
import Synchronization
import Testing

@testable import ProxyRadio

/// A composite radio over a host and two proxies, and the events that it reports.
final class CompositeScene: Sendable {
    static let belt: Address = "C0:FF:EE:00:BE:01"

    let executor = ManualExecutor()
    let host: FakeRadio
    let kitchen: FakeProxy
    let attic: FakeProxy
    let radio: CompositeRadio
    let time: VirtualTime
    private let reported = Mutex<[RadioEvent]>([])

    init(adapter: String? = "hci0") {
        host = FakeRadio(executor: executor, adapter: adapter)
        kitchen = FakeProxy("kitchen", executor: executor)
        attic = FakeProxy("attic", executor: executor)
        let time = VirtualTime(executor: executor)
        self.time = time
        radio = CompositeRadio(
            host: host, proxies: [kitchen, attic], executor: executor, now: { time.now })
        executor.perform { radio.onEvent { event in self.reported.withLock { $0.append(event) } } }
    }

    /// The events since the last call.
    func takeEvents() -> [RadioEvent] {
        reported.withLock { events in
            defer { events = [] }
            return events
        }
    }

    func hear(_ rssi: Int) {
        host.hear(Advertisement(address: Self.belt, rssi: rssi))
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    /// Runs a body on the executor to its end.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) throws -> Value {
        let result = Outcome<Value>()
        executor.perform {
            _ = Task(executorPreference: executor) {
                let value = await body()
                result.value.withLock { $0 = value }
            }
        }
        return try #require(result.value.withLock { $0 })
    }

    /// Connects to the belt; returns the adapter, or the code of the error.
    func connect(mayUseProxy: Bool = true) throws -> Result<String, RadioError.Failure> {
        try run { [radio] in
            do throws(RadioError) {
                let link = try await radio.connect(
                    Self.belt, requirements: LinkRequirements(required: [], mayUseProxy: mayUseProxy)
                ) { _ in }
                return .success(link.adapter)
            } catch {
                return .failure(RadioError.Failure(code: error.code))
            }
        }
    }
}

extension RadioError {
    /// The code of an error, for comparisons in tests.
    struct Failure: Error, Hashable {
        var code: RadioError.Code
    }
}
