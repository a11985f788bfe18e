/// A message on the wire: its number and its fields.
public struct Frame: Hashable, Sendable {
    /// The number of the message.
    public var type: UInt16
    /// The encoded fields.
    public var payload: [UInt8]

    /// Creates a frame.
    public init(type: UInt16, payload: [UInt8]) {
        self.type = type
        self.payload = payload
    }
}

extension Message {
    /// Reads a message; nil if its number is unknown.
    ///
    /// - Throws: ``MessageError`` if the fields are invalid.
    public init?(_ frame: Frame) throws(MessageError) {
        guard let message = try Self.read(frame.type, frame.payload[...]) else { return nil }
        self = message
    }

    /// The message on the wire.
    public var frame: Frame {
        let (type, fields) = parts
        return Frame(type: type, payload: fields.encoded)
    }

    private static func read(
        _ type: UInt16, _ payload: ArraySlice<UInt8>
    ) throws(MessageError) -> Message? {
        switch type {
        case 1: .hello(try FieldReader.read(payload))
        case 2: .helloReply(try FieldReader.read(payload))
        case 3: .authentication(try FieldReader.read(payload))
        case 4: .authenticationReply(try FieldReader.read(payload))
        case 5: .disconnect(try FieldReader.read(payload))
        case 6: .disconnectReply(try FieldReader.read(payload))
        case 7: .ping(try FieldReader.read(payload))
        case 8: .pingReply(try FieldReader.read(payload))
        case 9: .deviceInfo(try FieldReader.read(payload))
        case 10: .deviceInfoReply(try FieldReader.read(payload))
        case 36: .time(try FieldReader.read(payload))
        case 66: .subscribe(try FieldReader.read(payload))
        case 68: .device(try FieldReader.read(payload))
        case 69: .connection(try FieldReader.read(payload))
        case 70: .getServices(try FieldReader.read(payload))
        case 71: .services(try FieldReader.read(payload))
        case 72: .servicesDone(try FieldReader.read(payload))
        case 73: .read(try FieldReader.read(payload))
        case 74: .readReply(try FieldReader.read(payload))
        case 75: .write(try FieldReader.read(payload))
        case 76: .readDescriptor(try FieldReader.read(payload))
        case 77: .writeDescriptor(try FieldReader.read(payload))
        case 78: .notify(try FieldReader.read(payload))
        case 79: .notification(try FieldReader.read(payload))
        case 80: .subscribeSlots(try FieldReader.read(payload))
        case 81: .slots(try FieldReader.read(payload))
        case 82: .failure(try FieldReader.read(payload))
        case 83: .writeReply(try FieldReader.read(payload))
        case 84: .notifyReply(try FieldReader.read(payload))
        case 85: .pairing(try FieldReader.read(payload))
        case 86: .unpairing(try FieldReader.read(payload))
        case 87: .unsubscribe(try FieldReader.read(payload))
        case 88: .cacheCleared(try FieldReader.read(payload))
        case 93: .advertisements(try FieldReader.read(payload))
        case 124: .setKey(try FieldReader.read(payload))
        case 126: .scannerState(try FieldReader.read(payload))
        case 127: .setScannerMode(try FieldReader.read(payload))
        case 145: .setParameters(try FieldReader.read(payload))
        case 146: .parametersReply(try FieldReader.read(payload))
        case 149: .capabilities(try FieldReader.read(payload))
        case 150: .capabilitiesReply(try FieldReader.read(payload))
        default: nil
        }
    }

    private var parts: (type: UInt16, fields: any Fields) {
        switch self {
        case .hello(let fields): (1, fields)
        case .helloReply(let fields): (2, fields)
        case .authentication(let fields): (3, fields)
        case .authenticationReply(let fields): (4, fields)
        case .disconnect(let fields): (5, fields)
        case .disconnectReply(let fields): (6, fields)
        case .ping(let fields): (7, fields)
        case .pingReply(let fields): (8, fields)
        case .deviceInfo(let fields): (9, fields)
        case .deviceInfoReply(let fields): (10, fields)
        case .time(let fields): (36, fields)
        case .subscribe(let fields): (66, fields)
        case .device(let fields): (68, fields)
        case .connection(let fields): (69, fields)
        case .getServices(let fields): (70, fields)
        case .services(let fields): (71, fields)
        case .servicesDone(let fields): (72, fields)
        case .read(let fields): (73, fields)
        case .readReply(let fields): (74, fields)
        case .write(let fields): (75, fields)
        case .readDescriptor(let fields): (76, fields)
        case .writeDescriptor(let fields): (77, fields)
        case .notify(let fields): (78, fields)
        case .notification(let fields): (79, fields)
        case .subscribeSlots(let fields): (80, fields)
        case .slots(let fields): (81, fields)
        case .failure(let fields): (82, fields)
        case .writeReply(let fields): (83, fields)
        case .notifyReply(let fields): (84, fields)
        case .pairing(let fields): (85, fields)
        case .unpairing(let fields): (86, fields)
        case .unsubscribe(let fields): (87, fields)
        case .cacheCleared(let fields): (88, fields)
        case .advertisements(let fields): (93, fields)
        case .setKey(let fields): (124, fields)
        case .scannerState(let fields): (126, fields)
        case .setScannerMode(let fields): (127, fields)
        case .setParameters(let fields): (145, fields)
        case .parametersReply(let fields): (146, fields)
        case .capabilities(let fields): (149, fields)
        case .capabilitiesReply(let fields): (150, fields)
        }
    }
}

extension Fields {
    fileprivate var encoded: [UInt8] {
        var (writer, fields) = (FieldWriter(), self)
        // Writing never fails, because only a reader checks ranges.
        try? fields.code(&writer)
        return writer.encoded
    }
}
