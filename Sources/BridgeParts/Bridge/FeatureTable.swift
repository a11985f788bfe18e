package import DeviceKit
package import JSON

/// The features of a family, made once and found by name.
///
/// A family declares its features anew whenever it is asked; a command asks several times.
package final class FeatureTable: Sendable {
    /// All of them, in the order in which the family declares them.
    package let all: [Feature]
    /// The names of those that take commands, in the same order.
    package let commands: [String]
    /// The names of the commands that stop a device.
    package let stops: [String]
    /// Whether a command can set something in motion.
    package let canHurt: Bool
    /// Whether a command is obeyed only while it is fresh.
    package let isFleeting: Bool
    /// What a session that has not said anything writes with: the kinds of the reports are one memory for all sessions.
    package let outlet: Outlet
    private let names: JSON.Value
    private let features: [String: Feature]
    private let entries: [String: Entry]

    /// A command by reference: a feature has two dozen parts, each of which a copy would count.
    package final class Entry: Sendable {
        package let command: Command

        package init(_ command: Command) { self.command = command }

        /// Whether it stops the device, or a part of what it does.
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
        features = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
        entries = features.compactMapValues { $0.command.map { Entry($0) } }
    }

    /// The feature of a name, if there is one.
    package subscript(name: String) -> Feature? { features[name] }

    /// Whether there is a feature of a name; unlike the feature itself, that is not copied.
    package func contains(_ name: String) -> Bool { features.index(forKey: name) != nil }

    /// The names of the features that a device has, in order: one list for all devices that lack nothing.
    package func names(without lacking: Lacking) -> JSON.Value {
        lacking.isEmpty ? names : Self.names(of: all.compactMap(lacking.reduced))
    }

    private static func names(of features: [Feature]) -> JSON.Value {
        .array(features.map { .string($0.name) })
    }

    /// The command of a feature, if it takes one.
    package func command(_ name: String) -> Entry? { entries[name] }
}
