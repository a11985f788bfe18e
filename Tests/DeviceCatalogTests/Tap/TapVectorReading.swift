import Bluetooth
import DeviceKit
import JSON
import ProtocolVectors

@testable import DeviceCatalog

/// A decoded value, with the keys of the worked examples.
struct TapVectorReading: Sendable {
    var means: JSON.Value
    /// The encoded value; nil for values that only a TAP sends.
    var bytes: [UInt8]?
    /// Keys of the example that other tests check.
    var leftOut: [String] = []

    typealias Reader = @Sendable ([UInt8]) -> TapVectorReading?

    /// The decoder of each kind of example.
    static let readers: [String: Reader] = [
        "input-command": inputCommand, "vibration": vibration, "air-state-request": stateRequest, "tap": tap,
        "mouse": mouse, "air": air, "raw": raw, "version": version, "text": text, "charge": charge,
        "combination": combination,
    ]

    /// Returns a characteristic by its 16-bit UUID, or by the first eight digits.
    static func characteristic(_ name: String?) -> CharacteristicID? {
        (TapGATT.required + TapGATT.optional).first { id in
            id.uuid.description.prefix(8) == name ?? "" || id.description.lowercased() == name?.lowercased()
        }
    }

    private static let inputCommand: Reader = { bytes in
        guard let command = TapInputCommand(bytes), TapInputCommand(bytes.dropLast()) == nil else {
            return nil
        }
        let means: JSON.Value =
            switch command {
            case .mode(let mode): ["mode": .string(mode.rawValue)]
            case .raw(let sensitivity): ["mode": "raw", "sensitivity": words(sensitivity)]
            case .xr(let state): ["xr_state": .string(state.rawValue)]
            }
        return TapVectorReading(means: means, bytes: command.bytes)
    }

    private static let vibration: Reader = { bytes in
        TapHapticSequence(bytes).map { sequence in
            TapVectorReading(
                means: ["durations_ms": .array(sequence.milliseconds.map { .integer($0) })],
                // Durations out of range are decoded but never encoded.
                bytes: TapHapticSequence(milliseconds: sequence.milliseconds)?.bytes ?? [])
        }
    }

    private static let stateRequest: Reader = { bytes in
        bytes.first.map { _ in
            TapVectorReading(means: ["request": "air_mouse_state"], bytes: TapAirReport.stateRequest)
        }
    }

    private static let tap: Reader = { bytes in
        TapReport(bytes).map { report in
            let fingers = TapFinger.fingers(of: report.combination)
            return TapVectorReading(means: [
                "combination": .integer(Int(TapFinger.combination(of: fingers))),
                "fingers": .array(fingers.map { .string($0.rawValue) }),
                "repeat": report.keyboard.map { .integer($0.repetitions) } ?? nil,
                "shift": report.keyboard?.shift.map { .string($0.rawValue) } ?? nil,
                "switch": report.keyboard.map { .bool($0.isSwitched) } ?? nil,
            ])
        }
    }

    private static let combination: Reader = { bytes in
        guard let report = tap(bytes), let fingers = report.means["fingers"] else { return nil }
        return TapVectorReading(means: ["fingers": fingers], leftOut: ["key"])
    }

    private static let mouse: Reader = { bytes in
        TapMouseReport(bytes).map { report in
            var means: JSON.Object = [
                "velocity_x": .integer(Int(report.velocityX)), "velocity_y": .integer(Int(report.velocityY)),
                "is_mouse": .bool(report.isMouse), "dt": .integer(Int(report.dt)),
            ]
            if let roll = report.roll, let pitch = report.pitch, let yaw = report.yaw {
                means["roll"] = .integer(Int(roll))
                means["pitch"] = .integer(Int(pitch))
                means["yaw"] = .integer(Int(yaw))
            }
            return TapVectorReading(means: .object(means))
        }
    }

    private static let air: Reader = { bytes in
        switch TapAirReport(bytes) {
        case .state(let isInAir): TapVectorReading(means: ["air_mouse": .bool(isInAir)])
        case .gesture(let gesture, let code):
            TapVectorReading(means: ["gesture": .string(gesture.rawValue), "code": .integer(Int(code))])
        case .hand(let hand): TapVectorReading(means: ["hand": .string(hand.rawValue)])
        case .unknown, nil: nil
        }
    }

    private static let raw: Reader = { bytes in
        let messages = TapRawFrame.messages(bytes).map { message -> JSON.Value in
            [
                "type": message.kind == .imu ? "imu" : "fingers",
                "timestamp_ms": .integer(Int(message.timestamp)),
                "counts": .array(message.samples.map { .integer(Int($0)) }),
            ]
        }
        return TapVectorReading(means: ["messages": .array(messages)], leftOut: ["sensitivity", "scaled"])
    }

    private static let version: Reader = { bytes in
        guard let text = String(padded: bytes), let version = TapVersion(text) else { return nil }
        return TapVectorReading(means: [
            "text": .string(text), "version": .integer(version.number),
            "xr": .bool(TapVersions(hardware: version).isXR),
        ])
    }

    private static let text: Reader = { bytes in
        String(padded: bytes).map { TapVectorReading(means: ["text": .string($0)]) }
    }

    private static let charge: Reader = { bytes in
        bytes.first.map { TapVectorReading(means: ["level": .integer(Int($0))]) }
    }

    private static func words(_ sensitivity: TapSensitivity) -> JSON.Value {
        [
            "fingers": .integer(Int(sensitivity.fingers)), "gyro": .integer(Int(sensitivity.gyro)),
            "accelerometer": .integer(Int(sensitivity.accelerometer)),
        ]
    }
}
