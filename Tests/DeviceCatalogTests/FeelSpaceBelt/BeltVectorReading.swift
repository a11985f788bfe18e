import Bluetooth
import JSON

@testable import DeviceCatalog

/// A decoded packet, with the keys of the worked examples.
struct BeltVectorReading: Sendable {
    var means: JSON.Value
    /// The encoded packet.
    var bytes: [UInt8]
    /// The minimum number of bytes; 0 if the length has no meaning.
    var minimum = 0
    /// Whether additional bytes are ignored.
    var takesMore = true

    typealias Reader = @Sendable ([UInt8]) -> BeltVectorReading?

    /// The decoder of each kind of example.
    static let readers: [String: Reader] = [
        "parameter-request": request, "vibration": vibration, "sound": sound, "keep-alive-reply": reply,
        "keep-alive": keepAlive, "button": button, "parameter": parameter, "battery": battery,
        "orientation": orientation, "firmware": firmware, "debug": debug, "sensor": sensor,
        "debug-request": debugRequest, "sensor-command": sensorCommand,
    ]

    private static let request: Reader = { bytes in
        guard let request = BeltParameterRequest(bytes) else { return nil }
        func set(_ name: String, _ value: JSON.Value, persist: Bool? = nil) -> JSON.Value {
            var object: JSON.Object = ["set": .string(name), "to": value]
            if let persist { object["persist"] = .bool(persist) }
            return .object(object)
        }
        let means: JSON.Value =
            switch request {
            case .read(let parameter): ["read": .string(name(of: parameter))]
            case .setMode(let mode): set("mode", .string(mode.name))
            case .setIntensity(let value, let feedback):
                ["set": "intensity", "to": .integer(Int(value)), "feedback": .bool(feedback)]
            case .setBasicHeadingOffset(let value): set("heading_offset", .integer(Int(value)))
            case .setHeadingOffset(let value, let persist):
                set("heading_offset", .integer(Int(value)), persist: persist)
            case .setAccuracySignal(let signal, let persist):
                set("accuracy_signal", .string(signal.name), persist: persist)
            case .setFrontRange(let range): set("front_range", numbers(range))
            case .setOrientationPeriod(let period): set("orientation_period", .integer(Int(period)))
            case .setPairingRequired(let value, let persist):
                set("pairing_required", .bool(value), persist: persist)
            case .rename(let suffix): set("name", .string(String(decoding: suffix, as: UTF8.self)))
            case .reset(let parameters, let bluetooth, let sensors):
                [
                    "reset": .array(
                        zip(["parameters", "bluetooth", "sensors"], [parameters, bluetooth, sensors])
                            .filter(\.1).map { .string($0.0) })
                ]
            }
        let isName = if case .rename = request { true } else { false }
        return BeltVectorReading(means: means, bytes: request.bytes, minimum: 2, takesMore: !isName)
    }

    private static let sound: Reader = { bytes in
        guard let tone = BeltTone(bytes) else { return nil }
        let name = BeltTone.named.first { $0.tone == tone }?.name
        let steps = tone.steps.map { (hertz: Double($0.frequency) * 31.25, time: Int($0.duration) * 10) }
        let again = BeltTone(steps.map { BeltTone.Step(hertz: $0.hertz, milliseconds: $0.time) })
        return BeltVectorReading(
            means: [
                "sound": name.map { .string($0) } ?? nil,
                "steps": .array(steps.map { [.number($0.hertz), .integer($0.time)] }),
            ], bytes: again.bytes, minimum: tone.bytes.count)
    }

    private static let reply: Reader = { _ in
        BeltVectorReading(means: ["reply": "keep_alive"], bytes: BeltKeepAlive.reply)
    }

    private static let keepAlive: Reader = { bytes in
        guard let mode = BeltKeepAlive(bytes)?.mode else { return nil }
        return BeltVectorReading(
            means: ["mode": .string(mode.name)], bytes: BeltKeepAlive(mode).bytes, minimum: 2)
    }

    private static let button: Reader = { bytes in
        BeltButtonPress(bytes).map { press in
            BeltVectorReading(
                means: [
                    "button": .string(press.button.name), "press": press.isLong ? "long" : "short",
                    "press_code": .integer(Int(press.pressType)),
                    "previous_mode": .string(press.previousMode.name), "mode": .string(press.mode.name),
                ], bytes: press.bytes, minimum: 5)
        }
    }

    private static let parameter: Reader = { bytes in
        guard let notification = BeltParameterNotification(bytes), let content = notification.content else {
            return nil
        }
        let value: JSON.Value =
            switch content {
            case .mode(let mode): .string(mode.name)
            case .intensity(let value), .gyroscopeStatus(let value): .integer(Int(value))
            case .headingOffset(let value), .orientationPeriod(let value): .integer(Int(value))
            case .name(let name): .string(name)
            case .accuracySignal(let signal): .string(signal.name)
            case .frontRange(let range): numbers(range)
            case .magnetometerError(let value): .number(Double(value))
            case .calibration(let x, let y, let z): .array([x, y, z].map { .number(Double($0)) })
            case .pairingRequired(let value): .bool(value)
            }
        let isError = if case .magnetometerError = content { true } else { false }
        let name = isError ? "magnetometer_error" : name(of: notification.parameter)
        return BeltVectorReading(
            means: ["parameter": .string(name), "value": value],
            bytes: BeltParameterNotification(notification.parameter, content).bytes, minimum: 3,
            takesMore: notification.parameter != .orientationPeriod)
    }

    private static let firmware: Reader = { bytes in
        BeltFirmwareInformation(bytes).map { information in
            BeltVectorReading(
                means: [
                    "version": .integer(Int(information.version)),
                    "variant": information.variant.map { .integer(Int($0)) } ?? nil,
                ], bytes: information.bytes, minimum: 2)
        }
    }

    private static func numbers(_ range: BeltFrontRange) -> JSON.Value {
        .array([Int(range.first), Int(range.second), Int(range.app), Int(range.last)].map { .integer($0) })
    }

    private static func name(of parameter: BeltParameter) -> String {
        let names: [BeltParameter: String] = [
            .mode: "mode", .intensity: "intensity", .headingOffset: "heading_offset", .name: "name",
            .extendedIntensity: "extended_intensity", .extendedHeadingOffset: "extended_heading_offset",
            .accuracySignal: "accuracy_signal", .frontRange: "front_range",
            .orientationPeriod: "orientation_period", .pairingRequired: "pairing_required",
            .magnetometerOffsets: "magnetometer_offsets", .magnetometerGains: "magnetometer_gains",
            .gyroscopeOffsets: "gyroscope_offsets", .gyroscopeStatus: "gyroscope_status",
        ]
        return names[parameter] ?? "\(parameter)"
    }
}
