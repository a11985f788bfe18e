import Bluetooth
import DeviceKit
import JSON

// What the machine wants done, and whether it may.
extension ContractDrive {
    mutating func feed(_ input: Input) {
        for effect in machine.effects(of: input, at: now) { take(effect) }
        checkWill()
    }

    private mutating func take(_ effect: Effect) {
        switch effect {
        case .write(let write):
            checkOperation(write.characteristic)
            operations.append(effect)
        case .read(let id), .subscribe(let id), .unsubscribe(let id):
            checkOperation(id)
            operations.append(effect)
        case .publish(let name, let value): checkReport(name, value)
        case .withdraw(let name):
            if family.feature(name)?.report?.kind != .state {
                complain("withdraws \(name), which is no state")
            }
        case .answer(let id, _):
            if pending.remove(id) == nil { complain("answers command \(id.number) twice") }
        case .startTimer(let name, let delay):
            if delay < .zero { complain("starts \(name) in the past") }
            timers[name] = now + delay
        case .cancelTimer(let name): timers[name] = nil
        case .ready:
            if !isLinked { complain("is ready without a link") }
            isReady = true
        case .fail, .disconnect: wantsDisconnect = isLinked
        case .awaitClearance:
            if !isLinked { complain("waits for clearance without a link") }
        case .latch(let isSet):
            if family.latching == nil { complain("has no latch to keep") }
            if latching != nil { complain("keeps a latch while one is under way") }
            latching = isSet
        case .identify, .remember, .count, .remark: break
        }
    }

    private mutating func checkOperation(_ id: CharacteristicID) {
        if !isLinked { complain("uses \(id) without a link") }
        checkKnown(id)
    }

    private mutating func checkKnown(_ id: CharacteristicID) {
        let requirements = family.requirements
        if !requirements.required.contains(id), !requirements.optional.contains(id) {
            complain("uses \(id), which it did not ask for")
        }
    }

    private mutating func checkReport(_ name: String, _ value: JSON.Value) {
        guard let report = family.feature(name)?.report else {
            return complain("publishes \(name), which it does not declare")
        }
        do throws(CommandError) {
            switch report.payload {
            case .plain(let type, _): _ = try type.check(value, path: name)
            case .object(let fields): _ = try fields.check(value.object ?? [:], path: name)
            }
        } catch {
            complain("publishes \(value) against its declaration: \(error)")
        }
    }

    mutating func checkWill() {
        let will = machine.will
        for write in will.writes + (will.deadlineWrites ?? []) {
            checkKnown(write.characteristic)
            if write.value.isEmpty || write.value.count > 244 { complain("its will does not fit a packet") }
        }
    }

    mutating func complain(_ words: String) { complaints.append("at \(now): \(words)") }
}
