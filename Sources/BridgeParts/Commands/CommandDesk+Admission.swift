package import DeviceKit

// The checks that a command passes before it reaches the state machine.
extension CommandDesk {
    /// What the checks must know about the device and the time.
    package struct Situation {
        /// The device's name, for error messages.
        package var name: String
        package var now: Duration
        package var date: TimeStamp
        package var clock: ExpiryClock
        /// Decides whether the device may move; nil for a device that cannot cause injury.
        package var gate: MotionGate?
        /// Whether the device is connected and its handshake is complete.
        package var isReady: Bool
        /// Whether the session manages its device, so that a command can wait until the device is usable.
        package var isOpen: Bool

        package init(
            name: String, now: Duration, date: TimeStamp, clock: ExpiryClock, gate: MotionGate? = nil,
            isReady: Bool, isOpen: Bool
        ) {
            self.name = name
            self.now = now
            self.date = date
            self.clock = clock
            self.gate = gate
            self.isReady = isReady
            self.isOpen = isOpen
        }
    }

    /// The result of the checks for a command that passed them.
    package struct Admission {
        package var id: CommandID
        package var arguments: Arguments
        /// Whether the device is already in the requested state, so that the command is answered immediately.
        package var isDone: Bool
        /// Whether the command is a stop that shares the answer of a stop under way.
        package var isAbsorbed = false
    }

    /// The maximum age of a command with the trait `fleeting`, such as a command that drives a robot. An older command
    /// is refused.
    private static let freshness = Duration.milliseconds(250)

    /// Checks a command and adds it to the open commands.
    ///
    /// - Parameter offline: The error for a device that accepts no commands.
    /// - Throws: The reason for the refusal. A stop, or switching off something hazardous, is refused only by a device
    ///   that is offline.
    package mutating func admit(
        _ request: CommandRequest, _ situation: Situation, offline: @autoclosure () -> CommandError
    ) throws(CommandError) -> Admission {
        guard let entry = request.entry else {
            throw unknownFeature(request, situation.name)
        }
        let (traits, off) = (entry.command.traits, family.readOff(request, entry.command))
        let isStop = entry.isStop || off != nil
        if !isStop {
            // The size is checked before the age, because receiving a large payload can itself delay the bridge.
            try CommandGate.checkSize(request)
            try checkAge(request, traits, now: situation.now)
        }
        guard isStop || traits.contains(.latest) || rateLimit.take(at: situation.now) else {
            throw CommandError(.rateLimited, "at most \(rateLimit.perSecond) commands a second are accepted")
        }
        let invocation =
            if let off { off } else {
                try CommandGate.admit(
                    request, entry.command, now: situation.now, date: situation.date, clock: situation.clock,
                    stop: features.stops.first { $0 == "stop" })
            }
        guard request.collector == nil || family.takesFromGroup(request.feature, invocation.arguments) else {
            throw CommandError(
                .notSupported, "\(request.feature): not accepted from a group: send it to the device itself")
        }
        guard open.count < WaitingCommands.capacity || isStop else {
            throw CommandError(.busy, "\(WaitingCommands.capacity) commands are already waiting")
        }
        guard situation.isReady || traits.contains(.kept) && situation.isOpen else { throw offline() }
        let arguments = try resolve(request, invocation.arguments, now: situation.now, date: situation.date)
        let verdict = situation.gate?.judge(
            family.motionRequest(request.feature, arguments), at: situation.now)
        if case .refused(let error) = verdict { throw error }
        let command = PendingCommand(
            request: request, id: invocation.id, isQuiet: traits.contains(.latest))
        if isStop, let leader = absorbed.absorb(command, request.feature, arguments) {
            return Admission(id: leader, arguments: arguments, isDone: false, isAbsorbed: true)
        }
        let id = open.open(command, at: situation.now)
        if isStop { absorbed.begin(id, request.feature, arguments) }
        return Admission(id: id, arguments: arguments, isDone: verdict == .alreadyAtRest)
    }

    /// Refuses a command if a stop arrived after it. Also refuses a command that is, or may be, too old to move the
    /// device.
    private func checkAge(
        _ request: CommandRequest, _ traits: Command.Traits, now: Duration
    ) throws(CommandError) {
        if let stopArrival, request.arrival < stopArrival { throw Self.dropped }
        let isOld = traits.contains(.fleeting) && now - request.arrival > Self.freshness
        guard !isQuarantined, !isOld else {
            throw CommandError(
                .stall, "the bridge was delayed; commands sent during the delay are not carried out")
        }
    }

    private func unknownFeature(_ request: CommandRequest, _ name: String) -> CommandError {
        request.feature == Feature.hapticName
            ? CommandError(.notSupported, "\(name) is a \(family.displayName), which cannot vibrate")
            : .unknownFeature(
                request, of: name, among: features.commands, isReport: features[request.feature] != nil)
    }
}
