package import Bluetooth
package import DeviceKit

/// A condition that recognizes a device by its advertisement. All given parts must match.
package struct DeviceMatch: Hashable, Sendable {
    /// Manufacturer-specific data of an advertisement.
    package struct Manufacturer: Hashable, Sendable {
        /// The company identifier that Bluetooth SIG assigned.
        package var company: UInt16
        /// The first bytes of the data; nil for any data.
        package var data: BytePattern?

        package init(company: UInt16, data: BytePattern? = nil) {
            self.company = company
            self.data = data
        }
    }

    /// The advertised data of a service.
    package struct ServiceData: Hashable, Sendable {
        package var service: UUID
        /// The first bytes of the data; nil for any data.
        package var data: BytePattern?
    }

    /// A pattern for the full device name.
    package var name: Glob?
    /// The UUID of a service that the device advertises.
    package var service: UUID?
    package var manufacturer: Manufacturer?
    package var serviceData: ServiceData?
    package var address: Address?

    /// Creates a condition from its parts. A part that is nil matches every advertisement.
    package init(
        name: Glob? = nil, service: UUID? = nil, manufacturer: Manufacturer? = nil, address: Address? = nil
    ) {
        self.name = name
        self.service = service
        self.manufacturer = manufacturer
        self.address = address
    }

    /// The number of parts, such as the name or the service, that the condition tests.
    package var conditions: Int {
        [
            name != nil, service != nil, manufacturer != nil, manufacturer?.data != nil, serviceData != nil,
            serviceData?.data != nil, address != nil,
        ].count { $0 }
    }

    /// The rank of advertisements that match this condition.
    package var rank: MatchRank {
        let basis: MatchRank.Basis =
            if service != nil || address != nil || manufacturer?.data != nil || serviceData != nil {
                .identifier
            } else if name?.isExact ?? false { .exactName } else { .partialName }
        return MatchRank(basis, conditions: conditions, literals: name?.literals ?? 0)
    }

    package func fits(_ advertisement: Advertisement) -> Bool {
        if let name {
            guard let found = advertisement.name, name.matches(found) else { return false }
        }
        if let service, !advertisement.services.contains(service) { return false }
        if let address, address != advertisement.address { return false }
        if let serviceData {
            guard let data = advertisement.serviceData[serviceData.service] else { return false }
            if let pattern = serviceData.data, !pattern.isPrefix(of: data) { return false }
        }
        if let manufacturer {
            guard let data = advertisement.manufacturerData[manufacturer.company] else { return false }
            if let pattern = manufacturer.data, !pattern.isPrefix(of: data) { return false }
        }
        return true
    }
}
