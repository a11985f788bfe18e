package import DeviceKit
package import JSON

/// One feature of a device file.
package struct FeatureEntry: Hashable, Sendable {
    /// The name, which is the last level of the topic.
    package var name: String
    /// A one-sentence description for users.
    package var summary: String
    /// The report that the feature publishes.
    package var report: ReportEntry?
    /// The command that the feature accepts.
    package var command: CommandEntry?
    /// The facts without which the device lacks the feature.
    package var needs: [Fact] = []
    @SourceLine package var line: Int

    package init(
        _ name: String, _ summary: String, report: ReportEntry? = nil, command: CommandEntry? = nil,
        line: Int = 0
    ) {
        self.name = name
        self.summary = summary
        self.report = report
        self.command = command
        self.line = line
    }
}

/// The published part of a feature.
package struct ReportEntry: Hashable, Sendable {
    /// The source of the values.
    package struct Source: Hashable, Sendable {
        /// How bytes are decoded.
        package enum Form: Hashable, Sendable {
            case packet(PacketFormat)
            case line(LinePattern)
        }

        package var characteristic: Int
        package var form: Form

        package init(_ characteristic: Int, _ form: Form) {
            self.characteristic = characteristic
            self.form = form
        }
    }

    /// The kind of message.
    package var kind: Report.Kind
    /// The sources of the values. Without a source, the acknowledged fields of the command are published.
    package var sources: [Source]
    /// The published fields, in order.
    package var fields: [ReportField] { didSet { names = fields.map(\.field.name) } }
    private(set) var names: [String]
    /// Whether a single field is published as an object too.
    package var isObject: Bool
    /// Values by field. A report is not published if a field has one of these values.
    package var skipped: [String: [JSON.Value]]
    /// Whether only changes are published.
    package var onlyChanges: Bool
    /// Whether a packet may contain some of the fields only. A state keeps the other fields.
    package var isPartial = false
    /// The size, in bits, of the number that distinguishes a new packet from a repetition; nil without such a number.
    package var sequenceBits: Int?
    /// The rates that follow from counters.
    package var rates: [RateField] = []
    /// The shortest interval between two messages of a stream.
    package var interval: Duration?

    package init(
        _ kind: Report.Kind, _ sources: [Source], fields: [ReportField], isObject: Bool = false,
        skipped: [String: [JSON.Value]] = [:], onlyChanges: Bool = false, interval: Duration? = nil
    ) {
        self.kind = kind
        self.sources = sources
        self.fields = fields
        names = fields.map(\.field.name)
        self.isObject = isObject
        self.skipped = skipped
        self.onlyChanges = onlyChanges
        self.interval = interval
    }

    /// Whether the message is one plain value.
    package var isPlain: Bool { kind != .event && !isObject && !isPartial && fields.count == 1 }
}

/// One published field.
package struct ReportField: Hashable, Sendable {
    package var field: Field
    /// The presentation in Home Assistant.
    package var look: FieldLook

    package init(_ field: Field, look: FieldLook = FieldLook()) {
        self.field = field
        self.look = look
    }
}

/// The presentation of a value in Home Assistant.
package struct FieldLook: Hashable, Sendable {
    /// The entity category.
    package enum Category: String, Hashable, Sendable, CaseIterable {
        /// The section for settings.
        case config
        /// The section for diagnostics.
        case diagnostic
    }

    package var unit: String?
    /// Home Assistant's device class.
    package var deviceClass: String?
    /// The entity category.
    package var category: Category?
    /// The name, without the device's name.
    package var title: String?
    /// The name of an icon in Material Design Icons.
    package var icon: String?

    /// Creates a presentation; all parts are optional.
    package init(
        unit: String? = nil, deviceClass: String? = nil, category: Category? = nil, title: String? = nil,
        icon: String? = nil
    ) {
        self.unit = unit
        self.deviceClass = deviceClass
        self.category = category
        self.title = title
        self.icon = icon
    }
}

/// The command part of a feature.
package struct CommandEntry: Hashable, Sendable {
    package var fields: [Field]
    /// The field that a bare value sets.
    package var shorthand: String?
    /// The writes, in order.
    package var steps: [WriteStep]
    /// Whether a newer command replaces a waiting one.
    package var isLatest = false
    /// The shortest interval between two commands.
    package var pace: Duration?
    /// How long the command is in effect without a newer command.
    package var lease: Duration?
    /// The writes at the end of the lease; nil for the file's `stop`.
    package var end: [WriteStep]?
    /// Whether the payload must contain `"confirm":true`.
    package var isConfirmed = false
    /// Whether the command can hurt a person.
    package var isHazardous = false
    /// Whether the fields are published after the device acknowledged them.
    package var echoes = false
    /// An example payload.
    package var example: JSON.Value

    package init(
        _ fields: [Field], shorthand: String? = nil, _ steps: [WriteStep], example: JSON.Value = [:]
    ) {
        self.fields = fields
        self.shorthand = shorthand
        self.steps = steps
        self.example = example
    }
}
