import ESPHome

/// What a Bluetooth proxy sends, and what a client sends to the simulated proxy.
extension Parser {
    static let esphome = [
        // The first byte selects a message, or one side of a session with or without a key.
        Parser(name: "esphome") { bytes in
            guard let first = bytes.first else { return [] }
            let rest = Array(bytes.dropFirst())
            switch first % 5 {
            case 0: return message(rest)
            case 1, 2: return client(rest, key: first % 5 == 2 ? key : nil)
            default: return proxy(rest, key: first % 5 == 4 ? key : nil)
            }
        }
    ]

    private static let key = [UInt8](0..<32)

    private static func message(_ bytes: [UInt8]) -> [String] {
        guard bytes.count >= 2 else { return [] }
        let frame = Frame(type: UInt16(bytes[0]) << 8 | UInt16(bytes[1]), payload: Array(bytes.dropFirst(2)))
        return complaints(about: frame)
    }

    private static func complaints(about frame: Frame) -> [String] {
        do throws(MessageError) {
            guard let message = try Message(frame) else { return [] }
            return try Message(message.frame) == message ? [] : ["comes back as something else: \(message)"]
        } catch { return error.description.isEmpty ? ["refused without a word"] : [] }
    }

    private static func client(_ bytes: [UInt8], key: [UInt8]?) -> [String] {
        var client = ClientTransport(key: key)
        do throws(TransportError) {
            return try client.receive(bytes).flatMap { event -> [String] in
                guard case .frame(let frame) = event else { return [] }
                return complaints(about: frame)
            }
        } catch { return error.message.isEmpty ? ["refused without a word"] : [] }
    }

    private static func proxy(_ bytes: [UInt8], key: [UInt8]?) -> [String] {
        var proxy = ServerTransport(key: key, name: "attic-proxy", mac: "c0ffee000001")
        let step = proxy.receive(bytes)
        return step.frames.flatMap { complaints(about: $0) }
            + (step.failure?.message.isEmpty == true ? ["refused without a word"] : [])
    }
}
