import EventLoop

/// Runs a body with an event loop, and stops the loop afterwards.
func withLoop<Result: Sendable>(
    _ body: (EventLoop) async throws -> Result
) async throws -> Result {
    let loop = try EventLoop.start(name: "test")
    do {
        let result = try await body(loop)
        loop.stop()
        return result
    } catch {
        loop.stop()
        throw error
    }
}
