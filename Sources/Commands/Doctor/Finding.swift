package import HostServices
import JSON
import Terminal

/// The result of a check: the state, and commands for the user if something is wrong.
package struct Finding: Hashable, Sendable {
    package enum Verdict: String, Hashable, Sendable {
        /// Nothing is wrong.
        case ok
        /// The bridge works with restrictions, or will stop working.
        case warning
        /// Something that the bridge needs does not work.
        case problem
    }

    /// The subjects of the checks, in the order of the report.
    enum Check: String, Hashable, Sendable, CaseIterable {
        case configuration, clock, state, bus, bluez, radio, adapters, proxies, devices, broker, access,
            bridge
    }

    var check: Check
    package var verdict: Verdict
    /// The state, in one sentence.
    var summary: String
    /// Commands to type, or other actions; one line each, the most probable first.
    var remedies: [String] = []

    static func ok(_ check: Check, _ summary: String, _ remedies: [String] = []) -> Finding {
        Finding(check: check, verdict: .ok, summary: summary, remedies: remedies)
    }

    static func warning(_ check: Check, _ summary: String, _ remedies: [String]) -> Finding {
        Finding(check: check, verdict: .warning, summary: summary, remedies: remedies)
    }

    static func problem(_ check: Check, _ summary: String, _ remedies: [String]) -> Finding {
        Finding(check: check, verdict: .problem, summary: summary, remedies: remedies)
    }

    /// The finding as one line of JSON, for programs: `{"check","verdict","summary","remedies"}`.
    package var line: String {
        JSON.Value.object([
            "check": .string(check.rawValue), "verdict": .string(verdict.rawValue),
            "summary": .string(summary), "remedies": .array(remedies.map { .string($0) }),
        ]).description
    }

    /// Returns the lines for a terminal: the verdict and the check in columns, then the commands.
    ///
    /// - Parameter style: The width at which sentences are wrapped, and whether the verdict has a color. Commands are
    ///   not wrapped.
    package func lines(_ style: TerminalStyle) -> [String] {
        let (word, rest) = (verdict.rawValue.padded(to: 9), check.rawValue.padded(to: 15))
        let head = style.paint(word, verdict.tone) + rest
        // On a narrow terminal, the sentences use the full width.
        let margin = style.columns < 70 ? 4 : word.count + rest.count
        let indentation = String(repeating: " ", count: margin)
        let text = summary.printable.wrapped(at: max(style.columns - margin, 30))
        let first = margin < word.count + rest.count ? [head.trimmedAtEnd] : []
        return first + text.enumerated().map { ($0 == 0 && first.isEmpty ? head : indentation) + $1 }
            + remedies.map { "\(indentation)-> \($0.printable)" }
    }
}

extension Finding.Verdict {
    fileprivate var tone: TerminalStyle.Tone {
        switch self {
        case .ok: .good
        case .warning: .doubtful
        case .problem: .bad
        }
    }
}

extension String {
    /// Pads the text with spaces; a longer text is returned unchanged.
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

extension [Finding] {
    /// A summary of all findings in one line.
    package var conclusion: String {
        func words(_ verdict: Finding.Verdict, _ name: String) -> String? {
            let count = count { $0.verdict == verdict }
            return count == 0 ? nil : "\(count) \(name)\(count == 1 ? "" : "s")"
        }
        let parts = [words(.problem, "problem"), words(.warning, "warning")].compactMap(\.self)
        return parts.isEmpty ? "All is well." : parts.joined(separator: ", ") + "."
    }
}
