import BlueZSimulator
import Bluetooth
import VirtualDevices

extension LookAlike.Options {
    /// Creates options from the radio of a scenario. A value that the scenario omits is the default, which was measured
    /// with bluetoothd 5.66.
    init(_ radio: Scenario.Radio) {
        self.init()
        if let count = radio.adapters, count > 1 {
            adapters += (1..<count).map { number in
                LookAlike.AdapterDescription(
                    name: "hci\(number)",
                    address: Bluetooth.Address(number: 0x02B1_7E00_0000 + UInt64(number)))
            }
        }
        if let host = radio.host, host > 0 {
            for index in adapters.indices {
                let number = adapters[index].address.number | UInt64(host) << 16
                adapters[index].address = Bluetooth.Address(number: number)
            }
        }
        connectTime = radio.connectTime ?? connectTime
        resolveTime = radio.resolveTime ?? resolveTime
        pairingTime = radio.pairingTime ?? pairingTime
        disconnectTime = radio.disconnectTime ?? disconnectTime
        connectTimeout = radio.connectTimeout ?? connectTimeout
        supervisionTimeout = radio.supervisionTimeout ?? supervisionTimeout
        servicesLate = radio.servicesLate ?? servicesLate
        pairingAsksAgent = radio.pairingAsksAgent ?? pairingAsksAgent
        claimedServices = radio.claimedServices ?? claimedServices
        memoryFile = radio.memoryFile ?? memoryFile
    }
}
