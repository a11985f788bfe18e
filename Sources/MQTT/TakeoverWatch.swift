/// Suspects that another client with our id ends our connections.
///
/// MQTT 5 has a reason code for it (0x8E), but 3.1.1 has none and mosquitto 2.0.11 does not send it: there
/// the connection just closes. So the suspicion is a broker that accepts each attempt and closes three connections in
/// a row within half a minute and without a reason. A broker that is restarted quickly does the same.
struct TakeoverWatch {
    private var shortLives = 0

    /// Notes the end of a connection that the broker had accepted; true if it looks like a take-over.
    mutating func ended(after lifetime: Duration, silently: Bool) -> Bool {
        shortLives = silently && lifetime < .seconds(30) ? shortLives + 1 : 0
        return shortLives >= 3
    }

    /// Notes an attempt that did not lead to a connection: a broker that comes and goes takes over no client.
    mutating func attemptFailed() {
        shortLives = 0
    }
}
