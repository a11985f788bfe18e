import Bluetooth
import DeviceKit
import JSON

// Carries out commands: each command waits in a queue, is written step by step, and is answered once.
extension FileMachine {
    mutating func take(_ id: CommandID, _ name: String, _ arguments: Arguments, _ effects: inout Effects) {
        guard phase == .online || plan.isVisited else {
            return effects.answer(id, .failed(.deviceOffline, "the \(device) is not connected"))
        }
        do throws(CommandError) {
            if name == "stop", !file.stop.isEmpty { return stopCommanded(id, &effects) }
            if name == Feature.hapticName, plan.strengths != nil {
                return try playHaptic(id, arguments, &effects)
            }
            guard let index = file.features.firstIndex(where: { $0.name == name && $0.command != nil }) else {
                throw CommandError(.unknownFeature, "a \(device) has no command \(name)")
            }
            try requirePresence(index)
            // A command replaces a pattern that plays through the same feature.
            if index == plan.hapticFeature { endHaptic(isReplaced: true, &effects) }
            var values = arguments.values
            for key in ["confirm", "hold", "echo"] { values[key] = nil }
            try enqueue(Run(feature: index, command: id, values: dimmed(index, values)), &effects)
        } catch {
            effects.answer(id, .failed(error))
        }
    }

    /// Scales the color of a command, or the last color, so that its greatest part is the brightness in the command. A
    /// lamp without a known color becomes white.
    private func dimmed(_ feature: Int, _ values: JSON.Object) -> JSON.Object {
        guard let color = file.features[feature].command?.dimmed,
            let brightness = values[ReportEntry.brightness]?.integer
        else { return values }
        var values = values
        values[ReportEntry.brightness] = nil
        let parts = (values[color] ?? reports[feature].last?[color])?.array?.compactMap(\.integer) ?? []
        let top = parts.max() ?? 0
        // White has three equal parts.
        let scaled =
            top > 0
            ? parts.map { ($0 * brightness + top / 2) / top } : Array(repeating: brightness, count: 3)
        values[color] = .array(scaled.map { .integer($0) })
        return values
    }

    /// Throws if the command needs an optional characteristic that this device lacks.
    func requirePresence(_ feature: Int) throws(CommandError) {
        let entry = file.features[feature]
        if let step = entry.command?.steps.first(where: { !isPresent[$0.characteristic] }) {
            throw CommandError(
                .notSupported,
                "this \(device) lacks the characteristic \(file.characteristics[step.characteristic].name)")
        }
        if !entry.needs.isEmpty, lacking.commands.contains(entry.name) {
            throw CommandError(.notSupported, "this \(device) does not support \(entry.name)")
        }
    }

    /// Appends a command to its ``Lane``. For a feature with the trait `latest`, the new command replaces the command
    /// that waits. The replaced command is answered with `"superseded":true`.
    mutating func enqueue(_ run: Run, _ effects: inout Effects) throws(CommandError) {
        let lane = plan.lanes[run.feature]
        let isLatest = run.isPattern || file.features[run.feature].command?.isLatest ?? false
        if isLatest, let index = lanes[lane].waiting.lastIndex(where: { $0.feature == run.feature }) {
            if let id = lanes[lane].waiting[index].command { effects.answer(id, .superseded) }
            lanes[lane].waiting[index] = run
        } else {
            guard lanes[lane].waiting.count < Lane.limit else {
                throw CommandError(.busy, "\(Lane.limit) commands are already waiting")
            }
            lanes[lane].waiting.append(run)
        }
        runLane(lane, &effects)
    }

    /// Starts the next command of a lane. If the minimum interval since the previous command has not passed, starts a
    /// timer instead.
    mutating func runLane(_ lane: Int, _ effects: inout Effects) {
        guard phase == .online, lanes[lane].current == nil, let next = lanes[lane].waiting.first else {
            return
        }
        guard now >= lanes[lane].free else {
            return startTimer(TimerName("lane.\(lane)"), after: lanes[lane].free - now, &effects)
        }
        lanes[lane].waiting.removeFirst()
        lanes[lane].current = next
        let command = file.features[next.feature].command
        if let pace = command?.pace { lanes[lane].free = now + pace }
        if next.isPattern {
            release(next.feature, &effects)
        } else if let lease = command?.lease {
            startLease(next.feature, until: (next.command?.arrival ?? now) + lease, &effects)
        }
        beginRunStep(lane, &effects)
    }

