import Bluetooth
import DBus
import Testing

@testable import BlueZ

@Suite("Decisions of the radio, without a bus")
struct DecisionTests {
    @Test(
        "BlueZ's error names and messages are mapped to codes",
        arguments: [
            ("org.bluez.Error.NotReady", "Resource Not Ready", .adapterOff),
            ("org.bluez.Error.InProgress", "In Progress", .inProgress),
            ("org.bluez.Error.Failed", "le-connection-abort-by-local", .unreachable),
            ("org.bluez.Error.Failed", "Software caused connection abort", .unreachable),
            ("org.bluez.Error.Failed", "le-connection-abort-by-remote", .refused),
            ("org.bluez.Error.Failed", "le-connection-concurrent-connection-limit", .connectionLimit),
            ("org.bluez.Error.Failed", "Too many links", .connectionLimit),
            ("org.bluez.Error.Failed", "br-connection-canceled", .cancelled),
            ("org.bluez.Error.Failed", "Not connected", .notConnected),
            ("org.bluez.Error.NotConnected", "Not Connected", .notConnected),
            ("org.bluez.Error.NotPermitted", "Not paired", .pairingRequired),
            ("org.bluez.Error.NotPermitted", "Write not permitted", .notPermitted),
            ("org.bluez.Error.NotAuthorized", "Operation Not Authorized", .pairingRequired),
            ("org.bluez.Error.InvalidArguments", "Invalid Length", .invalidLength),
            ("org.bluez.Error.InvalidArguments", "Invalid arguments in method call", .failed),
            ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x0e", .failed),
            ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x05", .pairingRequired),
            (
                "org.bluez.Error.Failed", "Operation failed with ATT error: 0x0d (Invalid length)",
                .invalidLength
            ),
            ("org.bluez.Error.AuthenticationFailed", "Authentication Failed", .pairingFailed),
            ("org.bluez.Error.AlreadyExists", "Already Exists", .alreadyDone),
            ("org.bluez.Error.DoesNotExist", "Does Not Exist", .unknownDevice),
            ("org.freedesktop.DBus.Error.UnknownObject", "Method doesn't exist", .unknownDevice),
            ("org.freedesktop.DBus.Error.ServiceUnknown", "not provided by any .service files", .serviceAway),
            (
                "org.freedesktop.DBus.Error.NoReply", "Message recipient disconnected from message bus",
                .serviceAway
            ),
            ("org.freedesktop.DBus.Error.AccessDenied", "Rejected send message", .accessDenied),
            ("com.example.Odd", "", .failed),
        ] as [(String, String, BlueZError.Code)])
    func errors(name: String, message: String, code: BlueZError.Code) {
        #expect(BlueZError.code(ofName: name, message: message) == code)
    }

    @Test("Discovery: a failed start is retried, and a stop in between withdraws the request")
    func discoveryRetries() {
        var control = DiscoveryControl()
        #expect(control.want(true) == [.start])
        #expect(control.want(true).isEmpty)
        #expect(control.started(false, isDiscovering: false) == [.startTimer])
        #expect(control.timerFired() == [.start])
        #expect(control.started(true, isDiscovering: true).isEmpty)
        #expect(control.want(false) == [.stop])
        #expect(control.want(true).isEmpty, "nothing while a call is in flight")
        #expect(control.stopped(isRefused: false) == [.start])
        #expect(control.want(false).isEmpty)
        #expect(control.started(true, isDiscovering: true) == [.stop])
        #expect(control.stopped(isRefused: false).isEmpty)
        #expect(control.isQuiet)
    }

    @Test("Discovery: withdrawing the request during the delay of a retry cancels the retry")
    func discoveryCancelled() {
        var control = DiscoveryControl()
        _ = control.want(true)
        _ = control.started(false, isDiscovering: false)
        #expect(control.want(false) == [.cancelTimer])
        #expect(control.want(true) == [.start])
    }

