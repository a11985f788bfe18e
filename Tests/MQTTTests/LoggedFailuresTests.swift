import Logging
import Testing

@testable import MQTT

@Suite("The log level of a missing connection")
struct LoggedFailuresTests {
    @Test("Each kind of failure is logged as a warning once, and again every five minutes")
    func repetition() {
        var failures = LoggedFailures()
        let steps: [(Int, MQTTError.Code, Logger.Level)] = [
            (0, .connectionRefused, .warning), (2, .connectionRefused, .debug),
            (4, .badCredentials, .warning), (6, .badCredentials, .debug), (303, .badCredentials, .debug),
            (304, .badCredentials, .warning), (305, .badCredentials, .debug),
            (306, .sessionTakenOver, .error), (307, .sessionTakenOver, .error),
        ]
        for (seconds, code, level) in steps {
            #expect(failures.level(of: code, at: .seconds(seconds)) == level, "\(seconds)")
        }
    }

    @Test("A rejected login is reported as such, with and without a user name")
    func login() {
        let refused = MQTTError(
            .notAuthorized, broker: "b", explanation: "the broker reports: not authorized")
        #expect(
            "\(refused.namingLogin(of: "anna"))".hasPrefix(
                "b: wrong password for the user \"anna\", or unknown user (the broker ")
        )
        let anonymous = "\(refused.namingLogin(of: nil))"
        #expect(anonymous.hasPrefix("b: the broker requires a user name and a password ("))
        let other = MQTTError(.clientIDRejected, broker: "b", explanation: "no")
        #expect(other.namingLogin(of: "anna") == other)
    }
}
