package import DeviceKit

/// A page of `docs/reference`: the part of it that the program writes.
package enum ReferencePage: String, CaseIterable, Sendable {
    case topics, configuration, entities, metrics
    case errorCodes = "error-codes"

    /// The part in Markdown, without a line end behind it.
    package func markdown(_ families: [any DeviceFamily]) -> String {
        switch self {
        case .topics: TopicReference(families).markdown
        case .configuration: ConfigurationReference(families).markdown
        case .entities: DiscoveryReference(families).markdown
        case .metrics: MetricsReference().markdown
        case .errorCodes: ErrorReference().markdown
        }
    }
}
