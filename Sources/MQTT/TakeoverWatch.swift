/// Recognises that another client with our id throws us out again and again.
///
/// MQTT 5 has a reason code for it (0x8E), but 3.1.1 has none and mosquitto 2.0.11 does not send it: there
/// the connection just closes. So a broker that lets us in at every attempt, and three times in a row closes
/// the connection within half a minute and without a word, is taken to prefer another client.
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
