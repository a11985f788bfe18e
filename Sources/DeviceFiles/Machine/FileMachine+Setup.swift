import Bluetooth
import DeviceKit
import JSON

// The setup of a new connection: the machine runs the setup steps of the file, one after another.
extension FileMachine {
    /// The time limit of the setup, to which the time limits of waits and the pauses of its steps are added.
    private static let setupTime = Duration.seconds(20)

    mutating func connected(_ profile: LinkProfile, _ effects: inout Effects) {
        leave(keepsWaiting: true, &effects)
        self.profile = profile
        linkStart = now
        ids = file.characteristics.map { entry in entry.ids.first(where: profile.has) ?? entry.id }
        isPresent = file.characteristics.indices.map {
            file.characteristics[$0].advertised != nil || profile.has(ids[$0])
        }
        if let index = file.characteristics.indices.first(where: {
            !isPresent[$0] && !file.characteristics[$0].isOptional
        }) {
            let missing = file.characteristics[index]
            return fail(
                .notThisFamily,
                "characteristic \(missing.name) (\(missing.id)) of the \(device) is missing", &effects)
        }
        if plan.mayLack, !plan.needsFacts { reportLacking(&effects) }
        phase = .setup
        broadcasts = [:]
        // A device that only advertises is ready when it has sent data that can be used.
        guard file.connecting != .never else { return }
        lineBuffers = file.characteristics.map { $0.lines.map { LineBuffer($0) } }
        if !file.connecting.outlivesLinks { reports = file.features.map { ReportState($0.report) } }
        makeWill()
        beginVisit(&effects)
        let waits = file.setup.reduce(Duration.zero) { total, step in
            guard case .write(let write) = step.action else { return total }
            return total + (write.wait?.limit ?? .zero) + (write.pause ?? .zero)
        }
        startTimer(Self.setupTimer, after: Self.setupTime + waits, &effects)
        beginStep(&effects)
    }

    /// Starts the next step, or completes the setup if no step is left.
    mutating func beginStep(_ effects: inout Effects) {
        while setupStep < file.setup.count,
            !isPresent[file.setup[setupStep].characteristic]
                || !file.setup[setupStep].needs.allSatisfy(holds)
        {
            setupStep += 1
        }
        guard setupStep < file.setup.count else { return becomeReady(&effects) }
        switch file.setup[setupStep].action {
        case .subscribe(let index, _): effects.subscribe(ids[index])
        case .read(let index): read(index, for: .setup, &effects)
        case .write(let step): begin(step, [:], .setup, &effects)
        }
    }

    private mutating func reportLacking(_ effects: inout Effects) {
        lacking = plan.lacking(isPresent, received: lacking.received, holds)
        effects.append(.lack(lacking))
    }

    /// Whether a ``Fact`` holds. If the device has not sent the tested field on this connection, the fact does not
    /// hold.
    private func holds(_ fact: Fact) -> Bool {
        switch fact.subject {
        case .setting(let name): fact.test.holds(settings[name])
        case .field(let feature, let name):
            fact.test.holds(
                file.features[feature].report?.isPlain ?? false
                    ? reports[feature].last : reports[feature].last?[name])
        }
    }

    mutating func advanceSetup(_ effects: inout Effects) {
        setupStep += 1
        beginStep(&effects)
    }

    mutating func subscribed(_ index: Int, _ result: WriteResult, _ effects: inout Effects) {
        guard phase == .setup, setupStep < file.setup.count,
            case .subscribe(index, let elseRead) = file.setup[setupStep].action
        else { return }
        switch result {
        case .success:
            if awaits(index) { unheard.insert(index) }
            advanceSetup(&effects)
        case .failure(let error):
            guard let elseRead, error.code != .notPermitted else { return stepFailed(error, &effects) }
            effects.remark(
                .info,
                "notifications of \(file.characteristics[index].name) are refused, so the value is read periodically: \(error)"
            )
            polls.append((index, elseRead))
            advanceSetup(&effects)
        }
    }

