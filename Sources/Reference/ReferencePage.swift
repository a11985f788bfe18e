package import DeviceKit

/// The generated part of a page of `docs/reference`.
package enum ReferencePage: String, CaseIterable, Sendable {
    case topics, configuration, entities, metrics
    case deviceTopics = "device-topics"
    case errorCodes = "error-codes"

    /// Returns the generated part in Markdown, without a line break at its end.
    ///
    /// - Parameters:
    ///   - families: The built-in families.
    ///   - shipped: The families of the device files that are shipped with the bridge.
    package func markdown(_ families: [any DeviceFamily], shipped: [any DeviceFamily]) -> String {
        switch self {
        case .topics: TopicReference(families).markdown
        case .deviceTopics: TopicReference(only: shipped).markdown
        case .configuration: ConfigurationReference(families).markdown
        case .entities: DiscoveryReference(families + shipped).markdown
        case .metrics: MetricsReference().markdown
        case .errorCodes: ErrorReference().markdown
        }
    }
}
