import CMosquitto
import Glibc
import Messages

extension Connection {
    /// Sends a message, in the order of the calls.
    func publish(_ delivery: Outbox.Delivery) -> Handover {
        var properties = PropertyList(pointer: nil)
        if version == .v5, let outgoing = delivery.queued?.outgoing {
            if case .reply(let data?) = outgoing.policy { properties.add(MQTT_PROP_CORRELATION_DATA, data) }
            if let topic = outgoing.responseTopic { properties.add(MQTT_PROP_RESPONSE_TOPIC, topic) }
        }
        var identifier: CInt = 0
        // Lent, where a `String` as an argument would be copied.
        let status = delivery.topic.withCString { topic in
            mosquitto_publish_v5(
                handle, &identifier, topic, CInt(clamping: delivery.payload.count), delivery.payload,
                delivery.qos, delivery.retain, properties.pointer)
        }
        switch status {
        case MOSQ_ERR_SUCCESS.rawValue, MOSQ_ERR_NO_CONN.rawValue, MOSQ_ERR_CONN_LOST.rawValue:
            // If the connection is lost it counts as taken: it stays unacknowledged, and is sent again.
            return .taken(identifier)
        case MOSQ_ERR_OVERSIZE_PACKET.rawValue: return .refused(Reason(code: 0x95))
        case MOSQ_ERR_RETAIN_NOT_SUPPORTED.rawValue: return .refused(Reason(code: 0x9A))
        case MOSQ_ERR_QOS_NOT_SUPPORTED.rawValue: return .refused(Reason(code: 0x9B))
        case MOSQ_ERR_INVAL.rawValue, MOSQ_ERR_MALFORMED_UTF8.rawValue: return .refused(Reason(code: 0x90))
        default: return .refused(Reason(String(cString: mosquitto_strerror(status))))
        }
    }

    /// Whether the socket has taken all that the library was given.
    var hasWrittenAll: Bool { writes.probe == nil && !mosquitto_want_write(handle) }

    /// Sends a message of QoS 0; a fact reports when it was handed to the socket, which is before the broker can have it.
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

    /// Subscribes; each answer comes as a fact.
    ///
    /// Subscriptions of one kind that stand near each other share a packet.
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

    /// How far a subscription may be put before others.
    private static let neighbourhood = 48
    /// How many filters share a packet; AWS IoT Core takes no more.
    private static let packetFilters = 8

    /// The options that all filters of a packet share.
    private struct SubscriptionKind: Hashable {
        var qos: CInt
        var options: CInt
    }

    private func kind(of subscription: TopicFilter) -> SubscriptionKind {
        // No local, unless the filter asks for it: our own messages are never commands to us.
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
            // Which of them it is, each alone shows.
            for filter in filters { subscribe([filter], kind) }
        } else if status != MOSQ_ERR_NO_CONN.rawValue {
            let reason = Reason(String(cString: mosquitto_strerror(status)))
            facts.append(.subscriptionRefused(filter: filters[0], reason))
        }
    }

    /// Ends subscriptions.
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

    /// Ends a subscription; the number comes back as a fact, behind everything that the broker had sent before.
    func unsubscribe(_ filter: String) -> CInt {
        var identifier: CInt = 0
        requests.withdraw(filter)
        mosquitto_unsubscribe(handle, &identifier, filter)
        updateInterest()
        return identifier
    }
}
