/// The proxy's side of a connection to a client: converts received bytes to frames, and frames to bytes to send. It
/// does no input or output.
public struct ServerTransport: Sendable {
    private enum State: Sendable {
        case waits
        case plain
        case waitsForHandshake(hello: [UInt8])
        case encrypted(own: NoiseCipher, other: NoiseCipher)
    }

    private let key: [UInt8]?
    private let name: String
    private let mac: String
    private let ephemeral: [UInt8]
    private var state = State.waits
    private var buffer = FrameBuffer()

    /// Creates a connection of a client.
    ///
    /// - Parameters:
    ///   - key: The key, 32 bytes; nil for a proxy without encryption.
    ///   - name: The name of the node.
    ///   - mac: The MAC address of the node in lower-case hex.
    public init(key: [UInt8]?, name: String, mac: String) {
        self.init(key: key, name: name, mac: mac, ephemeral: Crypto.randomKey())
    }

    init(key: [UInt8]?, name: String, mac: String, ephemeral: [UInt8]) {
        (self.key, self.name, self.mac, self.ephemeral) = (key, name, mac, ephemeral)
    }

    /// What results from received bytes: bytes to send, messages, and the reason to close the connection.
    public struct Step: Hashable, Sendable {
        /// The bytes to send.
        public var answer: [UInt8] = []
        /// The received messages.
        public var frames: [Frame] = []
        /// The reason to close the connection, after `answer` was sent; nil if it stays open.
        public var failure: TransportError?

        /// Creates an empty step.
        public init() {}
    }

    /// Handles received bytes.
    public mutating func receive(_ bytes: [UInt8]) -> Step {
        buffer.append(bytes)
        var step = Step()
        do throws(TransportError) {
            while try next(&step) {}
        } catch {
            step.failure = error
        }
        return step
    }

    /// Encodes a message.
    public mutating func encode(_ frame: Frame) -> [UInt8] {
        guard case .encrypted(let own, let other) = state else { return FrameBuffer.plain(frame) }
        var cipher = own
        let body = cipher.seal(FrameBuffer.clearText(frame))
        state = .encrypted(own: cipher, other: other)
        return FrameBuffer.body(body)
    }

    /// Handles the next frame; returns false if it is incomplete.
    private mutating func next(_ step: inout Step) throws(TransportError) -> Bool {
        switch state {
        case .waits:
            guard let indicator = buffer.indicator else { return false }
            guard indicator == (key == nil ? 0 : 1) else {
                let text = Array("Bad indicator byte".utf8)
                step.answer += key == nil ? [0] + text : FrameBuffer.body([1] + text)
                throw TransportError(.invalidFrame, "the first byte is \(indicator)")
            }
            guard key != nil else {
                state = .plain
                return true
            }
            guard let hello = try buffer.takeBody() else { return false }
            step.answer += FrameBuffer.body([1] + name.utf8 + [0] + mac.utf8 + [0])
            state = .waitsForHandshake(hello: hello)
        case .plain:
            guard let frame = try buffer.takePlain() else { return false }
            step.frames.append(frame)
        case .waitsForHandshake(let hello):
            guard let body = try buffer.takeBody(most: ClientTransport.maximumHandshake) else { return false }
            guard !body.isEmpty else { throw refuse("Empty handshake message", &step) }
            guard body[0] == 0 else { throw refuse("Bad handshake error byte", &step) }
            var handshake = NoiseHandshake(preshared: key ?? [], secret: ephemeral, hello: hello)
            guard let other = handshake.read(Array(body.dropFirst()), isAnswer: false),
                let message = handshake.write(after: other)
            else { throw refuse("Handshake MAC failure", &step) }
            step.answer += FrameBuffer.body([0] + message)
            let ciphers = handshake.split()
            state = .encrypted(own: ciphers.proxy, other: ciphers.client)
        case .encrypted(let own, var other):
            guard let body = try buffer.takeBody() else { return false }
            guard let text = other.open(body) else {
                throw TransportError(.invalidFrame, "a message is not authentic")
            }
            state = .encrypted(own: own, other: other)
            step.frames.append(try FrameBuffer.frame(text))
        }
        return true
    }

    private func refuse(_ reason: String, _ step: inout Step) -> TransportError {
        step.answer += FrameBuffer.body([1] + reason.utf8)
        return TransportError(.refused, reason)
    }
}
