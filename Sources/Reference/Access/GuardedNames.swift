import DeviceKit

/// The names of features that only a special role may use: the role `driver` for hazardous commands, `typist` for typed
/// text. In an access list, a right depends only on the feature's name, because a device can have any name. A harmless
/// feature is therefore not granted if another family has a hazardous or private feature with the same name.
struct GuardedNames {
    /// The names of commands that can cause motion, each with a family that has such a command.
    private let hazardous: [String: String]
    /// The names of reports that contain typed text, each with a family that has such a report.
    private let typed: [String: String]
    /// Sentences about features to which the access list gives no rights for this reason.
    let refusals: [String]

    init(_ families: [any DeviceFamily]) {
        func names(_ isGuarded: (Feature) -> Bool) -> [String: String] {
            let pairs = families.flatMap { family in
                family.features.filter(isGuarded).map { ($0.name, family.name) }
            }
            return Dictionary(pairs) { first, _ in first }
        }
        let hazardous = names { Self.isDeclaredHazardous($0) }
        let typed = names { $0.isPrivate }
        (self.hazardous, self.typed) = (hazardous, typed)
        refusals = families.flatMap { family in
            family.features.flatMap { feature -> [String] in
                let name = "the feature \(feature.name) of the family \(family.name)"
                var refusals: [String] = []
                if let other = hazardous[feature.name], feature.command != nil,
                    !Self.isDeclaredHazardous(feature)
                {
                    refusals.append(
                        "\(name) has the name of a hazardous feature of \(other): only the role driver may send it; "
                            + "for other roles, choose another name in the device file")
                }
                if let other = typed[feature.name], feature.report != nil, !feature.isPrivate {
                    refusals.append(
                        "\(name) has the name of a typed-text feature of \(other): only the role typist may read it; "
                            + "for other roles, choose another name in the device file")
                }
                return refusals
            }
        }
    }

    /// Whether a command is treated as hazardous, because a command with the same name can cause motion.
    func isHazardous(_ feature: Feature) -> Bool { hazardous[feature.name] != nil }

    /// Whether a command stops a device and every role may send it.
    func isStop(_ feature: Feature) -> Bool {
        (feature.command?.traits.contains(.stop) ?? false) && !isHazardous(feature)
    }

    /// Whether a report is treated as private, because a report with the same name contains typed text.
    func isPrivate(_ feature: Feature) -> Bool { typed[feature.name] != nil }

    private static func isDeclaredHazardous(_ feature: Feature) -> Bool {
        feature.command?.traits.contains(.hazardous) ?? false
    }
}
