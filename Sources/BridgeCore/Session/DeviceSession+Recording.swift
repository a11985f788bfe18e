import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import Messages

// The events of the device that a recording contains.
extension DeviceSession {
    /// Records an event. While no recording runs, the argument is not evaluated, so the event costs nothing.
    func record(_ event: @autoclosure () -> RecordedEvent) {
        guard context.recorder.takes(address) else { return }
        let event = event()
        if event.isNews { context.recorder.note(event, of: recordedSubject, at: now) }
    }

    /// Records the Bluetooth connection that existed before the recording started.
    func tapeStandingLink() {
        guard let link else { return tapeAdvertising(isStanding: true) }
        record(.link(profile(of: link), adapter: link.adapter, isStanding: true))
    }

    /// Records a new Bluetooth connection.
    func tapeLink() {
        guard let link else { return }
        record(.link(profile(of: link), adapter: link.adapter, isStanding: false))
    }

    /// Records the use of a device that only advertises in the form of a connection without characteristics.
    func tapeAdvertising(isStanding: Bool) {
        guard family.advertising != nil, connector.linked != nil else { return }
        let profile = LinkProfile(characteristics: [:], name: status.advertisedName)
        record(.link(profile, adapter: adapter ?? "", isStanding: isStanding))
        guard isStanding, let last = lastAdvertisement else { return }
        let used = last.serviceData.filter { family.serviceData.contains($0.key) }
        record(.advertised(Broadcast(serviceData: used, manufacturerData: last.manufacturerData)))
    }

    /// Records a message that is published on one of the device's topics.
    func tapeMessage(_ message: @autoclosure () -> Publisher.Publication) {
        guard context.recorder.takes(address) else { return }
        let message = message().message
        let feature = message.topic.split(separator: "/").last
        let isPrivate = feature.flatMap { features[String($0)] }?.isPrivate ?? false
        record(.message(message, isPrivate: isPrivate))
    }

    private var recordedSubject: Recorder.Subject {
        Recorder.Subject(name: name, address: address, family: family, settings: settings)
    }

    /// Returns the profile of the Bluetooth connection. If the profile has no name, the advertised name is used.
    private func profile(of link: any DeviceLink) -> LinkProfile {
        var profile = link.profile
        profile.name = profile.name ?? status.advertisedName
        return profile
    }
}