    @Test("Discovery: a pause by BlueZ that lasts too long leads to a restart")
    func discoveryStalls() {
        var control = DiscoveryControl()
        _ = control.want(true)
        _ = control.started(true, isDiscovering: true)
        #expect(control.discoveringChanged(false) == [.startTimer])
        #expect(control.discoveringChanged(true) == [.cancelTimer])
        #expect(control.discoveringChanged(false) == [.startTimer])
        #expect(control.timerFired() == [.stop])
        #expect(control.stopped(isRefused: false) == [.start])
    }

    @Test("Discovery: a successful start without Discovering leads to a restart")
    func discoveryNotBelieved() {
        var control = DiscoveryControl()
        _ = control.want(true)
        #expect(control.started(true, isDiscovering: false) == [.startTimer])
        #expect(control.discoveringChanged(true) == [.cancelTimer])
        #expect(control.renew() == [.stop])
        #expect(control.renew().isEmpty)
        #expect(control.stopped(isRefused: false) == [.start])
        #expect(control.started(true, isDiscovering: false) == [.startTimer])
        #expect(control.timerFired() == [.stop])
    }

    @Test("Discovery: the other filter is used after a refused stop, and after a silence")
    func discoveryInEarnest() {
        var control = DiscoveryControl()
        _ = control.want(true)
        _ = control.started(true, isDiscovering: true)
        #expect(control.renew() == [.stop] && !control.usesSecondFilter)
        #expect(control.stopped(isRefused: true) == [.start] && control.usesSecondFilter)
        #expect(control.silent().isEmpty && control.usesSecondFilter, "nothing runs yet")
        _ = control.started(true, isDiscovering: true)
        #expect(control.silent() == [.stop] && !control.usesSecondFilter)
        #expect(control.stopped(isRefused: false) == [.start] && !control.usesSecondFilter)
    }

    @Test("Discovery: advertisements keep it running, and each restart without effect doubles the limit")
    func silence() {
        var watch = SilenceWatch(first: .seconds(30), longest: .seconds(100))
        watch.began(at: .seconds(10))
        #expect(watch.deadline == .seconds(40))
        var isOver = watch.isOver(at: .milliseconds(39_999))
        #expect(!isOver)
        for (now, next) in [(40, 60), (100, 100), (200, 100)] {
            isOver = watch.isOver(at: .seconds(now))
            #expect(isOver)
            watch.began(at: .seconds(now))
            #expect(watch.deadline == .seconds(now + next))
        }
        watch.heard(at: .seconds(210))
        #expect(watch.deadline == .seconds(240))
    }

    @Test("Discovery: after the loss of the adapter it needs no call, and starts again")
    func discoveryReset() {
        var control = DiscoveryControl()
        _ = control.want(true)
        _ = control.started(true, isDiscovering: true)
        #expect(control.reset().isEmpty)
        #expect(control.stopped(isRefused: false).isEmpty)
        #expect(control.want(true) == [.start])
    }

    struct Sight: Sendable {
        var adapter: ObjectPath
        var rssi: Int?
        var isPaired = false
        var isConnected = false

        var device: Device? {
            var device = Device(
                path: adapter.appending("dev_C0_00_00_00_00_01"),
                properties: ["Address": .string("C0:00:00:00:00:01")])
            device?.rssi = rssi
            device?.isPaired = isPaired
            device?.isConnected = isConnected
            return device
        }
    }

    @Test(
        "The connected adapter is chosen, then the bonded one, then the one with the strongest signal",
        arguments: [
            ([Sight(adapter: "/a", rssi: -80), Sight(adapter: "/b", rssi: -60)], "/b"),
            ([Sight(adapter: "/a", rssi: -80, isPaired: true), Sight(adapter: "/b", rssi: -60)], "/a"),
            (
                [Sight(adapter: "/a", isConnected: true), Sight(adapter: "/b", rssi: -60, isPaired: true)],
                "/a"
            ),
            ([Sight(adapter: "/a"), Sight(adapter: "/b", rssi: -90)], "/b"),
            ([Sight(adapter: "/a", rssi: -60), Sight(adapter: "/b", rssi: -60)], "/a"),
            ([Sight(adapter: "/off", rssi: -10), Sight(adapter: "/b", rssi: -90)], "/b"),
            ([Sight(adapter: "/off", rssi: -10)], nil),
        ] as [([Sight], ObjectPath?)])
    func placement(sights: [Sight], adapter: ObjectPath?) {
        let chosen = Placement.choose(sights.compactMap(\.device), usable: ["/a", "/b"])
        #expect(chosen?.adapter == adapter)
    }

