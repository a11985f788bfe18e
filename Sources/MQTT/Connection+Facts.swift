import CMosquitto
import EventLoop
import Messages

// The callbacks of libmosquitto, called on the loop's thread from inside `read`, `write` and `tick`.
extension Connection {
    func noteAnswer(_ code: CInt, _ properties: ReceivedProperties) {
        guard code == 0 else {
            // A broker that supports only 3.1.1 rejects version 5 with return code 1 of MQTT 3.1.1, not with a reason
            // code of MQTT 5.
            let error =
                code < 6
                ? MQTTError(connectReturnCode: UInt8(code), broker: broker)
                : MQTTError(Reason(code, properties), broker: broker)
            clues.refusal = error.namingLogin(of: configuration.username)
            return
        }
        let allowed = properties.int16(MQTT_PROP_RECEIVE_MAXIMUM).map(Int.init) ?? Int(UInt16.max)
        let window = min(allowed, configuration.limits.inFlight)
        state = .accepted(window: window)
        facts.append(
            .accepted(
                window: window,
                packetLimit: properties.int32(MQTT_PROP_MAXIMUM_PACKET_SIZE).map(Int.init)))
    }

    func noteGoodbye(_ code: CInt, _ properties: ReceivedProperties) {
        // Codes below 128 are errors of the library, which the library's functions return as well.
        guard code >= 128, clues.refusal == nil else { return }
        clues.refusal = MQTTError(Reason(code, properties), broker: broker)
    }

    func notePublished(_ identifier: CInt, _ code: CInt, _ properties: ReceivedProperties) {
        guard let began = writes.began else {
            let refusal = code < 128 ? nil : Reason(code, properties)
            return facts.append(.acknowledged(identifier, refusal: refusal))
        }
        if writes.wrote(identifier) { facts.append(.probed(at: began)) }
    }

    func noteSubscribed(_ identifier: CInt, _ answers: UnsafeBufferPointer<CInt>) {
        for (filter, granted) in requests.answered(identifier, answers) {
            facts.append(
                granted < 128
                    ? .subscribed(filter: filter, qos: Int(granted))
                    : .subscriptionRefused(filter: filter, Reason(code: UInt8(truncatingIfNeeded: granted))))
        }
    }

    func noteMessage(_ message: mosquitto_message, _ properties: ReceivedProperties) {
        guard let topic = message.topic else { return }
        let size = Int(message.payloadlen)
        let bytes = UnsafeRawBufferPointer(
            start: message.payload, count: size <= configuration.limits.payload ? size : 0)
        var incoming = IncomingMessage(
            topic: String(cString: topic), payload: Array(bytes), payloadSize: size, qos: Int(message.qos),
            isRetained: message.retain, arrival: EventLoop.now)
        if properties.list != nil {
            incoming.responseTopic = properties.string(MQTT_PROP_RESPONSE_TOPIC)
            incoming.correlation = properties.bytes(MQTT_PROP_CORRELATION_DATA)
            incoming.expirySeconds = properties.int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL)
        }
        facts.append(.message(incoming))
    }

    func noteComplaint(_ line: String) {
        // The cause is the text after the last colon, as in "OpenSSL Error[0]: error:0A00045C:SSL routines::tlsv13
        // alert certificate required".
        clues.complaint = line.split(separator: ":").last.map(String.init) ?? line
    }
}

extension Reason {
    /// Creates a reason from a code of the library and the packet's properties.
    fileprivate init(_ code: CInt, _ properties: ReceivedProperties) {
        self.init(
            code: UInt8(truncatingIfNeeded: code), words: properties.string(MQTT_PROP_REASON_STRING))
    }
}
