import Bluetooth
import DeviceKit
import JSON

extension TapMachine {
    mutating func notified(
        _ characteristic: CharacteristicID, _ bytes: [UInt8], _ effects: inout Effects
    ) {
        guard phase != .offline else { return }
        switch characteristic {
        case GATT.raw: received(frame: bytes, &effects)
        case GATT.taps: if let report = TapReport(bytes) { tapped(report, &effects) }
        case GATT.mouse: if let report = MouseReport(bytes) { moused(report, &effects) }
        case GATT.air: if let report = AirReport(bytes) { gestured(report, &effects) }
        case GATT.battery: publishBattery(bytes, &effects)
        default: break
        }
    }

    private mutating func tapped(_ report: TapReport, _ effects: inout Effects) {
        // Without a finger it tells the keyboard's state only.
        guard report.combination != 0 else { return }
        guard !isInAir else {
            // Other combinations mean nothing there: all three SDKs drop them.
            if let touch = Gesture.touch(ofCombination: report.combination) {
                publish(touch, code: touch.code, &effects)
            }
            return
        }
        guard publishesTaps else { return }
        let keyboard = report.keyboard
        effects.publish(
            "tapped",
            [
                "combination": .integer(Int(report.combination)),
                "fingers": .array(Finger.fingers(of: report.combination).map { .string($0.rawValue) }),
                "repeat": keyboard.map { .integer($0.repetitions) } ?? .null,
                "shift": keyboard?.shift.map { .string($0.rawValue) } ?? .null,
                "switch": keyboard.map { .bool($0.isSwitched) } ?? .null,
            ])
    }

    private func moused(_ report: MouseReport, _ effects: inout Effects) {
        effects.publish(
            "moused",
            [
                "velocity_x": .integer(Int(report.velocityX)), "velocity_y": .integer(Int(report.velocityY)),
                "is_mouse": .bool(report.isMouse), "dt": .integer(Int(report.dt)),
            ])
    }

    private mutating func gestured(_ report: AirReport, _ effects: inout Effects) {
        switch report {
        case .gesture(let gesture, let code): publish(gesture, code: code, &effects)
        case .hand(let posture): effects.publish("hand", .string(hand.take(posture).rawValue))
        case .state(let isInAir):
            self.isInAir = isInAir
            effects.publish("air_mouse", .bool(isInAir))
        case .unknown(let code): effects.remark(.debug, "gesture \(code) is not known")
        }
    }

    private func publish(_ gesture: Gesture, code: UInt8, _ effects: inout Effects) {
        effects.publish("gesture", ["gesture": .string(gesture.rawValue), "code": .integer(Int(code))])
    }

    // MARK: The raw stream

    /// Publishes what a frame holds. A frame does not tell its scale, so one that comes outside raw mode, or in
    /// another program's, says nothing.
    private mutating func received(frame bytes: [UInt8], _ effects: inout Effects) {
        guard case .raw(let sensitivity) = sentMode else { return }
        for message in RawFrame.messages(bytes) {
            effects.count("raw_messages")
            let value = message.report(sensitivity)
            if batch.isOff {
                effects.publish("raw", value)
            } else if batch.add(value) {
                effects.startTimer(Self.batchTimer, after: batch.time)
            }
        }
    }

    mutating func flushBatch(_ effects: inout Effects) {
        if let values = batch.take() { effects.publish("raw", values) }
    }
}
