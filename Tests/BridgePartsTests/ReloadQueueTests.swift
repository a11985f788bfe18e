import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Reload queue")
struct ReloadQueueTests {
    private func request(_ id: Int) -> PendingRequest {
        PendingRequest(
            request: CommandRequest(IncomingMessage(topic: "", payload: []), feature: "reload"),
            id: .integer(id))
    }

    @Test("A reload requested during another reload runs after it, once for all requests")
    func onceMore() {
        var queue = ReloadQueue()
        var begins = queue.want(for: nil)
        #expect(begins)
        var requests = queue.next()
        #expect(requests?.count == 0)
        begins = queue.want(for: request(1))
        #expect(!begins)
        begins = queue.want(for: nil)
        #expect(!begins)
        begins = queue.want(for: request(2))
        #expect(!begins)
        requests = queue.next()
        #expect(requests?.map(\.id) == [1, 2])
        requests = queue.next()
        #expect(requests?.isEmpty == nil)
        begins = queue.want(for: nil)
        #expect(begins)
    }
}
