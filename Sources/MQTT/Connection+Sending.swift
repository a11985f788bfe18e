import CMosquitto
import Glibc
import Messages

extension Connection {
    /// Passes a message to the library. Messages are sent in the order of the calls.
    func publish(_ delivery: Outbox.Delivery) -> Handover {
        var properties = PropertyList(pointer: nil)
        if version == .v5, let outgoing = delivery.queued?.outgoing {
            if case .reply(let data?) = outgoing.policy { properties.add(MQTT_PROP_CORRELATION_DATA, data) }
            if let topic = outgoing.responseTopic { properties.add(MQTT_PROP_RESPONSE_TOPIC, topic) }
        }
        var identifier: CInt = 0
        // Passed as a pointer, because a `String` argument would be copied.
        let status = delivery.topic.withCString { topic in
            mosquitto_publish_v5(
                handle, &identifier, topic, CInt(clamping: delivery.payload.count), delivery.payload,
                delivery.qos, delivery.retain, properties.pointer)
        }
        switch status {
        case MOSQ_ERR_SUCCESS.rawValue, MOSQ_ERR_NO_CONN.rawValue, MOSQ_ERR_CONN_LOST.rawValue:
            // On a lost connection the message counts as taken: it stays unacknowledged, and is sent again after the
            // next connect.
            return .taken(identifier)
        case MOSQ_ERR_OVERSIZE_PACKET.rawValue: return .refused(Reason(code: 0x95))
        case MOSQ_ERR_RETAIN_NOT_SUPPORTED.rawValue: return .refused(Reason(code: 0x9A))
        case MOSQ_ERR_QOS_NOT_SUPPORTED.rawValue: return .refused(Reason(code: 0x9B))
        case MOSQ_ERR_INVAL.rawValue, MOSQ_ERR_MALFORMED_UTF8.rawValue: return .refused(Reason(code: 0x90))
        default: return .refused(Reason(String(cString: mosquitto_strerror(status))))
        }
    }

    /// Whether the socket has accepted all data that the library had to write.
    var hasWrittenAll: Bool { writes.probe == nil && !mosquitto_want_write(handle) }

    /// Sends a message with QoS 0. The fact `probed` reports the time at which the message was passed to the socket.
    func send(probe: Probe) {
        var identifier: CInt = 0
        let status = probe.topic.withCString { topic in
            mosquitto_publish_v5(
                handle, &identifier, topic, CInt(clamping: probe.payload.count), probe.payload, 0, false, nil)
        }
        guard status == MOSQ_ERR_SUCCESS.rawValue else { return }
        writes.probe = identifier
        write()
    }

    /// Subscribes to filters; the answer for each filter becomes a fact.
    ///
    /// Subscriptions with the same options that are close together in the list share a packet.
    func subscribe(_ subscriptions: [TopicFilter]) {
        let known: TopicFilter.Version = version == .v5 ? .five : .three
        let subscriptions = subscriptions.filter { $0.version.map { $0 == known } ?? true }
        for start in stride(from: 0, to: subscriptions.count, by: Self.neighbourhood) {
            var kinds: [SubscriptionKind: [String]] = [:]
            for subscription in subscriptions[start...].prefix(Self.neighbourhood) {
                kinds[kind(of: subscription), default: []].append(subscription.filter)
            }
            for (kind, filters) in kinds.sorted(by: { $0.key.qos > $1.key.qos }) {
                for place in stride(from: 0, to: filters.count, by: Self.packetFilters) {
                    subscribe(Array(filters[place...].prefix(Self.packetFilters)), kind)
                }
            }
        }
        updateInterest()
    }

    /// The number of consecutive subscriptions that may be reordered to share packets.
    private static let neighbourhood = 48
    /// The maximum number of filters in a packet; the limit of AWS IoT Core.
    private static let packetFilters = 8

    /// The options of all filters in a packet.
    private struct SubscriptionKind: Hashable {
        var qos: CInt
        var options: CInt
    }

    private func kind(of subscription: TopicFilter) -> SubscriptionKind {
        // With "no local", the broker does not return the client's own messages. The client needs no copies of them,
        // because it never sends commands to itself.
        let noLocal = subscription.receivesOwn ? 0 : MQTT_SUB_OPT_NO_LOCAL.rawValue
        let asPublished = subscription.tellsStored ? 0 : MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue
        let withoutStored = subscription.skipsStored ? MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue : 0
        return SubscriptionKind(
            qos: CInt(subscription.qos),
            options: version == .v5 ? CInt(asPublished | noLocal | withoutStored) : 0)
    }

    private func subscribe(_ filters: [String], _ kind: SubscriptionKind) {
        let texts = filters.map { strdup($0) }
        defer { texts.forEach { free($0) } }
        var identifier: CInt = 0
        let status = mosquitto_subscribe_multiple(
            handle, &identifier, CInt(texts.count), texts, kind.qos, kind.options, nil)
        if status == MOSQ_ERR_SUCCESS.rawValue {
            requests.sent(filters, as: identifier)
        } else if filters.count > 1, status != MOSQ_ERR_NO_CONN.rawValue {
            // One of the filters is invalid: subscribing to each filter alone shows which.
            for filter in filters { subscribe([filter], kind) }
        } else if status != MOSQ_ERR_NO_CONN.rawValue {
            let reason = Reason(String(cString: mosquitto_strerror(status)))
            facts.append(.subscriptionRefused(filter: filters[0], reason))
        }
    }

    func unsubscribe(_ filters: [String]) {
        for place in stride(from: 0, to: filters.count, by: Self.packetFilters) {
            let part = filters[place...].prefix(Self.packetFilters)
            for filter in part { requests.withdraw(filter) }
            let texts = part.map { strdup($0) }
            defer { texts.forEach { free($0) } }
            mosquitto_unsubscribe_multiple(handle, nil, CInt(texts.count), texts, nil)
        }
        updateInterest()
    }

    /// Unsubscribes from a filter; returns the packet identifier. The fact `unsubscribed` with this identifier follows
    /// everything that the broker had sent before.
    func unsubscribe(_ filter: String) -> CInt {
        var identifier: CInt = 0
        requests.withdraw(filter)
        mosquitto_unsubscribe(handle, &identifier, filter)
        updateInterest()
        return identifier
    }
}
