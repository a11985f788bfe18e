/// Takes the method calls that other programs send over a connection; belongs to the loop's thread.
package protocol CallReceiver: AnyObject {
    /// Takes a call.
    func receive(_ call: IncomingMessage, on connection: isolated Connection)
    /// Tells that the connection has ended.
    func connectionEnded()
}
