import DeviceKit

// What the guardian did in the bridge's place.
extension Bridge {
    func followGuardian() async {
        guard let guardian = world.guardian else { return }
        for await event in await guardian.events() {
            for session in sessions.values { session.heard(event) }
        }
    }
}
