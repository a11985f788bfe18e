import DeviceKit

// What the guardian did in the bridge's place.
extension Bridge {
    func followGuardian() async {
        guard let guardian = world.guardian else { return }
        for await event in await guardian.events() { handle(event) }
    }

    private func handle(_ event: GuardianEvent) {
        for session in fleet.all {
            if session.guarded == event.device { session.guardianReported(event.report) }
        }
    }
}
