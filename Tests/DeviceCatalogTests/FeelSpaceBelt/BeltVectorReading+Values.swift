import Bluetooth
import JSON

@testable import DeviceCatalog

extension BeltVectorReading {
    static let vibration: Reader = { bytes in
        guard let command = BeltVibrationCommand(bytes) else { return nil }
        var means: JSON.Object
        switch command {
        case .configure(let channel):
            means = [
                "channel": .integer(Int(channel.channel)), "pattern": .string(name(of: channel.pattern)),
                "intensity": intensity(channel.intensity), "place": words(channel.place),
                "iterations": iterations(channel.iterations), "period_ms": .integer(Int(channel.period)),
                "start_ms": .integer(Int(channel.start)), "exclusive": .bool(channel.isExclusive),
                "clears_others": .bool(channel.clearsOthers),
            ]
        case .pulse(let pulse):
            means = [
                "pulse_channel": .integer(Int(pulse.channel)), "place": words(pulse.place),
                "intensity": intensity(pulse.intensity), "on_ms": .integer(Int(pulse.onDuration)),
                "pulses": .integer(Int(pulse.pulses)), "iterations": iterations(pulse.iterations),
                "pulse_period_ms": .integer(Int(pulse.pulsePeriod)),
                "series_period_ms": .integer(Int(pulse.seriesPeriod)), "timer": .string(pulse.timer.name),
                "exclusive": .bool(pulse.isExclusive), "clears_others": .bool(pulse.clearsOthers),
            ]
        case .system(let signal): means = ["system_signal": .string(signal.name)]
        case .stop(let channel): means = ["stop": channel.map { .integer(Int($0)) } ?? "all"]
        }
        means["outside_app_mode"] = .bool(command.isAcceptedOutsideAppMode)
        return BeltVectorReading(means: .object(means), bytes: command.bytes, minimum: command.bytes.count)
    }

    static let battery: Reader = { bytes in
        BeltBatteryStatus(bytes).map { status in
            BeltVectorReading(
                means: [
                    "power": .string(status.power.name), "level": .number(status.level),
                    "remaining_s": .number(status.remaining),
                    "current_ma": status.current.map { .integer(Int($0)) } ?? nil,
                    "voltage_mv": status.voltage.map { .integer(Int($0)) } ?? nil,
                ], bytes: status.bytes, minimum: 5)
        }
    }

    static let orientation: Reader = { bytes in
        BeltOrientationReading(bytes).map { reading in
            BeltVectorReading(
                means: [
                    "heading": .integer(Int(reading.heading)),
                    "box_heading": .integer(Int(reading.boxHeading)), "roll": .integer(Int(reading.roll)),
                    "pitch": .integer(Int(reading.pitch)), "accuracy": .integer(Int(reading.accuracy)),
                    "statuses": .array(
                        [reading.magnetometer, reading.accelerometer, reading.gyroscope, reading.fusion]
                            .map { .integer(Int($0)) }), "accurate": .bool(reading.isAccurate),
                ], bytes: reading.bytes, minimum: 16)
        }
    }

    static let debug: Reader = { bytes in
        guard let message = BeltDebugMessage(bytes) else { return nil }
        let means: JSON.Value =
            switch message {
            case .error(let code): ["error": .integer(Int(code))]
            case .logHeader(let session, let entries, let first, let last):
                [
                    "log": [
                        "session": .integer(Int(session)), "entries": .integer(Int(entries)),
                        "first": .integer(Int(first)), "last": .integer(Int(last)),
                    ]
                ]
            case .logEntry(let code, let milliseconds, let session, let more):
                [
                    "entry": [
                        "code": .integer(Int(code)), "time_ms": .integer(Int(milliseconds)),
                        "session": .integer(Int(session)), "more": .bool(more),
                    ]
                ]
            case .text(let text): ["text": .string(text)]
            case .selfTestStarted(let mask): ["self_test": .integer(Int(mask))]
            case .selfTestFinished(let errors): ["errors": .integer(Int(errors))]
            }
        return BeltVectorReading(means: means, bytes: message.bytes, minimum: message.bytes.count)
    }

    static let debugRequest: Reader = { bytes in
        guard let request = BeltDebugRequest(bytes) else { return nil }
        let means: JSON.Value =
            switch request {
            case .errorLog: ["ask": "error_log"]
            case .selfTest(let mask): ["self_test": mask.map { .integer(Int($0)) } ?? nil]
            }
        return BeltVectorReading(means: means, bytes: request.bytes, minimum: 1)
    }

    static let sensorCommand: Reader = { bytes in
        guard bytes.starts(with: BeltSensorPacket.startCommand) else { return nil }
        return BeltVectorReading(
            means: ["start": "raw_values"], bytes: BeltSensorPacket.startCommand, minimum: 2)
    }

    static let sensor: Reader = { bytes in
        BeltSensorPacket(bytes).map { packet in
            BeltVectorReading(
                means: [
                    "sequence": .integer(Int(packet.sequence)),
                    "records": .array(
                        packet.records.map { record in
                            .array(
                                [Int(record.id), Int(record.x), Int(record.y), Int(record.z)].map {
                                    .integer($0)
                                })
                        }),
                ], bytes: packet.bytes, minimum: 2)
        }
    }

    private static func name(of pattern: BeltPattern) -> String {
        let named = BeltPattern.named + [("none", .none)]
        return named.first { $0.pattern == pattern }?.name ?? "\(pattern.rawValue)"
    }

    private static func intensity(_ percent: UInt8?) -> JSON.Value {
        percent.map { .integer(Int($0)) } ?? "default"
    }

    private static func iterations(_ count: UInt8?) -> JSON.Value {
        count.map { .integer(Int($0)) } ?? "endless"
    }

    private static func words(_ place: BeltPlace) -> JSON.Value {
        switch place {
        case .motors(let mask):
            ["motors": .array((0..<16).filter { mask >> UInt16($0) & 1 == 1 }.map { .integer($0) })]
        case .motor(let index): ["motor": .integer(index)]
        case .angle(let degrees): ["angle": .integer(degrees)]
        case .bearing(let degrees): ["bearing": .integer(degrees)]
        }
    }
}
