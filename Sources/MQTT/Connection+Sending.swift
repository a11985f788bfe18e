import CMosquitto
import Messages

extension Connection {
    /// Sends a message, in the order of the calls.
    func publish(_ delivery: Outbox.Delivery) -> Handover {
        var properties = PropertyList(pointer: nil)
        if version == .v5, let data = delivery.correlationData {
            properties.add(MQTT_PROP_CORRELATION_DATA, data)
        }
        if version == .v5, let topic = delivery.responseTopic {
            properties.add(MQTT_PROP_RESPONSE_TOPIC, topic)
        }
        var identifier: CInt = 0
        // Lent, where a `String` as an argument would be copied.
        let status = delivery.topic.withCString { topic in
            mosquitto_publish_v5(
                handle, &identifier, topic, CInt(clamping: delivery.payload.count), delivery.payload,
                CInt(delivery.qos), delivery.retain, properties.pointer)
        }
        switch status {
        case MOSQ_ERR_SUCCESS.rawValue, MOSQ_ERR_NO_CONN.rawValue, MOSQ_ERR_CONN_LOST.rawValue:
            // Without a connection any more it counts as taken: it will be missed, and sent again.
            return .taken(identifier)
        case MOSQ_ERR_OVERSIZE_PACKET.rawValue:
            return .refused(Reason(code: 0x95))
        case MOSQ_ERR_RETAIN_NOT_SUPPORTED.rawValue:
            return .refused(Reason(code: 0x9A))
        case MOSQ_ERR_QOS_NOT_SUPPORTED.rawValue:
            return .refused(Reason(code: 0x9B))
        case MOSQ_ERR_INVAL.rawValue, MOSQ_ERR_MALFORMED_UTF8.rawValue:
            return .refused(Reason(code: 0x90))
        default:
            return .refused(Reason(String(cString: mosquitto_strerror(status))))
        }
    }

    /// Whether the socket has taken all that the library was given.
    var hasWrittenAll: Bool { probe == nil && !mosquitto_want_write(handle) }

    /// Sends a message of QoS 0; a fact tells when it was handed to the socket, which is before the broker can have it.
    func send(probe: Probe) {
        var identifier: CInt = 0
        let status = probe.topic.withCString { topic in
            mosquitto_publish_v5(
                handle, &identifier, topic, CInt(clamping: probe.payload.count), probe.payload, 0, false, nil)
        }
        guard status == MOSQ_ERR_SUCCESS.rawValue else { return }
        self.probe = identifier
        write()
    }

    /// Subscribes; the answer comes as a fact.
    func subscribe(_ subscription: TopicFilter) {
        // Unless it is wanted, no local: what we publish ourselves is never a command to us.
        let noLocal = subscription.receivesOwn ? 0 : MQTT_SUB_OPT_NO_LOCAL.rawValue
        let asPublished = subscription.tellsStored ? 0 : MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue
        let options = version == .v5 ? CInt(asPublished | noLocal) : 0
        var identifier: CInt = 0
        let status = mosquitto_subscribe_v5(
            handle, &identifier, subscription.filter, CInt(subscription.qos), options, nil)
        if status == MOSQ_ERR_SUCCESS.rawValue {
            waitingFilters[identifier] = subscription.filter
            newestRequests[subscription.filter] = identifier
        } else if status != MOSQ_ERR_NO_CONN.rawValue {
            let reason = Reason(String(cString: mosquitto_strerror(status)))
            facts.append(.subscriptionRefused(filter: subscription.filter, reason))
        }
        updateInterest()
    }

    /// Ends a subscription; the number comes back as a fact, behind everything that the broker had sent before.
    @discardableResult
    func unsubscribe(_ filter: String) -> CInt {
        var identifier: CInt = 0
        newestRequests[filter] = nil
        mosquitto_unsubscribe(handle, &identifier, filter)
        updateInterest()
        return identifier
    }

    /// Says goodbye and closes; `withWill` makes the broker publish the last will all the same.
    func close(withWill: Bool) {
        isClosed = true
        guard !hasEnded else { return }
        // MQTT 3.1.1 has no goodbye with a will: there, silence is one.
        if isAccepted, version == .v5 || !withWill {
            mosquitto_disconnect_v5(
                handle, withWill ? CInt(MQTT_RC_DISCONNECT_WITH_WILL_MSG.rawValue) : 0, nil)
            write()
        }
        end(MQTTError(.closed, broker: broker, explanation: "the connection was closed"))
        facts.removeAll()
    }

    /// Gives the connection up for a reason that only its driver knows.
    func abandon(_ error: MQTTError) {
        isClosed = true
        end(error)
        facts.removeAll()
    }
}
