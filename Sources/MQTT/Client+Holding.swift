// Sending nothing for a time.
extension Client {
    /// Keeps what is published, and sends nothing but probes, until it is released; from any thread.
    ///
    /// Subscriptions work as usual. A client that is closed while it is held back says goodbye without its last will.
    public nonisolated func holdBack(_ isHeldBack: Bool) {
        perform { client in
            client.isHeldBack = isHeldBack
            client.settleIfConnected()
        }
    }
}
