import Bluetooth
import DeviceKit
import JSON

// Checks of the effects and the will of a machine.
extension ContractDrive {
    /// Checks the effects since the last call.
    mutating func check() {
        for wish in session.wishes.dropFirst(checked) { check(wish) }
        checked = session.wishes.count
        if session.latchings.count > 1 { complain("keeps a latch while one is under way") }
        checkWill()
    }

    private mutating func check(_ wish: MachineHarness.Wish) {
        if let operation = LinkOperation(wish.effect) {
            if !wish.isLinked { complain("uses \(operation.characteristic) without a link") }
            checkKnown(operation.characteristic)
        }
        switch wish.effect {
        case .publish(let name, let value): checkReport(name, value)
        case .withdraw(let name):
            if family.feature(name)?.report?.kind != .state {
                complain("withdraws \(name), which is no state")
            }
        case .answer(let id, _):
            if pending.remove(id.number) == nil { complain("answers command \(id.number) twice") }
        case .startTimer(let name, let delay):
            if delay < .zero { complain("starts \(name) in the past") }
        case .ready:
            if !wish.isLinked { complain("is ready without a link") }
            if family.requirements.isSafetyCritical, session.machine.will.writes.isEmpty {
                complain("is ready without a will, so that no guardian watches over it and nothing moves it")
            }
        case .awaitClearance: if !wish.isLinked { complain("waits for clearance without a link") }
        case .latch: if family.latching == nil { complain("has no latch to keep") }
        case .lack(let lacking):
            let names = Set(family.features.map(\.name))
            if !lacking.reports.union(lacking.commands).isSubset(of: names) {
                complain("lacks what it does not declare")
            }
        case .write, .read, .subscribe, .unsubscribe, .cancelTimer, .fail, .disconnect, .identify,
            .remember, .count, .command, .relay, .remark:
            break
        }
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
            case .plain where report.isNullable && value == .null: break
            case .plain(let type, _): _ = try type.check(value, path: name)
            case .object(let fields): _ = try fields.check(value.object ?? [:], path: name)
            }
        } catch {
            complain("publishes \(value) against its declaration: \(error)")
        }
    }

    mutating func checkWill() {
        let will = session.machine.will
        for write in will.writes + (will.deadlineWrites ?? []) {
            checkKnown(write.characteristic)
            if write.value.isEmpty || write.value.count > 244 { complain("its will does not fit a packet") }
        }
    }

    mutating func complain(_ words: String) { complaints.append("at \(session.now): \(words)") }
}
