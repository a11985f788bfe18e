import Bluetooth
import BridgeTesting
import JSON

// Messages and topics for tests.
extension TestBridge {
    func send(
        _ feature: String, _ payload: String, device: String = "sample", retain: Bool = false
    ) {
        broker.send("\(device)/\(feature)/set", payload, retain: retain)
    }

    /// The results so far.
    func results(_ device: String = "sample") -> [JSON.Value] { broker.objects("\(device)/result") }

    /// The newest result: `ok`, or the error's code.
    func lastResult(_ device: String = "sample") -> String? {
        let result = results(device).last
        return (result?["code"] ?? result?["status"])?.string
    }

    /// The state of the connection.
    func connection(_ device: String = "sample") -> JSON.Value? {
        broker.retainedObject("\(device)/connection")
    }

    /// The states of the connection, one for each message so far.
    func states(_ device: String = "sample") -> [String] {
        broker.objects("\(device)/connection").compactMap { $0["state"]?.string }
    }

    func availability(_ device: String = "sample") -> String? { broker.retained("\(device)/availability") }

    func request(_ name: String, _ payload: String) { broker.send("bridge/attic/request/\(name)", payload) }

    /// The newest answer to a request: `ok`, or the error's code.
    func lastResponse(_ request: String) -> String? {
        let response = broker.objects("bridge/attic/response/\(request)").last
        return (response?["code"] ?? response?["status"])?.string
    }

    /// The names of the bridge's events so far.
    func events() -> [String] { broker.objects("bridge/attic/event").compactMap { $0["event"]?.string } }

    /// The values that were written to the motor characteristic.
    var motor: [[UInt8]] { link()?.writes(SampleFamily.motor) ?? [] }
    /// The values that were written to the control characteristic.
    var control: [[UInt8]] { link()?.writes(SampleFamily.control) ?? [] }
}
