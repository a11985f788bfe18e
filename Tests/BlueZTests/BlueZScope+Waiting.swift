import Testing

@testable import BlueZ

extension BlueZScope {
    /// Waits until as many connections wait for their turn on `hci0`.
    func waitForQueue(_ count: Int) async { await client.waitForWaiting(count) }
}

extension Client {
    fileprivate func waitForWaiting(_ count: Int) async {
        let end = ContinuousClock.now + .seconds(20)
        while connects.queues[FakeBlueZ.adapter("hci0")]?.waitingCount ?? 0 < count {
            guard ContinuousClock.now < end else {
                Issue.record("no \(count) connections wait")
                return
            }
            await Task.yield()
        }
    }
}
