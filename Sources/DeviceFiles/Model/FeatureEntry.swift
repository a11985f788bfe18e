package import DeviceKit
package import JSON

/// One feature of a device file.
package struct FeatureEntry: Hashable, Sendable {
    /// The last level of the topic.
    package var name: String
    /// One sentence for a person.
    package var summary: String
    /// What the device says under this name.
    package var report: ReportEntry?
    /// What the device takes under this name.
    package var command: CommandEntry?
    /// The line of the file.
    @SourceLine package var line: Int

    /// Makes a feature.
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

/// What a feature publishes.
package struct ReportEntry: Hashable, Sendable {
    /// Where the values come from.
    package struct Source: Hashable, Sendable {
        /// How bytes become values.
        package enum Form: Hashable, Sendable {
            case packet(PacketFormat)
            case line(LinePattern)
        }

        /// The index of the characteristic.
        package var characteristic: Int
        /// How its bytes become values.
        package var form: Form

        /// Makes a source.
        package init(_ characteristic: Int, _ form: Form) {
            self.characteristic = characteristic
            self.form = form
        }
    }

    /// How long a message matters.
    package var kind: Report.Kind
    /// Where the values come from; none where the command's fields are published.
    package var sources: [Source]
    /// The fields, in order, those that are not published left out.
    package var fields: [ReportField] { didSet { names = fields.map(\.field.name) } }
    /// The names of the fields.
    private(set) var names: [String]
    /// Whether a single field is published as an object too.
    package var isObject: Bool
    /// A report whose field has one of these values is not published.
    package var skipped: [String: [JSON.Value]]
    /// Whether only that is published which differs from the last.
    package var onlyChanges: Bool
    /// How often a stream is published at most.
    package var interval: Duration?

    /// Makes a report.
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

    /// Whether what is published is one plain value.
    package var isPlain: Bool { kind != .event && !isObject && fields.count == 1 }
}

/// One published field.
package struct ReportField: Hashable, Sendable {
    /// Its declaration.
    package var field: Field
    /// How a person at home meets it.
    package var look: FieldLook

    /// Makes a field.
    package init(_ field: Field, look: FieldLook = FieldLook()) {
        self.field = field
        self.look = look
    }
}

/// How a person at home meets a value.
package struct FieldLook: Hashable, Sendable {
    /// Where a person looks for it.
    package enum Category: String, Hashable, Sendable, CaseIterable {
        /// Among the settings.
        case config
        /// Among what tells whether the device is well.
        case diagnostic
    }

    package var unit: String?
    /// Home Assistant's device class.
    package var deviceClass: String?
    /// Where a person looks for it.
    package var category: Category?
    /// Its name beside the device's name.
    package var title: String?
    /// The name of a picture among the Material Design Icons.
    package var icon: String?

    /// Says how a value looks; nothing by default.
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

/// What a feature takes.
package struct CommandEntry: Hashable, Sendable {
    /// The fields of the payload.
    package var fields: [Field]
    /// The field that a bare value stands for.
    package var shorthand: String?
    /// What is written, in order.
    package var steps: [WriteStep]
    /// Whether only the newest of those that wait is written.
    package var isLatest = false
    /// The shortest time between two commands.
    package var pace: Duration?
    /// How long it holds without a newer command.
    package var lease: Duration?
    /// What is written when that time is over; nil for the file's `stop`.
    package var end: [WriteStep]?
    /// Whether the payload must say `"confirm":true`.
    package var isConfirmed = false
    /// Whether it can hurt a person.
    package var isHazardous = false
    /// Whether the fields are published once the device acknowledged them.
    package var echoes = false
    /// A payload to try.
    package var example: JSON.Value

    /// Makes a command.
    package init(
        _ fields: [Field], shorthand: String? = nil, _ steps: [WriteStep], example: JSON.Value = [:]
    ) {
        self.fields = fields
        self.shorthand = shorthand
        self.steps = steps
        self.example = example
    }
}
