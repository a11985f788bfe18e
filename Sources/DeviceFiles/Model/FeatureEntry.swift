package import DeviceKit
package import JSON

/// One feature of a device file.
package struct FeatureEntry: Hashable, Sendable {
    /// The name, which is the last level of the topic.
    package var name: String
    /// A description in one sentence for users.
    package var summary: String
    /// The report of the feature; nil for a feature that has only a command.
    package var report: ReportEntry?
    /// The command of the feature; nil for a feature that has only a report.
    package var command: CommandEntry?
    /// Whether Home Assistant shows the feature.
    package var isShown = true
    /// The entity in Home Assistant that the file declares; nil for the usual entities.
    package var entity: EntityEntry?
    /// The facts that must hold. Otherwise the device lacks the feature.
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

/// The report of a feature: what is published, and from which data of the device.
package struct ReportEntry: Hashable, Sendable {
    /// A source of values: a characteristic, and how its bytes are decoded.
    package struct Source: Hashable, Sendable {
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

    /// The kind of the messages: state, event or stream.
    package var kind: Report.Kind
    /// The sources of the values. If there is no source, the fields of the command are published after the device
    /// acknowledged them.
    package var sources: [Source]
    /// The published fields, in order.
    package var fields: [ReportField] { didSet { names = fields.map(\.field.name) } }
    private(set) var names: [String]
    /// Whether the value is published as an object even if there is only one field.
    package var isObject: Bool
    /// Values to skip, by field. A report is not published if a field has one of these values.
    package var skipped: [String: [JSON.Value]]
    /// Whether a value is published only if it differs from the last published value.
    package var onlyChanges: Bool
    /// Whether a packet may contain only some of the fields. A state then keeps the last values of the other fields.
    package var isPartial = false
    /// The size, in bits, of the sequence number that distinguishes a new packet from a repetition; nil without such a
    /// number.
    package var sequenceBits: Int?
    /// The rates that are computed from counters in the packets.
    package var rates: [RateField] = []
    /// The field with a color whose greatest part is published as the brightness.
    package var dimmed: String?
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

/// A published field of a report, and how Home Assistant presents it.
package struct ReportField: Hashable, Sendable {
    package var field: Field
    package var look: FieldLook

    package init(_ field: Field, look: FieldLook = FieldLook()) {
        self.field = field
        self.look = look
    }
}

/// The presentation of a value in Home Assistant.
package struct FieldLook: Hashable, Sendable {
    /// The section of Home Assistant's device page that shows an entity.
    package enum Category: String, Hashable, Sendable, CaseIterable {
        /// The entity is shown in the section for settings.
        case config
        /// The entity is shown in the section for diagnostics.
        case diagnostic
    }

    package var unit: String?
    /// Home Assistant's device class.
    package var deviceClass: String?
    /// The section of Home Assistant's device page that shows the entity; nil for the main section.
    package var category: Category?
    /// The name of the entity, without the device's name.
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

/// The command of a feature: its fields, and what is written to the device.
package struct CommandEntry: Hashable, Sendable {
    package var fields: [Field]
    /// The field whose value can be sent alone in place of the JSON object.
    package var shorthand: String?
    /// The writes, in order.
    package var steps: [WriteStep]
    /// Whether a newer command replaces an older command that waits to be written.
    package var isLatest = false
    /// The shortest interval between two commands.
    package var pace: Duration?
    /// How long the command is in effect if no newer command arrives.
    package var lease: Duration?
    /// The writes at the end of the lease; nil to write the file's `stop`.
    package var end: [WriteStep]?
    /// Whether the payload must contain `"confirm":true`.
    package var isConfirmed = false
    /// Whether the command can hurt a person.
    package var isHazardous = false
    /// Whether Home Assistant gets a control although the fields are not published.
    package var isAssumed = false
    /// Whether the fields are published after the device acknowledged them.
    package var echoes = false
    /// The field with a color that the command's brightness scales.
    package var dimmed: String?
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
