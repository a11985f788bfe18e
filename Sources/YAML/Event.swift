import CYAML

/// A parsing event of libyaml, with the properties that a ``YAMLTree`` needs.
struct Event {
    enum Kind: Hashable {
        case scalar(String, YAMLTree.Style)
        case sequence
        case mapping
        /// A reference to the value of an anchor.
        case alias
        /// The end of a sequence or a mapping.
        case end
        case streamEnd
        /// The start or the end of a document, or the start of the stream.
        case other
    }

    let kind: Kind
    let place: YAMLTree.Place
    /// The name of the anchor on the value, or of the anchor to which an alias refers.
    var anchor: String?
    /// The explicit tag of the value, in its full form: libyaml has replaced a prefix such as `!!`; nil without a tag.
    var tag: String?

    init(_ event: yaml_event_t) {
        place = YAMLTree.Place(event.start_mark)
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            (anchor, tag) = (Self.text(scalar.anchor), Self.text(scalar.tag))
            let value = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            // A word with a tag is always text, like a word in quotes, even if it has no quotes.
            let style = tag == nil ? YAMLTree.Style(scalar.style) : .doubleQuoted
            kind = .scalar(String(decoding: value, as: UTF8.self), style)
        case YAML_SEQUENCE_START_EVENT:
            kind = .sequence
            (anchor, tag) = (
                Self.text(event.data.sequence_start.anchor), Self.text(event.data.sequence_start.tag)
            )
        case YAML_MAPPING_START_EVENT:
            kind = .mapping
            (anchor, tag) = (
                Self.text(event.data.mapping_start.anchor), Self.text(event.data.mapping_start.tag)
            )
        case YAML_ALIAS_EVENT:
            kind = .alias
            anchor = Self.text(event.data.alias.anchor)
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .end
        // After the end of the stream, libyaml returns events without a type.
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: kind = .streamEnd
        default: kind = .other
        }
    }

    /// The tag that this kind of value has by default.
    var usualTag: String? {
        switch kind {
        case .scalar: YAML_STR_TAG
        case .sequence: YAML_SEQ_TAG
        case .mapping: YAML_MAP_TAG
        case .alias, .end, .streamEnd, .other: nil
        }
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(cString: $0) }
    }
}

extension YAMLTree.Style {
    fileprivate init(_ style: yaml_scalar_style_t) {
        switch style {
        case YAML_PLAIN_SCALAR_STYLE: self = .plain
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: self = .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: self = .doubleQuoted
        default: self = .block
        }
    }
}

extension YAMLTree.Place {
    init(_ mark: yaml_mark_t) {
        self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }
}
