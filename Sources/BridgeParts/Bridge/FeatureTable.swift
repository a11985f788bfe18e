package import DeviceKit
package import JSON

/// The features of a family, created once and found by name.
///
/// A family creates its features each time they are read, and a command reads them several times.
package final class FeatureTable: Sendable {
    /// All features of the family, in the order of its declaration.
    package let all: [Feature]
    /// The names of the features that accept commands, in the same order.
    package let commands: [String]
    package let stops: [String]
    /// Whether the family has a command that can set something in motion.
    package let canHurt: Bool
    /// Whether the family has a command with the trait `fleeting`, which is obeyed only shortly after its arrival.
    package let isFleeting: Bool
    /// The state with the battery level, and its field if it is an object; nil if the family has none.
    package let battery: (feature: String, field: String?)?
    /// The ``Outlet`` with which each session starts. All sessions of the family start with a copy, which shares its
    /// storage.
    package let outlet: Outlet
    private let names: JSON.Value
    private let features: [String: Feature]
    private let entries: [String: Entry]

    /// A command, passed by reference, because to copy a feature is expensive: the copy retains each of about two dozen
    /// members.
    package final class Entry: Sendable {
        package let command: Command

        package init(_ command: Command) { self.command = command }

        /// Whether the command stops the device, or part of what it does.
        package var isStop: Bool { command.traits.contains(.stop) }
    }

    package init(_ family: any DeviceFamily) {
        all = family.features
        outlet = Outlet(all)
        let takers = all.filter { $0.command != nil }
        commands = takers.map(\.name)
        func names(_ trait: Command.Traits) -> [String] {
            takers.filter { $0.command?.traits.contains(trait) ?? false }.map(\.name)
        }
        self.names = Self.names(of: all)
        stops = names(.stop)
        canHurt = !names(.hazardous).isEmpty
        isFleeting = !names(.fleeting).isEmpty
        battery = Self.battery(of: all)
        features = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
        entries = features.compactMapValues { $0.command.map { Entry($0) } }
    }

    package subscript(name: String) -> Feature? { features[name] }

    /// Whether a feature exists. Unlike the subscript, this does not copy the feature.
    package func contains(_ name: String) -> Bool { features.index(forKey: name) != nil }

    /// The names of the features that a device has, in order. The list of a device that lacks no feature is computed
    /// once.
    package func names(without lacking: Lacking) -> JSON.Value {
        lacking.isEmpty ? names : Self.names(of: all.compactMap(lacking.reduced))
    }

    private static func names(of features: [Feature]) -> JSON.Value {
        .array(features.map { .string($0.name) })
    }

    private static func battery(of features: [Feature]) -> (feature: String, field: String?)? {
        for feature in features where feature.report?.kind == .state {
            for presentation in feature.presentations {
                guard case .reading(let field) = presentation.kind,
                    presentation.meaning == .battery || presentation.deviceClass == "battery"
                else { continue }
                return (feature.name, field)
            }
        }
        return nil
    }

    /// The command of a feature; nil if it accepts none.
    package func command(_ name: String) -> Entry? { entries[name] }
}