    private mutating func beginRunStep(_ lane: Int, _ effects: inout Effects) {
        guard var run = lanes[lane].current, let steps = file.features[run.feature].command?.steps else {
            return
        }
        while run.step < steps.count, !(steps[run.step].condition?.holds(run.values) ?? true) {
            run.step += 1
        }
        lanes[lane].current = run
        guard run.step < steps.count else { return runDone(lane, &effects) }
        begin(steps[run.step], run.values, .lane(lane), &effects)
    }

    mutating func stepDone(_ lane: Int, _ effects: inout Effects) {
        lanes[lane].current?.step += 1
        beginRunStep(lane, &effects)
    }

    private mutating func runDone(_ lane: Int, _ effects: inout Effects) {
        guard let run = lanes[lane].current else { return }
        lanes[lane].current = nil
        let entry = file.features[run.feature]
        if entry.command?.echoes ?? false { echo(run, &effects) }
        if let id = run.command { effects.answer(id, run.answer) }
        runLane(lane, &effects)
    }

    /// Publishes the fields of a command that the device acknowledged. If the report has sources, publishes the values
    /// that the sources decode from the written bytes.
    private mutating func echo(_ run: Run, _ effects: inout Effects) {
        guard let report = file.features[run.feature].report, !report.sources.isEmpty else {
            return publish(run.feature, run.values, &effects)
        }
        for (source, part) in report.sources.enumerated() {
            guard let bytes = run.written[part.characteristic] else { continue }
            hear(FilePlan.Listener(feature: run.feature, source: source), bytes, &effects)
        }
    }

    mutating func runFailed(_ lane: Int, _ error: CommandError, _ effects: inout Effects) {
        guard let run = lanes[lane].current else { return }
        lanes[lane].current = nil
        if let id = run.command { effects.answer(id, .failed(error)) }
        if run.isPattern {
            effects.remark(.debug, "a pattern could not be written: \(error)")
            endHaptic(isReplaced: false, &effects)
        }
        runLane(lane, &effects)
    }

    // MARK: Leases

    private mutating func startLease(_ feature: Int, until end: Duration, _ effects: inout Effects) {
        leases[feature] = end
        startTimer(TimerName("lease.\(feature)"), after: end - now, &effects)
        updateDeadline()
    }

    /// Ends a lease without a write, because a haptic pattern, which ends automatically, replaces the command.
    private mutating func release(_ feature: Int, _ effects: inout Effects) {
        guard leases.removeValue(forKey: feature) != nil else { return }
        cancelTimer(TimerName("lease.\(feature)"), &effects)
        updateDeadline()
    }

    mutating func leaseIsOver(_ feature: Int, _ effects: inout Effects) {
        guard let end = leases[feature], now >= end, phase == .online else { return }
        leases[feature] = nil
        updateDeadline()
        effects.count("lease_ended")
        guard let steps = file.features[feature].command?.end else { return writeStop(for: nil, &effects) }
        for step in steps where isPresent[step.characteristic] {
            writeFixed(step, priority: .ahead, for: .nothing, &effects)
        }
    }

    mutating func writeFixed(
        _ step: WriteStep, priority: Write.Priority, for purpose: Purpose, _ effects: inout Effects
    ) {
        do throws(CommandError) {
            for part in try split(try bytes(step, [:]), step) {
                write(step.characteristic, part, step.kind, priority: priority, for: purpose, &effects)
            }
        } catch {
            effects.remark(
                .warning, "the step in line \(step.line) of the device file cannot be written: \(error)")
        }
    }

    /// Creates the ``Will`` for a new connection: the writes that the guardian makes if the bridge dies.
    mutating func makeWill() {
        will = Will(writes: fixedWrites(file.will))
        stopWrites = fixedWrites(file.stop)
    }

    /// Updates the will's deadline: the end of the shortest lease of a hazardous feature.
    mutating func updateDeadline() {
        guard file.isHazardous, phase != .offline else { return }
        will.deadline = leases.filter { file.features[$0.key].command?.isHazardous ?? false }.values.min()
        will.deadlineWrites = will.deadline == nil ? nil : stopWrites
    }

    private func fixedWrites(_ steps: [WriteStep]) -> [Write] {
        steps.flatMap { step -> [Write] in
            guard isPresent[step.characteristic], let bytes = try? bytes(step, [:]),
                let parts = try? split(bytes, step)
            else {
                return []
            }
            let id = ids[step.characteristic]
            return parts.map { Write(id, $0, step.kind ?? profile.writeKind(id)) }
        }
    }
}
