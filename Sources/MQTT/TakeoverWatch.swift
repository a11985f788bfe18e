/// Detects another client with the same client id that ends this client's connections.
///
/// MQTT 5 has the reason code 0x8E for this, but 3.1.1 has none, and mosquitto 2.0.11 does not send the code: the
/// connection just closes. So a takeover is suspected after three accepted connections in a row that the broker closed
/// without a reason, each within half a minute. A broker that is restarted three times in short succession looks the
/// same.
struct TakeoverWatch {
    private var shortLives = 0

    /// Records the end of an accepted connection; returns whether a takeover is likely.
    mutating func ended(after lifetime: Duration, silently: Bool) -> Bool {
        shortLives = silently && lifetime < .seconds(30) ? shortLives + 1 : 0
        return shortLives >= 3
    }

    /// Records a failed attempt. It is evidence against a takeover, during which the broker accepts every attempt.
    mutating func attemptFailed() {
        shortLives = 0
    }
}
