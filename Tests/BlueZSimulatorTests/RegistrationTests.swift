import Bluetooth
import DBus
import Testing
import VirtualDevices

@testable import BlueZSimulator

@Suite("Registration with a real bluetoothd, without I/O")
struct RegistrationTests {
    /// Runs all steps successfully until none is left.
    private func steps(_ registration: inout Registration) -> [Registration.Step] {
        var steps: [Registration.Step] = []
        while let step = registration.next() {
            steps.append(step)
            registration.finish(step, succeeded: true)
        }
        return steps
    }

    private static let all: [Registration.Step] = [
        .power, .alias, .pairable, .agent, .defaultAgent, .application, .advertise,
    ]

    @Test("No request precedes the adapter, and then requests are made in order, one at a time")
    func order() {
        var registration = Registration()
        registration.wantsToAdvertise = true
        #expect(registration.next() == nil)
        registration.setAdapter(there: true)
        #expect(registration.next() == .power)
        #expect(registration.next() == .power || registration.running == .power)
        registration.finish(.power, succeeded: true)
        #expect(steps(&registration) == Array(Self.all.dropFirst()))
        #expect(registration.isSettled)
    }

    @Test("A failed step is repeated")
    func failure() {
        var registration = Registration()
        registration.setAdapter(there: true)
        #expect(registration.next() == .power)
        registration.finish(.power, succeeded: false)
        #expect(!registration.isSettled)
        #expect(registration.next() == .power)
    }

    @Test("A device that stops and restarts advertising is unregistered and registered again")
    func advertising() {
        var registration = Registration()
        registration.wantsToAdvertise = true
        registration.setAdapter(there: true)
        _ = steps(&registration)
        registration.wantsToAdvertise = false
        #expect(!registration.isSettled)
        #expect(steps(&registration) == [.unadvertise])
        registration.wantsToAdvertise = true
        #expect(steps(&registration) == [.advertise])
        registration.advertisementReleased()
        #expect(steps(&registration) == [.advertise])
    }

    @Test("After bluetoothd or the adapter is lost, all requests are repeated and old answers ignored")
    func restart() {
        var registration = Registration()
        registration.wantsToAdvertise = true
        registration.setAdapter(there: true)
        _ = steps(&registration)
        registration.wantsToAdvertise = false
        #expect(registration.next() == .unadvertise)
        registration.setAdapter(there: false)
        registration.finish(.unadvertise, succeeded: true)
        registration.wantsToAdvertise = true
        #expect(registration.next() == nil && !registration.isSettled)
        registration.setAdapter(there: true)
        #expect(steps(&registration) == Self.all)
    }

    @Test("The application has an object for each attribute, except for bluetoothd's own services")
    func layout() {
        let services = [VirtualService(0x1801, [])] + TestDevice().services
        let layout = ApplicationLayout(services, root: "/a")
        #expect(layout.services.map(\.path.description) == ["/a/service00", "/a/service01"])
        #expect(layout.path(of: TestDevice.battery) == "/a/service01/char00")
        #expect(layout.path(of: TestDevice.secret) == "/a/service00/char02")
        #expect(layout.path(of: CharacteristicID(service: 1, uuid: 1)) == nil)
    }

    @Test(
        "Flags describe the operations of a characteristic and their encryption",
        arguments: [
            ([.read, .notify], false, ["read", "notify"]),
            ([.write, .writeWithoutResponse], false, ["write-without-response", "write"]),
            ([.read, .write, .notify], true, ["encrypt-read", "encrypt-write", "encrypt-notify"]),
            ([.write, .writeWithoutResponse], true, ["write-without-response", "encrypt-write"]),
            ([.indicate], true, ["encrypt-indicate"]),
        ] as [(CharacteristicProperties, Bool, [String])])
    func flags(properties: CharacteristicProperties, isEncrypted: Bool, flags: [String]) {
        let characteristic = VirtualCharacteristic(
            TestDevice.echo, properties, needsEncryption: isEncrypted)
        #expect(ApplicationLayout.flags(characteristic) == flags)
    }

    @Test(
        "An ATT error is sent to bluetoothd by name or as text",
        arguments: [
            (0x03, "NotPermitted", "0x03"), (0x06, "NotSupported", "0x06"), (0x07, "InvalidOffset", "0x07"),
            (0x08, "NotAuthorized", "0x08"), (0x0D, "InvalidValueLength", "0x0d"), (0x80, "Failed", "0x80"),
        ] as [(UInt8, String, String)])
    func refusals(code: UInt8, name: String, message: String) {
        #expect(
            ApplicationLayout.refusal(code) == DBusError(name: "org.bluez.Error.\(name)", message: message))
    }

    @Test("Notifications are sent one at a time, in order, and dropped after a disconnect")
    func pacing() {
        func item(_ device: String, _ byte: UInt8) -> Pacer.Item {
            Pacer.Item(device: device, id: TestDevice.echo, bytes: [byte])
        }
        var pacer = Pacer()
        #expect(pacer.isIdle)
        for byte in 1...3 as ClosedRange<UInt8> {
            pacer.add(item("a", byte))
            pacer.add(item("b", byte))
        }
        #expect(pacer.next() == item("a", 1))
        #expect(!pacer.isIdle)
        pacer.pauseEnded()
        pacer.forget("a")
        #expect(
            [pacer.next(), pacer.next(), pacer.next(), pacer.next()] == [
                item("b", 1), item("b", 2), item("b", 3), nil,
            ])
        for number in 0...Pacer.limit + 4 { pacer.add(item("c", UInt8(truncatingIfNeeded: number))) }
        #expect(pacer.next() == item("c", 5))
    }
}
