import CMosquitto

extension Connection {
    /// Sets libmosquitto's callbacks. Each callback gets the `Connection` from its context pointer and calls a method
    /// of it.
    func setCallbacks() {
        mosquitto_connect_v5_callback_set(handle) { _, context, code, _, properties in
            Connection.from(context)?.noteAnswer(code, ReceivedProperties(list: properties))
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, context, code, properties in
            Connection.from(context)?.noteGoodbye(code, ReceivedProperties(list: properties))
        }
        mosquitto_publish_v5_callback_set(handle) { _, context, identifier, code, properties in
            Connection.from(context)?.notePublished(identifier, code, ReceivedProperties(list: properties))
        }
        mosquitto_subscribe_v5_callback_set(handle) { _, context, identifier, count, granted, _ in
            Connection.from(context)?.noteSubscribed(
                identifier, UnsafeBufferPointer(start: granted, count: granted == nil ? 0 : Int(count)))
        }
        mosquitto_unsubscribe_callback_set(handle) { _, context, identifier in
            Connection.from(context)?.facts.append(.unsubscribed(identifier))
        }
        mosquitto_message_v5_callback_set(handle) { _, context, message, properties in
            guard let message = message?.pointee else { return }
            Connection.from(context)?.noteMessage(message, ReceivedProperties(list: properties))
        }
        // The log is needed only with TLS, because the library then reports the reasons of failures only in its log.
        guard tls != nil else { return }
        mosquitto_log_callback_set(handle) { _, context, level, line in
            guard level == MOSQ_LOG_ERR, let line else { return }
            Connection.from(context)?.noteComplaint(String(cString: line))
        }
    }

    /// Returns the connection of a context pointer. The pointer is valid because the connection outlives its handle,
    /// and callbacks run only inside calls that the connection makes itself.
    private static func from(_ context: UnsafeMutableRawPointer?) -> Connection? {
        context.map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
    }
}
