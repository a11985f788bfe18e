/// Receives the method calls of other programs over a connection; belongs to the loop's thread.
package protocol CallReceiver: AnyObject {
    /// Handles a call.
    func receive(_ call: IncomingMessage, on connection: isolated Connection)
    /// Called when the connection has ended.
    func connectionEnded()
}
