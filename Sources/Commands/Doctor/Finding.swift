package import HostServices
import JSON
import Terminal

/// What a check came to: how things are, and what to type if they are not as they should be.
package struct Finding: Hashable, Sendable {
    /// How bad it is.
    package enum Verdict: String, Hashable, Sendable {
        /// As it should be.
        case ok
        /// The bridge works, but not as well as it could, or not for long.
        case warning
        /// Something does not work.
        case problem
    }

    /// What was looked at, in the order in which it is told.
    enum Check: String, Hashable, Sendable, CaseIterable {
        case configuration, clock, state, bus, bluez, radio, adapters, devices, broker, access, bridge
    }

    /// What was looked at.
    var check: Check
    /// How bad it is.
    package var verdict: Verdict
    /// How things are, in one sentence.
    var summary: String
    /// What to type, or to do where there is nothing to type; one line each, the most probable first.
    var remedies: [String] = []

    /// All is well.
    static func ok(_ check: Check, _ summary: String, _ remedies: [String] = []) -> Finding {
        Finding(check: check, verdict: .ok, summary: summary, remedies: remedies)
    }

    /// Something may be wrong, or will be.
    static func warning(_ check: Check, _ summary: String, _ remedies: [String]) -> Finding {
        Finding(check: check, verdict: .warning, summary: summary, remedies: remedies)
    }

    /// Something is wrong.
    static func problem(_ check: Check, _ summary: String, _ remedies: [String]) -> Finding {
        Finding(check: check, verdict: .problem, summary: summary, remedies: remedies)
    }

    /// One line for a program: `{"check","verdict","summary","remedies"}`.
    package var line: String {
        JSON.Value.object([
            "check": .string(check.rawValue), "verdict": .string(verdict.rawValue),
            "summary": .string(summary), "remedies": .array(remedies.map { .string($0) }),
        ]).description
    }

    /// A few lines for a terminal: the verdict and the check in columns, then what to type.
    ///
    /// - Parameter style: Where sentences are broken, which what is to be typed is not; and whether the verdict has a
    ///   colour.
    package func lines(_ style: TerminalStyle) -> [String] {
        let (word, rest) = (verdict.rawValue.padded(to: 9), check.rawValue.padded(to: 15))
        let head = style.paint(word, verdict.tone) + rest
        // A narrow terminal keeps the room for the sentences.
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
    /// The text filled up with spaces; a longer one stays as it is.
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

extension [Finding] {
    /// How all of it stands, in one line.
    package var conclusion: String {
        func words(_ verdict: Finding.Verdict, _ name: String) -> String? {
            let count = count { $0.verdict == verdict }
            return count == 0 ? nil : "\(count) \(name)\(count == 1 ? "" : "s")"
        }
        let parts = [words(.problem, "problem"), words(.warning, "warning")].compactMap(\.self)
        return parts.isEmpty ? "All is well." : parts.joined(separator: ", ") + "."
    }
}