    @Test(
        "A full adapter comes after others that receive the device, but not after its link or its bond",
        arguments: [
            ([Sight(adapter: "/a", rssi: -50), Sight(adapter: "/b", rssi: -90)], "/b"),
            ([Sight(adapter: "/a", rssi: -50, isPaired: true), Sight(adapter: "/b", rssi: -60)], "/a"),
            ([Sight(adapter: "/a", isConnected: true), Sight(adapter: "/b", rssi: -60)], "/a"),
            ([Sight(adapter: "/a", rssi: -50)], "/a"),
        ] as [([Sight], ObjectPath)])
    func fullAdapter(sights: [Sight], adapter: ObjectPath) {
        let chosen = Placement.choose(sights.compactMap(\.device), usable: ["/a", "/b"], full: ["a"])
        #expect(chosen?.adapter == adapter)
    }

    @Test("The echo of a read is not a notification; notifications around it are delivered in order")
    func echo() {
        var echo = ReadEcho()
        #expect(echo.signalled([1]) == [1])
        echo.readStarted()
        #expect(echo.signalled([2]) == nil)
        #expect(echo.signalled([3]) == [2])
        #expect(echo.signalled([7]) == [3])
        #expect(echo.readEnded([7]) == nil)
        #expect(echo.signalled([4]) == [4])
        echo.readStarted()
        #expect(echo.signalled([5]) == nil)
        #expect(echo.readEnded(nil) == [5], "a failed read has no echo")
        echo.readStarted()
        #expect(echo.signalled([6]) == nil)
        #expect(echo.readEnded([9]) == [6], "another value was no echo")
        echo.readStarted()
        #expect(echo.signalled([8]) == nil)
        #expect(echo.abandoned() == [8], "a read that the link's end cut off has no echo")
        #expect(echo.abandoned() == nil)
    }

    @Test("Advertisements of a device are reported at intervals, and changes immediately")
    func gate() {
        var gate = AdvertisementGate(interval: .seconds(1))
        var heard = Advertisement(address: "C0:00:00:00:00:01", name: "Belt", rssi: -60)
        #expect(gate.admits(heard, adapter: "hci0", at: .zero) == true)
        heard.rssi = -50
        #expect(gate.admits(heard, adapter: "hci0", at: .milliseconds(900)) == false)
        #expect(gate.admits(heard, adapter: "hci0", at: .milliseconds(1000)) == true)
        heard.isConnected = true
        #expect(gate.admits(heard, adapter: "hci0", at: .milliseconds(1001)) == true)
        heard.rssi = nil
        #expect(gate.admits(heard, adapter: "hci0", at: .milliseconds(1002)) == true)
        #expect(gate.admits(heard, adapter: "hci0", at: .seconds(60)) == false, "silent and unchanged")
        heard.rssi = -60
        #expect(gate.admits(heard, adapter: "hci0", at: .seconds(60)) == true)
        #expect(gate.admits(heard, adapter: "hci1", at: .seconds(60)) == true)
        gate.forget(heard.address)
        #expect(gate.admits(heard, adapter: "hci1", at: .seconds(60)) == true)
    }

    @Test(
        "The reason of a lost link is described",
        arguments: [
            ("org.bluez.Reason.Timeout", "out of range: the link timed out"),
            ("org.bluez.Reason.Remote", "disconnected by the device"), (nil, "the link was lost"),
        ] as [(String?, String)])
    func reasons(reason: String?, words: String) {
        #expect(DisconnectReason.words(reason: reason, wasAsked: false) == words)
        #expect(DisconnectReason.words(reason: reason, wasAsked: true) == "disconnected by this bridge")
    }
}
