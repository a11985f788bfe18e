import DeviceKit

// What a device has not, since optional characteristics are not there.
extension FilePlan {
    /// The features that a device lacks.
    ///
    /// - Parameter isPresent: Which characteristics are there.
    func lacking(_ isPresent: [Bool]) -> Lacking {
        var lacking = Lacking()
        for (index, entry) in file.features.enumerated() {
            if !obeys(index, isPresent) { lacking.commands.insert(entry.name) }
            if !speaks(entry, isPresent) { lacking.reports.insert(entry.name) }
        }
        if let hapticFeature, !obeys(hapticFeature, isPresent) {
            lacking.commands.insert(Feature.hapticName)
            lacking.reports.insert(Feature.hapticName)
        }
        return lacking
    }

    /// Whether a feature has no command, or one whose every step can be written.
    func obeys(_ feature: Int, _ isPresent: [Bool]) -> Bool {
        file.features[feature].command?.steps.allSatisfy { isPresent[$0.characteristic] } ?? true
    }

    /// Whether a feature has no report, or one of which something can be heard.
    private func speaks(_ entry: FeatureEntry, _ isPresent: [Bool]) -> Bool {
        guard let report = entry.report else { return true }
        // What is commanded only is published once it is acknowledged.
        guard !report.sources.isEmpty else {
            return entry.command?.steps.allSatisfy { isPresent[$0.characteristic] } ?? true
        }
        return report.sources.contains { isPresent[$0.characteristic] }
    }
}

extension FeatureEntry {
    /// The indexes of the characteristics that it hears and writes to.
    var characteristics: [Int] {
        (report?.sources.map(\.characteristic) ?? []) + (command?.steps.map(\.characteristic) ?? [])
    }
}
