import Bluetooth
package import ESPHome
import VirtualDevices

extension Proxy {
    /// Admits a client, or closes its connection if all places are taken.
    package mutating func opened(client: Int, at time: Duration) -> [Output] {
        pass(to: time)
        clients[client] = Client(lastMessage: now)
        guard clients.count <= options.places else {
            close(client)
            return takeOutputs()
        }
        waits.set(.hello(client), at: now + options.helloTimeout)
        waits.set(.silence(client), at: now + options.pingTime)
        return takeOutputs()
    }

    /// Handles the end of a client's connection.
    package mutating func closed(client: Int, at time: Duration) -> [Output] {
        pass(to: time)
        forget(client)
        return takeOutputs()
    }

    /// Handles a message of a client.
    package mutating func received(_ message: Message, from client: Int, at time: Duration) -> [Output] {
        pass(to: time)
        guard clients[client] != nil else { return takeOutputs() }
        clients[client]?.lastMessage = now
        clients[client]?.isPinged = false
        waits.set(.silence(client), at: now + options.pingTime)
        handle(message, from: client)
        return takeOutputs()
    }

    private mutating func handle(_ message: Message, from client: Int) {
        switch message {
        case .hello(let hello):
            clients[client]?.minor = hello.minor
            waits.cancel(.hello(client))
            let firmware = options.firmware
            send(
                .helloReply(
                    HelloReply(
                        major: 1, minor: firmware.minor, server: firmware.version, name: options.name)),
                to: client)
        case .disconnect:
            send(.disconnectReply(NoFields()), to: client)
            close(client)
        case .disconnectReply: close(client)
        case .ping: send(.pingReply(NoFields()), to: client)
        case .pingReply: break
        default:
            // Before its hello, a client may only ping and disconnect.
            guard clients[client]?.minor != nil else { return close(client) }
            handleRequest(message, from: client)
        }
    }

    private mutating func handleRequest(_ message: Message, from client: Int) {
        switch message {
        case .deviceInfo: send(.deviceInfoReply(info), to: client)
        case .capabilities:
            let proxy = ProxyCapabilities(features: info.features, mac: info.bluetoothMAC)
            send(.capabilitiesReply(Capabilities(proxy: proxy)), to: client)
        case .subscribe: subscribe(client)
        case .unsubscribe: if subscriber == client { endSubscription() }
        case .setScannerMode(let request): setScannerMode(request.mode)
        case .subscribeSlots: send(.slots(slots), to: client)
        case .device(let request): handle(request)
        case .getServices(let request): sendServices(of: request.address)
        case .read, .write, .readDescriptor, .writeDescriptor, .notify: handleAttribute(message)
        case .setParameters(let request):
            let isOpen = links[request.address]?.state == .open
            publish(.parametersReply(ParametersReply(address: request.address, error: isOpen ? 0 : -1)))
        default: break
        }
    }

    private var info: DeviceInfo {
        var info = DeviceInfo(name: options.name, mac: options.address.description)
        info.version = options.firmware.version
        info.model = "esp32dev"
        info.manufacturer = "Espressif"
        info.friendlyName = "Simulated proxy"
        info.features = 0xFF
        info.bluetoothMAC = options.address.description
        info.supportsEncryption = options.hasKey
        return info
    }

    /// The slots of connections.
    var slots: Slots {
        Slots(
            free: UInt32(options.slots - links.count), limit: UInt32(options.slots),
            allocated: links.keys.sorted().map(\.number))
    }

    private mutating func subscribe(_ client: Int) {
        // Firmware up to 2026.6 ignores a second subscription without an answer, even from the same client.
        if subscriber != nil, options.firmware == .v2026_6 { return }
        subscriber = client
        publish(.scannerState(scanner(queue.isEmpty ? 2 : 0)))
        waits.set(.batch, at: now + options.batchTime)
    }

    private mutating func endSubscription() {
        subscriber = nil
        waits.cancel(.batch)
        for address in links.keys.sorted() { endLink(address, error: ConnectionError.endedByHost) }
    }

    mutating func send(_ message: Message, to client: Int) { outputs.append(.send(client, message)) }

    mutating func close(_ client: Int) {
        outputs.append(.close(client))
        forget(client)
    }

    /// Removes a client. Without the subscriber, all connections end.
    mutating func forget(_ client: Int) {
        clients[client] = nil
        waits.cancel(.hello(client))
        waits.cancel(.silence(client))
        if subscriber == client { endSubscription() }
    }

    /// Pings a client that was silent, and drops it if it stays silent.
    mutating func checkSilence(of client: Int) {
        guard let state = clients[client] else { return }
        guard !state.isPinged else { return close(client) }
        clients[client]?.isPinged = true
        send(.ping(NoFields()), to: client)
        waits.set(.silence(client), at: state.lastMessage + options.silenceTimeout)
    }
}
