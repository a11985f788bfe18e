import Bluetooth
import DeviceKit
import JSON

// The execution of a step: one write, followed by a wait for an answer, by a read or by a pause.
extension FileMachine {
    mutating func begin(
        _ step: WriteStep, _ values: JSON.Object, _ owner: Execution.Owner, _ effects: inout Effects
    ) {
        if step.content.isRead {
            if case .lane(let lane) = owner, let run = lanes[lane].current {
                coverage?.wrote(run.feature, run.step, step, values)
            }
            executions[owner] = Execution(owner: owner, step: step, bytes: [], stage: .reading)
            return read(step.characteristic, for: .step(owner), &effects)
        }
        let bytes: [UInt8]
        let parts: [[UInt8]]
        do throws(CommandError) {
            bytes = try self.bytes(step, values)
            parts = try split(bytes, step)
        } catch {
            return failed(owner, error, &effects)
        }
        if case .lane(let lane) = owner, let run = lanes[lane].current {
            coverage?.wrote(run.feature, run.step, step, values)
        }
        count(step)
        executions[owner] = Execution(
            owner: owner, step: step, bytes: bytes, stage: .writing(parts.count),
            waiter: step.wait.map { Waiter($0, written: bytes) })
        for part in parts { write(step.characteristic, part, step.kind, for: .step(owner), &effects) }
    }

    /// Advances the counters that a write contains.
    private mutating func count(_ step: WriteStep) {
        guard case .packet(let packet) = step.content else { return }
        for case .number(let field) in packet.items.map(\.content) {
            if let counter = field.counter { counts[counter.place, default: 0] += 1 }
        }
    }

    /// Splits a write into parts that fit the ATT MTU of the connection.
    func split(_ bytes: [UInt8], _ step: WriteStep) throws(CommandError) -> [[UInt8]] {
        let limit = max(20, profile.mtu - 3)
        guard bytes.count > limit else { return [bytes] }
        guard step.splits else {
            throw CommandError(
                .outOfRange,
                "\(file.characteristics[step.characteristic].name): at most \(limit) bytes on this link, got \(bytes.count)"
            )
        }
        return stride(from: 0, to: bytes.count, by: limit).map {
            Array(bytes[$0..<min($0 + limit, bytes.count)])
        }
    }

    mutating func written(_ token: WriteToken, _ result: WriteResult, _ effects: inout Effects) {
        guard let purpose = writes.complete(token) else { return }
        switch purpose {
        case .stop: stopWritten(token, result, &effects)
        case .goodbye: goodbyeWritten(&effects)
        case .nothing:
            if case .failure(let error) = result {
                effects.remark(.debug, "a write that belongs to no command failed: \(error)")
            }
        case .step(let owner):
            guard var execution = executions[owner], case .writing(let count) = execution.stage else {
                return
            }
            if case .failure(let error) = result {
                if case .setup = owner { return stepFailed(error, &effects) }
                return linkFailed(owner, error, &effects)
            }
            execution.stage = .writing(count - 1)
            executions[owner] = execution
            if count == 1 { awaitAnswer(owner, &effects) }
        }
    }

    private mutating func linkFailed(
        _ owner: Execution.Owner, _ error: OperationError, _ effects: inout Effects
    ) {
        failed(owner, CommandError(error), &effects)
        if error.code == .notPermitted, !profile.isPaired, file.bonding != .none, phase == .online {
            fail(.pairingRequired, "the \(device) refuses clients that are not bonded with it", &effects)
        }
    }

    private mutating func awaitAnswer(_ owner: Execution.Owner, _ effects: inout Effects) {
        guard let execution = executions[owner] else { return }
        guard let waiter = execution.waiter else { return readBack(owner, &effects) }
        guard waiter.state == .waiting else { return judge(owner, &effects) }
        executions[owner]?.stage = .waiting
        startTimer(TimerName("wait.\(Self.number(owner))"), after: waiter.entry.limit, &effects)
    }

    /// Passes a notification to the steps that wait for its characteristic. Returns whether any step waits for a
    /// notification of this characteristic.
    mutating func hear(_ index: Int, _ bytes: [UInt8], _ effects: inout Effects) -> Bool {
        guard !executions.isEmpty else { return false }
        let owners = executions.values.filter { $0.waiter?.entry.characteristic == index }.map(\.owner)
        for owner in owners {
            executions[owner]?.waiter?.take(bytes)
            judge(owner, &effects)
        }
        return !owners.isEmpty
    }

