package import DeviceKit

/// A page of `docs/reference`: the part of it that the program writes.
package enum ReferencePage: String, CaseIterable, Sendable {
    case topics, configuration, entities, metrics
    case deviceTopics = "device-topics"
    case errorCodes = "error-codes"

    /// The part in Markdown, without a line end behind it.
    ///
    /// - Parameters:
    ///   - families: Those of the program.
    ///   - shipped: Those of the device files that come with it.
    package func markdown(_ families: [any DeviceFamily], shipped: [any DeviceFamily]) -> String {
        switch self {
        case .topics: TopicReference(families).markdown
        case .deviceTopics: TopicReference(only: shipped).markdown
        case .configuration: ConfigurationReference(families).markdown
        case .entities: DiscoveryReference(families).markdown
        case .metrics: MetricsReference().markdown
        case .errorCodes: ErrorReference().markdown
        }
    }
}
