package import DeviceKit
import JSON

/// A message of the broker that is forwarded to pages. Its text is encoded once for all pages.
package final class Delivery {
    package let topic: String
    package let payload: [UInt8]
    package let kind: Report.Kind

    package init(_ topic: String, _ payload: [UInt8], _ kind: Report.Kind) {
        self.topic = topic
        self.payload = payload
        self.kind = kind
    }

    /// The message as JSON for pages: `["belt/heading","90","x"]`. The last element is the kind: `s` is a state, `e` an
    /// event, `x` a stream.
    private(set) package lazy var text: [UInt8] = {
        let letter =
            switch kind {
            case .state: "s"
            case .event: "e"
            case .stream: "x"
            }
        return JSON.Value.array([
            .string(topic), .string(String(decoding: payload, as: UTF8.self)), .string(letter),
        ]).bytes
    }()
}
