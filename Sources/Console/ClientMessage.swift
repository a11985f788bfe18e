import BridgeContract
package import JSON

/// A message from a page of the console to the console's server, over the page's WebSocket.
package enum ClientMessage: Hashable, Sendable {
    case watch([String])
    case publish(id: String?, topic: String, payload: String)
    case press(device: String, hold: String, takesOver: Bool)
    case drive(Drive)
    case release(device: String, hold: String)
    /// Asks which roles allow a user to publish on a topic.
    case may(id: String, topic: String)
    /// Stops a device; all devices if `device` is nil. With an id, the page receives the bridges' answers.
    case stop(device: String?, id: String?)

    /// A drive command from a stick on the page.
    package struct Drive: Hashable, Sendable {
        package var device: String
        package var hold: String
        /// The number of the newest tick that the page received from the console.
        package var tick: Int
        /// The requested motion of the robot: numbers by the names of their fields, such as `speed` and `turn`.
        package var motion: [String: Double]
        /// The id that the answer contains; nil if the page expects no answer.
        package var id: String?

        package init(device: String, hold: String, tick: Int, motion: [String: Double], id: String? = nil) {
            self.device = device
            self.hold = hold
            self.tick = tick
            self.motion = motion
            self.id = id
        }
    }

    /// The reason why a text is not a valid message.
    package struct Complaint: Error, Hashable {
        /// The id of the message, if it could be read.
        package var id: String?
        package var message: String
    }

    /// The maximum number of filters that a page may watch.
    package static let filterLimit = 256

    /// Parses a message.
    ///
    /// - Throws: ``Complaint`` with the value found and the values allowed.
    package init(_ text: [UInt8]) throws(Complaint) {
        let value: JSON.Value
        do { value = try JSON.Value(parsing: text) } catch {
            throw Complaint(id: nil, message: "not a valid message: \(error)")
        }
        guard let object = value.object else {
            throw Complaint(id: nil, message: "found \(value.kind); allowed: an object with type")
        }
        let reader = Reader(object: object)
        switch object["type"]?.string {
        case "watch": self = .watch(try reader.filters())
        case "publish":
            guard let payload = object["payload"]?.string else {
                throw reader.complaint("payload", "a string")
            }
            self = .publish(id: reader.id, topic: try reader.text("topic"), payload: payload)
        case "press":
            self = .press(
                device: try reader.device(), hold: try reader.text("hold"),
                takesOver: object["take_over"]?.bool ?? false)
        case "may":
            guard let id = reader.id else { throw reader.complaint("id", "a string of 1...64 bytes") }
            self = .may(id: id, topic: try reader.text("topic"))
        case "drive": self = .drive(try reader.drive())
        case "release": self = .release(device: try reader.device(), hold: try reader.text("hold"))
        case "stop": self = Self.stop(object)
        default:
            throw reader.complaint("type", "one of watch publish may press drive release stop")
        }
    }

    /// Returns the stop of a device, or of all devices if the device cannot be read.
    package static func stop(_ object: JSON.Object?) -> ClientMessage {
        .stop(device: object?["device"]?.string.flatMap { NameRules.isName($0) ? $0 : nil }, id: id(object))
    }

    /// Returns the stop in a text if it is a short message. This method runs for each text before all other processing,
    /// so it must be fast.
    package static func stop(in text: [UInt8]) -> ClientMessage? {
        guard text.count <= 1024, let object = (try? JSON.Value(parsing: text))?.object,
            object["type"]?.string == "stop"
        else { return nil }
        return stop(object)
    }

    private static func id(_ object: JSON.Object?) -> String? {
        object?["id"]?.string.flatMap { (1...64).contains($0.utf8.count) ? $0 : nil }
    }

    private struct Reader {
        let object: JSON.Object

        var id: String? { ClientMessage.id(object) }

        func complaint(_ key: String, _ allowed: String) -> Complaint {
            let found = object[key].map { String($0.description.prefix(64)) } ?? "nothing"
            return Complaint(id: id, message: "\(key): found \(found); allowed: \(allowed)")
        }

        func text(_ key: String) throws(Complaint) -> String {
            guard let text = object[key]?.string, (1...Filters.lengthLimit).contains(text.utf8.count) else {
                throw complaint(key, "a string of 1...\(Filters.lengthLimit) bytes")
            }
            return text
        }

        func device() throws(Complaint) -> String {
            let name = try text("device")
            guard Filters.isTopic(name), name.utf8.count <= 128 else {
                throw complaint("device", "a device's name")
            }
            return name
        }

        func filters() throws(Complaint) -> [String] {
            let filters = object["filters"]?.array?.compactMap(\.string)
            guard let filters, filters.count == object["filters"]?.array?.count, filters.count <= filterLimit,
                filters.allSatisfy(Filters.isFilter)
            else {
                throw complaint(
                    "filters", "a list of 0...\(filterLimit) topic filters that do not start with $")
            }
            return filters
        }

        func drive() throws(Complaint) -> Drive {
            guard let tick = object["tick"]?.integer else {
                throw complaint("tick", "the number of the newest tick")
            }
            var motion: [String: Double] = [:]
            for key in ["x", "y", "turn", "direction", "speed"] {
                guard let value = object[key] else { continue }
                guard let number = value.double, number.isFinite else { throw complaint(key, "a number") }
                motion[key] = number
            }
            guard !motion.isEmpty else {
                throw complaint("x", "a number; at least one of x, y and turn is required")
            }
            return Drive(
                device: try device(), hold: try text("hold"), tick: tick, motion: motion, id: id)
        }
    }
}
