import Bluetooth
import JSON
import VirtualDevices

/// Encodes reports as the JSON objects that the documentation of the simulator describes.
enum ReportLine {
    static func text(of report: Report) -> String { Value.object(object(of: report)).description }

    static func object(of report: Report) -> Object {
        var object = Object()
        if let device = report.device { object["device"] = .string(device) }
        if let host = report.host { object["host"] = .string(host) }
        switch report.event {
        case .write(let characteristic, let bytes):
            object["event"] = "write"
            object["characteristic"] = .string(characteristic.uuid.description)
            object["hex"] = .string(Hex.string(bytes))
            object["time"] = time(of: report)
        case .link(let isConnected):
            object["event"] = "link"
            object["connected"] = .bool(isConnected)
        case .garbage(let wanted, let sent):
            object["event"] = "garbage"
            object["wanted"] = .integer(wanted)
            object["sent"] = .object(counts(sent))
            object["time"] = time(of: report)
        case .error(let message):
            object["event"] = "error"
            object["message"] = .string(message)
        case .device(let event): add(event, of: report, to: &object)
        }
        return object
    }

    /// Returns the counts by characteristic, in the order of the characteristics.
    private static func counts(_ sent: [CharacteristicID: Int]) -> Object {
        var object = Object()
        for (id, count) in sent.sorted(by: { $0.key.uuid < $1.key.uuid }) {
            object[id.uuid.description] = .integer(count)
        }
        return object
    }

    private static func add(_ event: DeviceReport, of report: Report, to object: inout Object) {
        switch event {
        case .feel(let motors):
            object["event"] = "feel"
            object["motors"] = .array(
                motors.map { ["motor": .integer($0.motor), "intensity": .integer($0.intensity)] })
        case .wheels(let leftFront, let rightFront, let leftRear, let rightRear):
            object["event"] = "wheels"
            object["left_front"] = .integer(leftFront)
            object["right_front"] = .integer(rightFront)
            object["left_rear"] = .integer(leftRear)
            object["right_rear"] = .integer(rightRear)
            object["time"] = time(of: report)
        case .vibrate(let isOn):
            object["event"] = "vibrate"
            object["on"] = .bool(isOn)
            object["time"] = time(of: report)
        case .other(let event, let details):
            object["event"] = .string(event)
            for (key, text) in details.sorted(by: { $0.key < $1.key }) {
                object[key] = Int(text).map { .integer($0) } ?? .string(text)
            }
            object["time"] = time(of: report)
        }
    }

    /// Returns the time of a report in seconds of a monotonic clock, rounded to milliseconds.
    private static func time(of report: Report) -> Value {
        .number((report.time / .milliseconds(1)).rounded() / 1000)
    }
}
