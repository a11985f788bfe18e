package import Bluetooth
package import DeviceKit

/// One way to recognize a device by what it advertises; all of it must fit.
package struct DeviceMatch: Hashable, Sendable {
    /// What a maker advertises under its company number.
    package struct Manufacturer: Hashable, Sendable {
        /// The company's number, as Bluetooth SIG assigns it.
        package var company: UInt16
        /// How its data begins; nil for any data.
        package var data: BytePattern?

        /// Names a company, and how its data begins.
        package init(company: UInt16, data: BytePattern? = nil) {
            self.company = company
            self.data = data
        }
    }

    /// The device's whole name.
    package var name: Glob?
    /// A service that is advertised.
    package var service: UUID?
    /// What a maker advertises.
    package var manufacturer: Manufacturer?
    /// The device's address.
    package var address: Address?

    /// Makes a match of conditions, all of which must hold.
    package init(
        name: Glob? = nil, service: UUID? = nil, manufacturer: Manufacturer? = nil, address: Address? = nil
    ) {
        self.name = name
        self.service = service
        self.manufacturer = manufacturer
        self.address = address
    }

    /// How many conditions it has.
    package var conditions: Int {
        [name != nil, service != nil, manufacturer != nil, manufacturer?.data != nil, address != nil]
            .count { $0 }
    }

    /// How well an advertisement that meets it fits.
    package var rank: MatchRank {
        let basis: MatchRank.Basis =
            if service != nil || address != nil || manufacturer?.data != nil {
                .identifier
            } else if name?.isExact ?? false { .exactName } else { .partialName }
        return MatchRank(basis, conditions: conditions, literals: name?.literals ?? 0)
    }

    /// Whether an advertisement fits.
    package func fits(_ advertisement: Advertisement) -> Bool {
        if let name {
            guard let found = advertisement.name, name.matches(found) else { return false }
        }
        if let service, !advertisement.services.contains(service) { return false }
        if let address, address != advertisement.address { return false }
        if let manufacturer {
            guard let data = advertisement.manufacturerData[manufacturer.company] else { return false }
            if let pattern = manufacturer.data, !pattern.isPrefix(of: data) { return false }
        }
        return true
    }
}
