/// A message by which the way to the broker and back is measured.
struct Probe: Sendable {
    let topic: String
    let payload: [UInt8]
    /// Told when it is handed to the socket.
    let sent: @Sendable (Duration) -> Void
}
