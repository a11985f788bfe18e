// Devices that may be connected over a Bluetooth proxy.
extension FileReader {
    /// Reads whether a device may be connected over a proxy. Nothing can stop the device there if the bridge ends, so the
    /// file must contain nothing that has to be stopped.
    mutating func readProxy(_ members: Members) {
        guard let node = members["proxy"], node.flag() == true else { return }
        if file.connecting == .never {
            return members.refuse(["proxy"], "the device is never connected")
        }
        var reasons = members.given(["haptic", "will"])
        for feature in file.features {
            guard let command = feature.command else { continue }
            if command.isHazardous { reasons.append("hazardous of \(feature.name)") }
            if command.lease != nil { reasons.append("lease_ms of \(feature.name)") }
        }
        guard reasons.isEmpty else {
            return node.complain(
                "found true together with \(reasons.joined(separator: " and ")); allowed: true only without haptic, will, "
                    + "hazardous and lease_ms, because nothing stops a device over a proxy if the bridge ends"
            )
        }
        file.mayUseProxy = true
    }
}
