import Bluetooth
import DeviceKit

extension TapMachine {
    mutating func notified(_ characteristic: CharacteristicID, _ bytes: [UInt8], _ effects: inout Effects) {
        guard phase != .offline else { return }
        switch characteristic {
        case TapGATT.frames: if isFramed { received(frame: bytes, &effects) }
        case TapGATT.raw:
            if case .raw(let ranges) = sentMode { measured(TapRawFrame.messages(bytes), ranges, &effects) }
        case TapGATT.taps: if let report = TapReport(bytes) { tapped(report, &effects) }
        case TapGATT.mouse:
            if let report = TapMouseReport(bytes) { moved(report, &effects) }
        case TapGATT.air: if let report = TapAirReport(bytes) { gestured(report, &effects) }
        case TapGATT.battery: publishBattery(bytes, &effects)
        default: break
        }
    }

    mutating func tapped(_ report: TapReport, _ effects: inout Effects) {
        // While the air mouse is on, two combinations are touches. All other combinations remain taps (tap-python-sdk
        // 1.0.0).
        if isInAir, let touch = TapGesture.touch(ofCombination: report.combination) {
            return publish(touch, code: touch.code, &effects)
        }
        guard publishesTaps else { return }
        if report.combination != 0 {
            TapFamily.tapped.publish(Tapped(report), &effects)
        } else if let keyboard = report.keyboard {
            // A report without fingers contains only the state of the keyboard.
            TapFamily.keyboard.publish(keyboard, &effects)
        }
    }

    private mutating func gestured(_ report: TapAirReport, _ effects: inout Effects) {
        switch report {
        case .gesture(let gesture, let code): publish(gesture, code: code, &effects)
        case .hand(let posture):
            let filtered = hand.take(posture)
            TapFamily.hand.publish(filtered, &effects)
            pointed(filtered, &effects)
        case .state(let isInAir):
            if self.isInAir, !isInAir { endPointer(&effects) }
            self.isInAir = isInAir
            TapFamily.airMouse.publish(isInAir, &effects)
        case .unknown(let code): effects.remark(.debug, "the TAP reported an unknown gesture, code \(code)")
        }
    }

    private func publish(_ gesture: TapGesture, code: UInt8, _ effects: inout Effects) {
        TapFamily.gesture.publish(.init(gesture: gesture, code: code), &effects)
    }

    // MARK: The raw stream

    /// Publishes measurements in physical units. A measurement does not contain its scale, so callers drop measurements
    /// whose ranges are unknown, for instance if another program started raw mode.
    mutating func measured(
        _ messages: [TapRawMessage], _ sensitivity: TapSensitivity, _ effects: inout Effects
    ) {
        for message in messages {
            effects.count("raw_messages")
            let report = TapRawReport(message, sensitivity)
            if batch.isOff {
                TapFamily.raw.publish(report, &effects)
            } else if batch.add(TapFamily.raw.report(report)) {
                effects.startTimer(Self.batchTimer, after: batch.time)
            }
        }
    }

    mutating func flushBatch(_ effects: inout Effects) {
        if let values = batch.take() { effects.publish(TapFamily.raw.name, values) }
    }
}
