package import Bluetooth
package import DeviceKit
import Haptics
import JSON

/// A family of devices that is described by a device file.
package struct FileFamily: DeviceFamily {
    package let file: DeviceFile
    package let features: [Feature]
    /// The requirements for the Bluetooth connection, such as a bond.
    package let requirements: LinkRequirements
    /// The text that distinguishes this version of the device file from other versions.
    package let revision: String
    package let serviceData: Set<UUID>
    package let companies: Set<UInt16>
    /// The lookup tables that map characteristics to features.
    let plan: FilePlan

    /// Creates a family from a device file.
    ///
    /// - Parameters:
    ///   - revision: Text that distinguishes two versions of the file, such as the file's contents.
    ///   - decrypt: The cipher for encrypted advertisements; nil if there is none.
    package init(_ file: DeviceFile, revision: String = "", decrypt: Cipher? = nil) {
        self.file = file
        self.revision = revision
        plan = FilePlan(file, decrypt: decrypt)
        features = file.declaredFeatures
        let advertised = file.characteristics.compactMap { $0.advertised?.kind }
        serviceData = Set(advertised.compactMap { if case .service(let uuid) = $0 { uuid } else { nil } })
        companies = Set(
            advertised.compactMap { if case .manufacturer(let company) = $0 { company } else { nil } })
        requirements = LinkRequirements(
            required: file.characteristics.filter {
                !$0.isOptional && $0.advertised == nil && $0.alternatives.isEmpty
            }.map(\.id),
            // A characteristic with alternatives is optional here, because the device needs only one of the
            // alternatives. The state machine checks that it has one.
            optional: file.characteristics.filter { $0.isOptional || !$0.alternatives.isEmpty }.flatMap(
                \.ids),
            bonding: file.bonding,
            isSafetyCritical: file.isHazardous, needsSignals: file.needsSignals,
            mayUseProxy: file.mayUseProxy)
    }

    package var advertising: Advertising? {
        file.connecting == .never ? Advertising(silence: file.silence) : nil
    }

    package func visiting(_ settings: Arguments) -> Visiting? { file.visit?.schedule(settings) }

    /// The family's name in the configuration and in topics.
    package var name: String { file.family }
    /// The device's name in the manufacturer's spelling.
    package var displayName: String { file.title }
    /// The default naming of the family's devices.
    package var naming: Naming { file.naming }

    /// The settings that the configuration may contain for devices of the family.
    package var settings: [Field] {
        file.settings.map(\.field) + (file.isHazardous ? [Self.pathDelay] : [])
    }

    private static let pathDelay = Field(
        "max_path_delay_ms", .integer(300...5000), unit: "ms", default: 750,
        "The longest allowed delay of messages from the broker; beyond it, the device is stopped and accepts "
            + "no motion command.")

    /// Whether one of the file's recognition conditions matches the advertisement.
    package func recognises(_ advertisement: Advertisement) -> Bool {
        file.matches.contains { $0.fits(advertisement) }
    }

    /// Returns the recognition condition with the highest rank that matches the advertisement; nil if none matches.
    package func match(_ advertisement: Advertisement) -> DeviceMatch? {
        file.matches.filter { $0.fits(advertisement) }.max { $0.rank < $1.rank }
    }

    /// Hazardous commands to groups are rejected, because the sender cannot watch all devices of a group.
    package func takesFromGroup(_ feature: String, _ arguments: Arguments) -> Bool {
        !(command(feature)?.isHazardous ?? false)
    }

    /// The limits for hazardous commands: the maximum age of the newest echo, from the settings, and the longest lease
    /// of these commands, from the file. nil if the file has no hazardous command.
    package func motionLimits(_ settings: Arguments) -> MotionGate.Limits? {
        guard file.isHazardous else { return nil }
        let leases = file.features.compactMap(\.command).filter(\.isHazardous).compactMap(\.lease)
        return MotionGate.Limits(
            maxPathDelay: .milliseconds(settings.integer("max_path_delay_ms") ?? 750),
            longestLease: leases.max() ?? .seconds(2))
    }

    /// A hazardous command requests motion for the duration of its lease.
    package func motionRequest(_ feature: String, _ arguments: Arguments?) -> MotionRequest {
        guard let command = command(feature), command.isHazardous else { return MotionRequest(.none) }
        return MotionRequest(
            .motion(lease: command.lease), hold: arguments?.integer("hold"), echo: arguments?.text("echo"))
    }

    private func command(_ name: String) -> CommandEntry? { file.features.first { $0.name == name }?.command }

    package func makeMachine(_ context: DeviceContext) -> any DeviceMachine {
        FileMachine(plan, context)
    }

    /// Previews the writes for a pattern and the resulting strengths.
    package func preview(haptic arguments: Arguments) throws(CommandError) -> HapticPreview? {
        guard let strengths = plan.strengths else { return nil }
        guard case .play(let performance) = try Order(arguments) else { return nil }
        return HapticRendering(performance.timeline, strengths).preview(performance)
    }
}
