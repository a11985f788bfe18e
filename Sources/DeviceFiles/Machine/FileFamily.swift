package import Bluetooth
package import DeviceKit
import Haptics
import JSON

/// A family of devices as a device file describes it.
package struct FileFamily: DeviceFamily {
    package let file: DeviceFile
    /// What such devices say and do.
    package let features: [Feature]
    /// What the family needs of the link.
    package let requirements: LinkRequirements
    /// What tells two versions of the file apart.
    package let revision: String
    /// How bytes find their features.
    let plan: FilePlan

    /// Makes a family of a file.
    ///
    /// - Parameter revision: What tells two versions of the file apart, such as its text.
    package init(_ file: DeviceFile, revision: String = "") {
        self.file = file
        self.revision = revision
        plan = FilePlan(file)
        features = file.declaredFeatures
        requirements = LinkRequirements(
            required: file.characteristics.filter { !$0.isOptional }.map(\.id),
            optional: file.characteristics.filter(\.isOptional).map(\.id), bonding: file.bonding,
            isSafetyCritical: file.isHazardous)
    }

    /// The family's name in configuration and topics.
    package var name: String { file.family }
    /// The device's name as its maker writes it.
    package var displayName: String { file.title }
    /// The default name of its devices.
    package var naming: Naming { file.naming }

    /// What a configuration may say of such devices.
    package var settings: [Field] {
        file.settings.map(\.field) + (file.isHazardous ? [Self.pathDelay] : [])
    }

    private static let pathDelay = Field(
        "max_path_delay_ms", .integer(300...5000), unit: "ms", default: 750,
        "How late the way from the broker to the bridge may be; beyond it the device is stopped and takes nothing "
            + "that moves it.")

    /// Whether one of the file's matches fits.
    package func recognises(_ advertisement: Advertisement) -> Bool { match(advertisement) != nil }

    /// The match of the best rank among those that fit.
    package func match(_ advertisement: Advertisement) -> DeviceMatch? {
        file.matches.filter { $0.fits(advertisement) }.max { $0.rank < $1.rank }
    }

    /// Nothing that can hurt is taken from a group: who commands several devices at once sees none of them.
    package func takesFromGroup(_ feature: String, _ arguments: Arguments) -> Bool {
        !(command(feature)?.isHazardous ?? false)
    }

    /// The age of the newest echo and the longest lease decide about what can hurt.
    package func motionLimits(_ settings: Arguments) -> MotionGate.Limits? {
        guard file.isHazardous else { return nil }
        let leases = file.features.compactMap(\.command).filter(\.isHazardous).compactMap(\.lease)
        return MotionGate.Limits(
            maxPathDelay: .milliseconds(settings.integer("max_path_delay_ms") ?? 750),
            longestLease: leases.max() ?? .seconds(2))
    }

    /// A hazardous command asks for motion for as long as its lease.
    package func motionRequest(_ feature: String, _ arguments: Arguments?) -> MotionRequest {
        guard let command = command(feature), command.isHazardous else { return MotionRequest(.none) }
        return MotionRequest(
            .motion(lease: command.lease), hold: arguments?.integer("hold"), echo: arguments?.text("echo"))
    }

    private func command(_ name: String) -> CommandEntry? { file.features.first { $0.name == name }?.command }

    /// Makes the state machine of one device.
    package func makeMachine(_ context: DeviceContext) -> any DeviceMachine {
        FileMachine(plan, settings: context.settings)
    }

    /// Shows what such a device is sent for a pattern, and how it feels.
    package func preview(haptic arguments: Arguments) throws(CommandError) -> HapticPreview? {
        guard let strengths = plan.strengths else { return nil }
        let order = try Order(arguments)
        guard case .play(let performance) = order else { return nil }
        let rendering = HapticRendering(performance.timeline, strengths)
        return rendering.preview(hasSound: performance.hasSound)
    }
}
