package import Bluetooth

/// One write to a device, and what must follow it.
package struct WriteStep: Hashable, Sendable {
    /// The bytes, or how they are made.
    package enum Content: Hashable, Sendable {
        /// A packet made of fields.
        case packet(PacketFormat)
        /// A text with fields in it.
        case text(TextTemplate)
        case bytes([UInt8])
    }

    /// The index of the characteristic.
    package var characteristic: Int
    /// What is written.
    package var content: Content
    /// How; nil for what the characteristic offers, with response first.
    package var kind: Write.Kind?
    /// What the device must send then.
    package var wait: WaitEntry?
    /// Whether the value is read afterwards and must be the one that was written.
    package var readsBack: Bool
    /// How long to do nothing afterwards.
    package var pause: Duration?
    /// Whether it may be written in several parts.
    package var splits: Bool
    /// When it is written at all; nil for always.
    package var condition: Condition?
    /// The line of the file.
    @SourceLine package var line: Int

    /// Makes a write.
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

    /// Whether the step takes longer than its write.
    package var takesTime: Bool { wait != nil || readsBack || pause != nil }
}

/// What a device must send after a write.
package struct WaitEntry: Hashable, Sendable {
    /// What counts.
    package enum Target: Hashable, Sendable {
        /// These bytes, anywhere in all that came.
        case bytes(BytePattern)
        /// This text, anywhere in all that came.
        case text([UInt8])
        /// One notification that this packet fits.
        case packet(PacketFormat)
    }

    /// The index of the characteristic.
    package var characteristic: Int
    /// What counts; nil for any notification.
    package var target: Target?
    /// What says that the device refused; a line that this fits whole.
    package var failure: Glob?
    /// How long it may take.
    package var limit: Duration

    /// The usual time.
    package static let usualLimit = Duration.seconds(1)

    /// Declares what is waited for.
    package init(
        from characteristic: Int, _ target: Target?, failure: Glob? = nil, limit: Duration = usualLimit
    ) {
        self.characteristic = characteristic
        self.target = target
        self.failure = failure
        self.limit = limit
    }
}

/// One step of the setup of a link.
package struct SetupStep: Hashable, Sendable {
    /// What is done.
    package enum Action: Hashable, Sendable {
        /// Asks for notifications; where the device refuses, reads that often if a period is given.
        case subscribe(Int, elseRead: Duration?)
        /// Reads a value.
        case read(Int)
        case write(WriteStep)
    }

    /// What is done.
    package var action: Action
    /// The line of the file.
    @SourceLine package var line: Int

    /// Makes a step.
    package init(_ action: Action, line: Int = 0) {
        self.action = action
        self.line = line
    }

    /// The index of the characteristic that it needs.
    package var characteristic: Int {
        switch action {
        case .subscribe(let index, _), .read(let index): index
        case .write(let step): step.characteristic
        }
    }
}

/// Something that is done again and again while the device is connected.
package struct Repetition: Hashable, Sendable {
    /// What is done.
    package enum Action: Hashable, Sendable {
        /// Reads a value.
        case read(Int)
        case write(WriteStep)
    }

    /// How often.
    package var period: Duration
    /// What is done.
    package var action: Action

    /// Declares it.
    package init(every period: Duration, _ action: Action) {
        self.period = period
        self.action = action
    }
}
