import DBus
import Logging

extension Client {
    /// Handles a signal of bluetoothd, on the loop. This includes notifications; only values of subscribed
    /// characteristics are decoded.
    func receive(_ message: IncomingMessage) {
        do {
            if message.isSignal("PropertiesChanged", of: Names.properties) {
                try receiveProperties(message)
            } else if message.isSignal("InterfacesAdded", of: Names.objectManager) {
                let arguments = try message.arguments()
                guard arguments.count == 2, let path = arguments[0].objectPath else { return }
                take(.added(path, ObjectSignal.interfaces(arguments[1])))
            } else if message.isSignal("InterfacesRemoved", of: Names.objectManager) {
                let arguments = try message.arguments()
                guard arguments.count == 2, let path = arguments[0].objectPath else { return }
                take(.removed(path, arguments[1].strings ?? []))
            } else if message.isSignal("Disconnected", of: Names.device), let path = message.path {
                links.endReasons[path] = try message.arguments().first?.string
            }
        } catch {
            logger.warning(
                "a signal from bluetoothd cannot be decoded and is ignored", metadata: ["reason": "\(error)"])
        }
    }

    private func receiveProperties(_ message: IncomingMessage) throws(DBusError) {
        guard let path = message.path else { return }
        var reader = message.reader()
        if try reader.string(is: Names.characteristic), try receiveValue(&reader, at: path) { return }
        guard message.hasSignature("sa{sv}as") else { return }
        reader = message.reader()
        let (interface, changed) = (try reader.string(), try reader.properties())
        take(
            .changed(path, interface: interface, changed, invalidated: try reader.value().strings ?? []))
    }

    /// Delivers the `Value` of a subscribed characteristic; returns whether the signal contains no other change.
    private func receiveValue(_ reader: inout Reader, at path: ObjectPath) throws(DBusError) -> Bool {
        var isOnlyValue = true
        var entries = try reader.container()
        while !entries.isAtEnd {
            var entry = try entries.container()
            guard try entry.string(is: "Value") else {
                isOnlyValue = false
                continue
            }
            guard let sink = sinks[path], !sink.isAcquired else { continue }
            var variant = try entry.container()
            if let value = sink.echo.signalled(try variant.bytes()) { sink.deliver(value) }
        }
        return isOnlyValue
    }

    /// Applies a change of bluetoothd's objects, or queues the change while the objects are being loaded.
    func take(_ signal: ObjectSignal) {
        guard isServing else { return service.keep(signal) }
        let changes = tree.apply(signal)
        guard !changes.isEmpty else { return }
        if changes.contains(where: \.isOfAdapter) { adapters.update(tree.adapters.values) }
        for change in changes { react(to: change) }
        for change in changes { wake(after: change) }
    }
}
