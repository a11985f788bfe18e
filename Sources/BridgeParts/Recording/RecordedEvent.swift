package import Bluetooth
package import DeviceKit
package import JSON
package import Messages

package enum RecordedEvent {
    /// A link is established; `isStanding` is true if it existed when the recording started.
    case link(LinkProfile, adapter: String, isStanding: Bool)
    /// A link could not be established, with the reason.
    case noLink(String)
    /// A bond was created, or failed with a reason.
    case bond(failure: String?)
    /// The bridge closes the link, with the reason.
    case close(String)
    /// The link is lost, with the reason.
    case lost(String)
    /// The bridge started an operation on the link, such as a write.
    case begun(LinkOperation)
    case ended(LinkOperation, Result<[UInt8], OperationError>)
    case notification(CharacteristicID, [UInt8])
    /// The device advertised data that differ from its last data.
    case advertised(Broadcast)
    /// A command for the device arrived.
    case command(CommandRequest)
    /// A message was published on the device's topics, or an answer on its Response Topic.
    case message(OutgoingMessage, isPrivate: Bool)

    /// Adds the event's members to a line.
    ///
    /// - Parameter address: The device's address, or its alias.
    package func write(
        to line: inout JSON.Object, of subject: Recorder.Subject, address: Address, includesPrivate: Bool
    ) {
        func put(_ characteristic: CharacteristicID, _ bytes: [UInt8]) {
            line["characteristic"] = .string(Self.text(characteristic))
            if !includesPrivate, subject.family.privateCharacteristics.contains(characteristic) {
                line["length"] = .integer(bytes.count)
            } else {
                line["hex"] = .string(Hex.string(bytes))
            }
        }
        switch self {
        case .link(let profile, let adapter, let isStanding):
            line["event"] = "link"
            line["family"] = .string(subject.family.name)
            line["address"] = .string(address.description)
            line["settings"] = .object(subject.settings.values)
            line["adapter"] = .string(adapter)
            if isStanding { line["standing"] = true }
            Self.write(profile, to: &line)
        case .noLink(let reason): (line["event"], line["reason"]) = ("no_link", .string(reason))
        case .bond(let failure):
            line["event"] = "bond"
            if let failure { line["reason"] = .string(failure) }
        case .close(let reason): (line["event"], line["reason"]) = ("close", .string(reason))
        case .lost(let reason): (line["event"], line["reason"]) = ("lost", .string(reason))
        case .begun(.write(let write)):
            line["event"] = "write"
            put(write.characteristic, write.value)
            line["response"] = .bool(write.kind == .withResponse)
        case .begun(let operation):
            line["event"] = .string(operation.word)
            line["characteristic"] = .string(Self.text(operation.characteristic))
        case .ended(let operation, .success(let bytes)):
            line["event"] = .string(operation.word)
            put(operation.characteristic, bytes)
        case .ended(let operation, .failure(let error)):
            line["event"] = "failed"
            line["operation"] = .string(operation.word)
            line["characteristic"] = .string(Self.text(operation.characteristic))
            line["code"] = .string(error.code.rawValue)
            line["reason"] = .string(error.message)
        case .notification(let characteristic, let bytes):
            line["event"] = "notify"
            put(characteristic, bytes)
        case .advertised(let broadcast):
            line["event"] = "advertise"
            let services = broadcast.serviceData.sorted { $0.key < $1.key }.map {
                ($0.key.description, JSON.Value.string(Hex.string($0.value)))
            }
            let companies = broadcast.manufacturerData.sorted { $0.key < $1.key }.map {
                (String($0.key), JSON.Value.string(Hex.string($0.value)))
            }
            if !services.isEmpty { line["service_data"] = .object(JSON.Object(services)) }
            if !companies.isEmpty { line["manufacturer_data"] = .object(JSON.Object(companies)) }
        case .command(let request):
            line["event"] = "command"
            line["feature"] = .string(request.feature)
            Self.put(request.payload, to: &line, isHidden: request.isTooLarge, size: request.payloadSize)
            if let topic = request.responseTopic { line["response_topic"] = .string(topic) }
            if request.isRetained { line["retain"] = true }
            if request.collector != nil { line["group"] = true }
        case .message(let message, let isPrivate):
            line["event"] = "publish"
            line["topic"] = .string(message.topic)
            Self.put(
                message.payload, to: &line, isHidden: isPrivate && !includesPrivate,
                size: message.payload.count)
            line["kind"] = .string(message.policy.word)
        }
    }

    /// Whether the event gets a line in the recording. A read gets its line when the value arrives, any other operation
    /// when it is sent.
    package var isNews: Bool {
        switch self {
        case .begun(.read), .ended(.write, .success), .ended(.subscribe, .success),
            .ended(.unsubscribe, .success):
            false
        default: true
        }
    }

    /// A service and a characteristic, in short form if they have one: `180f/2a19`.
    package static func text(_ id: CharacteristicID) -> String { "\(text(id.service))/\(text(id.uuid))" }

    private static func text(_ uuid: UUID) -> String {
        uuid.short.map { Hex.string(UInt64($0), digits: 4) } ?? uuid.description
    }

    private static func put(_ payload: [UInt8], to line: inout JSON.Object, isHidden: Bool, size: Int) {
        if isHidden {
            line["length"] = .integer(size)
        } else if let text = String(validating: payload, as: UTF8.self) {
            line["payload"] = .string(text)
        } else {
            line["payload_hex"] = .string(Hex.string(payload))
        }
    }

    private static func write(_ profile: LinkProfile, to line: inout JSON.Object) {
        line["name"] = profile.name.map { .string($0) } ?? .null
        line["mtu"] = .integer(profile.mtu)
        line["paired"] = .bool(profile.isPaired)
        line["services"] = .array(profile.services.sorted().map { .string(text($0)) })
        let characteristics = profile.characteristics.map { (text($0.key), $0.value) }.sorted { $0.0 < $1.0 }
        line["characteristics"] = .object(
            JSON.Object(
                characteristics.map { id, properties in
                    (id, .array(properties.words.map { .string($0) }))
                }))
    }
}

extension LinkOperation {
    /// The operation's name in a line of a recording.
    fileprivate var word: String {
        switch self {
        case .write: "write"
        case .read: "read"
        case .subscribe: "subscribe"
        case .unsubscribe: "unsubscribe"
        }
    }
}

extension OutgoingMessage.Policy {
    /// The name in a recording of how the message was published, such as a retained state.
    fileprivate var word: String {
        switch self {
        case .state: "state"
        case .event: "event"
        case .stream: "stream"
        case .reply: "reply"
        }
    }
}
