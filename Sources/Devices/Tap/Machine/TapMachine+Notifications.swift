import Bluetooth
import DeviceKit

extension TapMachine {
    mutating func notified(
        _ characteristic: CharacteristicID, _ bytes: [UInt8], _ effects: inout Effects
    ) {
        guard phase != .offline else { return }
        switch characteristic {
        case TapGATT.raw: received(frame: bytes, &effects)
        case TapGATT.taps: if let report = TapReport(bytes) { tapped(report, &effects) }
        case TapGATT.mouse:
            if let report = TapMouseReport(bytes) { TapFamily.moused.publish(report, &effects) }
        case TapGATT.air: if let report = TapAirReport(bytes) { gestured(report, &effects) }
        case TapGATT.battery: publishBattery(bytes, &effects)
        default: break
        }
    }

    private mutating func tapped(_ report: TapReport, _ effects: inout Effects) {
        // Without a finger it tells the keyboard's state only.
        guard report.combination != 0 else { return }
        guard !isInAir else {
            // Other combinations mean nothing there: all three SDKs drop them.
            if let touch = TapGesture.touch(ofCombination: report.combination) {
                publish(touch, code: touch.code, &effects)
            }
            return
        }
        guard publishesTaps else { return }
        TapFamily.tapped.publish(report, &effects)
    }

    private mutating func gestured(_ report: TapAirReport, _ effects: inout Effects) {
        switch report {
        case .gesture(let gesture, let code): publish(gesture, code: code, &effects)
        case .hand(let posture): TapFamily.hand.publish(hand.take(posture), &effects)
        case .state(let isInAir):
            self.isInAir = isInAir
            TapFamily.airMouse.publish(isInAir, &effects)
        case .unknown(let code): effects.remark(.debug, "gesture \(code) is not known")
        }
    }

    private func publish(_ gesture: TapGesture, code: UInt8, _ effects: inout Effects) {
        TapFamily.gesture.publish(.init(gesture: gesture, code: code), &effects)
    }

    // MARK: The raw stream

    /// Publishes what a frame holds. A frame does not tell its scale, so one that comes outside raw mode, or in
    /// another program's, says nothing.
    private mutating func received(frame bytes: [UInt8], _ effects: inout Effects) {
        guard case .raw(let sensitivity) = sentMode else { return }
        for message in TapRawFrame.messages(bytes) {
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
