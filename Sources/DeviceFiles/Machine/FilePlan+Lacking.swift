import DeviceKit

// The features that a device lacks, because optional characteristics are absent or required facts do not hold.
extension FilePlan {
    /// Returns the features of the device file that a device lacks.
    ///
    /// - Parameters:
    ///   - isPresent: Whether each characteristic is present.
    ///   - received: The fields of partial reports that the device has sent.
    ///   - holds: Returns whether a fact holds.
    func lacking(
        _ isPresent: [Bool], received: [String: Set<String>], _ holds: (Fact) -> Bool
    ) -> Lacking {
        var lacking = Lacking(received: received)
        for (index, entry) in file.features.enumerated() {
            let isUnmet = !entry.needs.allSatisfy(holds)
            if isUnmet || !obeys(index, isPresent) { lacking.commands.insert(entry.name) }
            if isUnmet || !speaks(entry, isPresent) { lacking.reports.insert(entry.name) }
        }
        if let hapticFeature, !obeys(hapticFeature, isPresent) {
            lacking.commands.insert(Feature.hapticName)
            lacking.reports.insert(Feature.hapticName)
        }
        return lacking
    }

    /// Whether a feature has no command, or has a command and the device has every characteristic that the command
    /// uses.
    func obeys(_ feature: Int, _ isPresent: [Bool]) -> Bool {
        file.features[feature].command?.steps.allSatisfy { isPresent[$0.characteristic] } ?? true
    }

    /// Whether a feature has no report, or the device has a characteristic from which the report gets values.
    private func speaks(_ entry: FeatureEntry, _ isPresent: [Bool]) -> Bool {
        guard let report = entry.report else { return true }
        // A report without sources is published when its command is acknowledged.
        guard !report.sources.isEmpty else {
            return entry.command?.steps.allSatisfy { isPresent[$0.characteristic] } ?? true
        }
        return report.sources.contains { isPresent[$0.characteristic] }
    }
}

extension FeatureEntry {
    /// The indexes of the characteristics that the feature decodes or writes.
    var characteristics: [Int] {
        (report?.sources.map(\.characteristic) ?? []) + (command?.steps.map(\.characteristic) ?? [])
    }
}