    /// Continues with the next step when the data for which this step waits has arrived and all writes of this step are
    /// complete.
    mutating func judge(_ owner: Execution.Owner, _ effects: inout Effects) {
        guard let execution = executions[owner], let waiter = execution.waiter, waiter.state != .waiting
        else { return }
        if case .writing(let count) = execution.stage, count > 0 { return }
        guard [.waiting, .writing(0)].contains(execution.stage) else { return }
        cancelTimer(TimerName("wait.\(Self.number(owner))"), &effects)
        switch waiter.state {
        case .refused(let line):
            let text = withoutSecrets(line).unicodeScalars.map { $0.isInvisible ? " " : String($0) }.joined()
            failed(
                owner, CommandError(.deviceError, "the \(device) answered \"\(text.prefix(80))\""), &effects)
        case .rejected(let values):
            let words = values.members.map { " \($0.key) \($0.value.string ?? $0.value.description)" }
            let reason = words.isEmpty ? "" : ":\(words.joined(separator: ","))"
            var error = CommandError(.deviceError, "the \(device) refused the request\(reason)")
            error.refused = values
            failed(owner, error, &effects)
        case .met(let values):
            answered(owner, values)
            readBack(owner, &effects)
        case .waiting: break
        }
    }

    /// Adds values that the device sent to the answer of a command.
    private mutating func answered(_ owner: Execution.Owner, _ values: JSON.Object) {
        guard case .lane(let lane) = owner, !values.isEmpty,
            case .ok(var members)? = lanes[lane].current?.answer
        else { return }
        var all = members["values"]?.object ?? [:]
        for member in values.members { all[member.key] = member.value }
        members["values"] = .object(all)
        lanes[lane].current?.answer = .ok(members)
    }

    /// Continues a command after the value that its step reads has arrived.
    mutating func stepRead(_ owner: Execution.Owner, _ result: ReadResult, _ effects: inout Effects) {
        guard let execution = executions[owner], case .read(let packet) = execution.step.content else {
            return
        }
        switch result {
        case .failure(let error): linkFailed(owner, error, &effects)
        case .success(let bytes):
            do throws(PacketMisfit) {
                answered(owner, try packet?.read(bytes, utcOffset: profile.utcOffset).values ?? [:])
                pause(owner, &effects)
            } catch {
                let name = file.characteristics[execution.step.characteristic].name
                failed(
                    owner, CommandError(.deviceError, "\(name): \(withoutSecrets(error.description))"),
                    &effects)
            }
        }
    }

    /// Treats the answer for which a step waits as received. The examples of a device file need this, because no real
    /// device answers.
    mutating func meet(_ owner: Execution.Owner, _ effects: inout Effects) {
        executions[owner]?.waiter?.meet()
        judge(owner, &effects)
    }

    mutating func waitIsOver(_ owner: Execution.Owner, _ effects: inout Effects) {
        guard let execution = executions[owner], execution.stage == .waiting else { return }
        let name = execution.waiter.map { file.characteristics[$0.entry.characteristic].name } ?? "it"
        failed(owner, CommandError(.timeout, "the \(device) did not answer on \(name) in time"), &effects)
    }

    private mutating func readBack(_ owner: Execution.Owner, _ effects: inout Effects) {
        guard let execution = executions[owner] else { return }
        guard execution.step.readsBack else { return pause(owner, &effects) }
        executions[owner]?.stage = .reading
        read(execution.step.characteristic, for: .readBack(owner), &effects)
    }

    mutating func valueRead(_ owner: Execution.Owner, _ result: ReadResult, _ effects: inout Effects) {
        guard let execution = executions[owner], execution.stage == .reading else { return }
        switch result {
        case .failure(let error): failed(owner, CommandError(error), &effects)
        case .success(execution.bytes): pause(owner, &effects)
        case .success(let bytes):
            let hex = PacketItem.BytesForm.hex.text(of: bytes[...])
            let found = isSecret(execution.step) ? "a different value" : hex.isEmpty ? "nothing" : hex
            failed(
                owner, CommandError(.deviceError, "the value read back from the \(device) is \(found)"),
                &effects)
        }
    }

    private mutating func pause(_ owner: Execution.Owner, _ effects: inout Effects) {
        guard let time = executions[owner]?.step.pause else { return done(owner, &effects) }
        executions[owner]?.stage = .pausing
        startTimer(TimerName("pause.\(Self.number(owner))"), after: time, &effects)
    }

    mutating func pauseIsOver(_ owner: Execution.Owner, _ effects: inout Effects) {
        if executions[owner]?.stage == .pausing { done(owner, &effects) }
    }

    private mutating func done(_ owner: Execution.Owner, _ effects: inout Effects) {
        let execution = executions.removeValue(forKey: owner)
        switch owner {
        case .setup: if phase == .setup { advanceSetup(&effects) }
        case .lane(let index):
            if let execution, let run = lanes[index].current,
                file.features[run.feature].command?.echoes ?? false
            {
                lanes[index].current?.written[execution.step.characteristic] = execution.bytes
            }
            stepDone(index, &effects)
        }
    }

    private mutating func failed(_ owner: Execution.Owner, _ error: CommandError, _ effects: inout Effects) {
        executions[owner] = nil
        switch owner {
        case .setup: if phase == .setup { setupFailed(error.message, &effects) }
        case .lane(let index): runFailed(index, error, &effects)
        }
    }
}
