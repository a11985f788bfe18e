/// The client's side of a connection to a proxy: converts received bytes to frames, and frames to bytes to send. It
/// does no input or output.
public struct ClientTransport: Sendable {
    /// The identity that a proxy sends before the encrypted handshake. It is not authenticated.
    public struct ServerHello: Hashable, Sendable {
        /// The name of the node; empty in firmware before 2022.2.
        public var name = ""
        /// The MAC address in lower-case hex; empty in firmware before 2025.4.
        public var mac = ""

        /// Creates an identity. The values that old firmware does not send are empty.
        public init(name: String = "", mac: String = "") {
            self.name = name
            self.mac = mac
        }
    }

    /// An event of a connection.
    public enum Event: Hashable, Sendable {
        /// Messages can be sent. The value is the proxy's identity; nil without encryption.
        case ready(ServerHello?)
        /// A message arrived.
        case frame(Frame)
    }

    private enum State: Sendable {
        case plain
        case waitsForHello(NoiseHandshake)
        case waitsForHandshake(NoiseHandshake, ServerHello)
        case encrypted(own: NoiseCipher, other: NoiseCipher)
    }

    /// The maximum length in bytes of a frame's body during the handshake: one byte for the status, and the handshake
    /// message or the text of an error.
    static let maximumHandshake = 128

    private var state: State
    private var buffer = FrameBuffer()
    private let firstBytes: [UInt8]
    private var isReady = false

    /// Creates a connection.
    ///
    /// - Parameter key: The key, 32 bytes; nil for a connection without encryption.
    public init(key: [UInt8]?) { self.init(key: key, ephemeral: Crypto.randomKey()) }

    init(key: [UInt8]?, ephemeral: [UInt8]) {
        guard let key else {
            (state, firstBytes) = (.plain, [])
            return
        }
        var handshake = NoiseHandshake(preshared: key, secret: ephemeral, hello: [])
        let message = handshake.write() ?? []
        firstBytes = FrameBuffer.body([]) + FrameBuffer.body([0] + message)
        state = .waitsForHello(handshake)
    }

    /// Starts a connection.
    ///
    /// - Returns: The bytes to send, and the first events.
    public mutating func start() -> (bytes: [UInt8], events: [Event]) {
        guard case .plain = state else { return (firstBytes, []) }
        return ([], [.ready(nil)])
    }

    /// Handles received bytes.
    ///
    /// - Throws: ``TransportError``; then the connection has to be closed.
    public mutating func receive(_ bytes: [UInt8]) throws(TransportError) -> [Event] {
        buffer.append(bytes)
        var events: [Event] = []
        while let event = try next() { events.append(contentsOf: event) }
        return events
    }

    /// Encodes a message. Call it only after the event ``Event/ready(_:)``.
    public mutating func encode(_ frame: Frame) -> [UInt8] {
        guard case .encrypted(var own, let other) = state else { return FrameBuffer.plain(frame) }
        let body = own.seal(FrameBuffer.clearText(frame))
        state = .encrypted(own: own, other: other)
        return FrameBuffer.body(body)
    }

    /// Takes the next frame; returns its events, or nil if the frame is incomplete.
    private mutating func next() throws(TransportError) -> [Event]? {
        try checkIndicator()
        switch state {
        case .plain: return try buffer.takePlain().map { [.frame($0)] }
        case .waitsForHello(let handshake):
            guard let body = try buffer.takeBody(most: Self.maximumHandshake) else { return nil }
            guard body.first == 1 else {
                throw TransportError(.invalidFrame, "the proxy chooses an unknown protocol, expected 1")
            }
            let fields = body.dropFirst().split(separator: 0, omittingEmptySubsequences: false)
            let texts = fields.prefix(2).map { String(decoding: $0, as: UTF8.self) } + ["", ""]
            // A proxy that refuses the connection sends a text without the final zero byte instead of a hello.
            if fields.count == 1, body.count > 1 { throw Self.refusal(texts[0]) }
            state = .waitsForHandshake(handshake, ServerHello(name: texts[0], mac: texts[1]))
            return []
        case .waitsForHandshake(var handshake, let hello):
            guard let body = try buffer.takeBody(most: Self.maximumHandshake) else { return nil }
            guard body.first == 0 else {
                throw Self.refusal(String(decoding: body.dropFirst(), as: UTF8.self))
            }
            guard handshake.read(Array(body.dropFirst()), isAnswer: true) != nil else {
                throw TransportError(.wrongKey, "the proxy has a different encryption key")
            }
            let (own, other) = handshake.split()
            state = .encrypted(own: own, other: other)
            return [.ready(hello)]
        case .encrypted(let own, var other):
            guard let body = try buffer.takeBody() else { return nil }
            guard let text = other.open(body) else {
                throw TransportError(.invalidFrame, "a message is not authentic")
            }
            state = .encrypted(own: own, other: other)
            return [.frame(try FrameBuffer.frame(text))]
        }
    }

    /// Checks the first byte of a frame, which differs between encrypted and plain connections.
    private func checkIndicator() throws(TransportError) {
        switch (state, buffer.indicator) {
        case (.plain, 1):
            throw TransportError(.encryptionRequired, "the proxy requires encryption, and no key is given")
        case (.waitsForHello, 0):
            throw TransportError(.noEncryption, "the proxy has no encryption, and a key is given")
        default: break
        }
    }

    private static func refusal(_ reason: String) -> TransportError {
        reason == "Handshake MAC failure"
            ? TransportError(.wrongKey, "the proxy has a different encryption key")
            : TransportError(.refused, "the proxy refuses the handshake: \(reason)")
    }
}
