package import Bluetooth

/// One write to a device, and the wait, read or pause that follows.
package struct WriteStep: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case packet(PacketFormat)
        /// A text that contains fields.
        case text(TextTemplate)
        case bytes([UInt8])
        /// Nothing is written. The value of the characteristic is read, and its fields are added to the answer to the
        /// command.
        case read(PacketFormat?)
    }

    package var characteristic: Int
    package var content: Content
    /// The kind of write. If nil, the write is made with response if the characteristic supports it, otherwise without
    /// response.
    package var kind: Write.Kind?
    /// The data that the device must send after the write.
    package var wait: WaitEntry?
    /// Whether the value is read after the write, and must equal the written value.
    package var readsBack: Bool
    /// The delay after the write.
    package var pause: Duration?
    /// Whether a write that exceeds the ATT MTU of the connection may be split into several writes.
    package var splits: Bool
    /// The condition for the write; nil for an unconditional write.
    package var condition: Condition?
    @SourceLine package var line: Int

    package init(
        to characteristic: Int, _ content: Content, kind: Write.Kind? = nil, wait: WaitEntry? = nil,
        readsBack: Bool = false, pause: Duration? = nil, splits: Bool = false, condition: Condition? = nil,
        line: Int = 0
    ) {
        self.characteristic = characteristic
        self.content = content
        self.kind = kind
        self.wait = wait
        self.readsBack = readsBack
        self.pause = pause
        self.splits = splits
        self.condition = condition
        self.line = line
    }

    /// Whether the step is not complete when its write is complete, because a wait, a read or a pause follows.
    package var takesTime: Bool { wait != nil || readsBack || pause != nil || content.isRead }
}

extension WriteStep.Content {
    package var isRead: Bool { if case .read = self { true } else { false } }
}

/// The data that a device must send after a write.
package struct WaitEntry: Hashable, Sendable {
    /// The data for which a step waits.
    package enum Target: Hashable, Sendable {
        /// These bytes, anywhere in the received data.
        case bytes(BytePattern)
        /// This text, anywhere in the received data.
        case text([UInt8])
        /// One notification that fits this packet.
        case packet(PacketFormat)
    }

    package var characteristic: Int
    /// The data for which the step waits; nil if it waits for any notification.
    package var target: Target?
    /// A pattern for a whole line that reports a rejected write.
    package var failure: Glob?
    /// A notification that reports a rejected write.
    package var refusal: PacketFormat?
    /// The time limit for the awaited data.
    package var limit: Duration

    /// The default time limit for the awaited data.
    package static let usualLimit = Duration.seconds(1)

    package init(
        from characteristic: Int, _ target: Target?, failure: Glob? = nil, limit: Duration = usualLimit
    ) {
        self.characteristic = characteristic
        self.target = target
        self.failure = failure
        self.limit = limit
    }
}

/// One step of the setup of a connection.
package struct SetupStep: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// Subscribes to notifications. If the device rejects the subscription and a period is given, the bridge reads
        /// the value periodically.
        case subscribe(Int, elseRead: Duration?)
        case read(Int)
        case write(WriteStep)
    }

    package var action: Action
    /// The conditions (facts) that the device must meet. If one does not hold, the step is skipped.
    package var needs: [Fact]
    @SourceLine package var line: Int

    package init(_ action: Action, needs: [Fact] = [], line: Int = 0) {
        self.action = action
        self.needs = needs
        self.line = line
    }

    package var characteristic: Int {
        switch action {
        case .subscribe(let index, _), .read(let index): index
        case .write(let step): step.characteristic
        }
    }
}

/// An action that is repeated while the device is connected.
package struct Repetition: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        case read(Int)
        case write(WriteStep)
    }

    package var period: Duration
    package var action: Action

    package init(every period: Duration, _ action: Action) {
        self.period = period
        self.action = action
    }
}
