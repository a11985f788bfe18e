package import DeviceKit
package import JSON

/// The result of one notification or one command on a newly set-up device.
package struct Trial: Sendable {
    /// The published values, by feature, in order.
    package var publications: [(feature: String, value: JSON.Value)] = []
    /// The writes, by characteristic, in order.
    package var writings: [(characteristic: String, bytes: [UInt8])] = []
    /// The errors of rejected commands.
    package var errors: [CommandError] = []
    /// The features that the device lacks; nil if the state machine has not reported any.
    package var lacking: Lacking?

    /// Simulates a notification of a characteristic, advertised data, or a value that a visit reads.
    ///
    /// - Parameter name: The characteristic's short name. The result is nil if the file does not define the name.
    package init?(_ file: DeviceFile, notify name: String, _ bytes: [UInt8]) {
        guard let index = file.characteristics.firstIndex(where: { $0.name == name }) else { return nil }
        let isAdvertised = file.characteristics[index].advertised != nil
        self.init(
            file,
            isAdvertised
                ? .advertise(index, bytes)
                : file.visit == nil ? .notify(index, bytes) : .visit([index: bytes]))
    }

    /// Sends a command.
    ///
    /// - Parameter feature: The feature. The result is nil if the feature accepts no command.
    package init?(_ file: DeviceFile, command feature: String, payload: [UInt8]) {
        guard file.features.contains(where: { $0.name == feature && $0.command != nil }) else { return nil }
        self.init(file, .command(feature, payload: payload))
    }

    private init(_ file: DeviceFile, _ action: ExampleEntry.Action) {
        let plan = FilePlan(file)
        var stage = ExampleStage(plan, Coverage())
        stage.setUp()
        stage.play(ExampleEntry.Step(action), before: nil)
        publications = stage.publications.map { ($0.feature, $0.value) }
        writings = stage.writings.map { (file.characteristics[$0.characteristic].name, $0.bytes) }
        errors = stage.errors
        lacking = stage.lacking
    }
}
