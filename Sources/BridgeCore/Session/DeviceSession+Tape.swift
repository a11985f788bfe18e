import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import Messages

// What a recording takes down of the device.
extension DeviceSession {
    /// Takes something down; nothing happens, and nothing is made, while no recording runs.
    func tape(_ event: @autoclosure () -> TapeEvent) {
        guard world.tape.takes(address) else { return }
        let event = event()
        if event.isNews { world.tape.note(event, of: tapeSubject, at: now) }
    }

    /// Takes down the link that was there before the recording.
    func tapeStandingLink() {
        guard let link else { return }
        tape(.link(profile(of: link), adapter: link.adapter, isStanding: true))
    }

    /// Takes down a new link.
    func tapeLink() {
        guard let link else { return }
        tape(.link(profile(of: link), adapter: link.adapter, isStanding: false))
    }

    /// Takes down what is published on one of the device's topics.
    func tapeMessage(_ message: @autoclosure () -> Publisher.Publication) {
        guard world.tape.takes(address) else { return }
        let message = message().message
        let feature = message.topic.split(separator: "/").last
        let isPrivate = feature.flatMap { features[String($0)] }?.isPrivate ?? false
        tape(.message(message, isPrivate: isPrivate))
    }

    private var tapeSubject: Tape.Subject {
        Tape.Subject(name: name, address: address, family: family, settings: settings)
    }

    /// The profile with the name that the device advertises, where the link tells none.
    private func profile(of link: any DeviceLink) -> LinkProfile {
        var profile = link.profile
        profile.name = profile.name ?? status.advertisedName
        return profile
    }
}
