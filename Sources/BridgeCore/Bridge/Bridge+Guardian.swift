import DeviceKit

// What the guardian did in the bridge's place.
extension Bridge {
    func followGuardian() {
        world.guardian?.onEvent { [weak self] event in self?.assumeIsolated { $0.handle(event) } }
    }

    private func handle(_ event: GuardianEvent) {
        for session in fleet.all {
            session.heard(event)
        }
    }
}