    /// Handles a failed step: the device either requires a bond or cannot be used.
    mutating func stepFailed(_ error: OperationError, _ effects: inout Effects) {
        if error.code == .notPermitted, !profile.isPaired, file.bonding != .none {
            return fail(
                .pairingRequired, "the \(device) refuses clients that are not bonded with it", &effects)
        }
        setupFailed("\(error)", &effects)
    }

    mutating func setupFailed(_ reason: String, _ effects: inout Effects) {
        fail(
            .handshake,
            "step \(setupStep + 1) of setup (line \(file.setup[setupStep].line)) failed: \(reason)", &effects)
    }

    mutating func setupIsLate(_ effects: inout Effects) {
        guard phase == .setup else { return }
        setupFailed("the setup takes too long", &effects)
    }

    mutating func becomeReady(_ effects: inout Effects) {
        cancelTimer(Self.setupTimer, &effects)
        phase = .online
        if plan.needsFacts { reportLacking(&effects) }
        if file.info != DeviceInfo() { effects.append(.identify(file.info)) }
        effects.append(.ready)
        identity = Identity(manufacturer: file.manufacturer)
        identity.begin(profile, &effects)
        if let feature = plan.hapticFeature, plan.obeys(feature, isPresent) { effects.publish(playing: nil) }
        for (index, entry) in file.every.enumerated() {
            startTimer(TimerName("every.\(index)"), after: entry.period, &effects)
        }
        for index in polls.indices { poll(index, &effects) }
        // Commands wait for a visit.
        for lane in lanes.indices { runLane(lane, &effects) }
    }

    /// Closes the connection because the device cannot be used.
    mutating func fail(_ code: DeviceFailure.Code, _ reason: String, _ effects: inout Effects) {
        leave(keepsWaiting: true, &effects)
        phase = .closing
        effects.append(.fail(DeviceFailure(code, reason)))
    }

    // MARK: Repetitions

    mutating func repeatEntry(_ index: Int, _ effects: inout Effects) {
        guard phase == .online else { return }
        let entry = file.every[index]
        startTimer(TimerName("every.\(index)"), after: entry.period, &effects)
        switch entry.action {
        case .read(let characteristic): readAgain(characteristic, &effects)
        case .write(let step):
            guard isPresent[step.characteristic] else { return }
            do throws(CommandError) {
                write(step.characteristic, try bytes(step, [:]), step.kind, for: .nothing, &effects)
            } catch {
                effects.remark(.warning, "a periodic write (every \(entry.period)) failed: \(error)")
            }
        }
    }

    mutating func poll(_ index: Int, _ effects: inout Effects) {
        guard phase == .online, polls.indices.contains(index) else { return }
        startTimer(TimerName("poll.\(index)"), after: polls[index].period, &effects)
        readAgain(polls[index].characteristic, &effects)
    }

    private mutating func readAgain(_ index: Int, _ effects: inout Effects) {
        // A value is not read again while a previous read of it is unanswered.
        let isUnderWay = reads.contains { $0.characteristic == index && $0.purpose == .repetition }
        if isPresent[index], !isUnderWay { read(index, for: .repetition, &effects) }
    }

    mutating func read(_ index: Int, for purpose: ReadPurpose, _ effects: inout Effects) {
        reads.append((index, purpose))
        effects.read(ids[index])
    }

    mutating func readCompleted(_ index: Int, _ result: ReadResult, _ effects: inout Effects) {
        guard let place = reads.firstIndex(where: { $0.characteristic == index }) else { return }
        let purpose = reads.remove(at: place).purpose
        if case .success(let bytes) = result { wasRead(index, bytes, &effects) }
        switch (purpose, result) {
        case (.setup, .success): if phase == .setup { advanceSetup(&effects) }
        case (.setup, .failure(let error)): if phase == .setup { stepFailed(error, &effects) }
        case (.readBack(let owner), _): valueRead(owner, result, &effects)
        case (.step(let owner), _): stepRead(owner, result, &effects)
        case (.repetition, .failure(let error)):
            effects.remark(.debug, "a read of \(file.characteristics[index].name) failed: \(error)")
        case (.repetition, .success): break
        }
    }
}
