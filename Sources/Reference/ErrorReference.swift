import BridgeContract
import DeviceKit
import HostServices
import Terminal

/// The reference of all error codes and exit statuses.
struct ErrorReference: Sendable {
    /// The reference in Markdown: one table for each kind of code.
    var markdown: String {
        var codes = MarkdownTable(["`code`", "meaning", "what to do"])
        for code in CommandError.Code.allCases {
            codes.add([
                MarkdownTable.code(code.rawValue), MarkdownTable.escaped(code.meaning),
                MarkdownTable.escaped(code.remedy),
            ])
        }
        var reasons = MarkdownTable(["`reason`", "`code`", "meaning"])
        for reason in CommandError.Reason.allCases {
            reasons.add([
                MarkdownTable.code(reason.rawValue), MarkdownTable.code(reason.code.rawValue),
                MarkdownTable.escaped(reason.meaning),
            ])
        }
        var links = MarkdownTable(["`reason_code`", "meaning"])
        for reason in LinkReason.allCases {
            links.add([MarkdownTable.code(reason.rawValue), MarkdownTable.escaped(reason.meaning)])
        }
        var advice = MarkdownTable(["`advice_code`", "what to do"])
        for code in LinkAdvice.allCases {
            advice.add([MarkdownTable.code(code.rawValue), MarkdownTable.escaped(code.meaning)])
        }
        var exits = MarkdownTable(["exit code", "meaning", "what to do"])
        for status in ExitStatus.allCases {
            exits.add(["\(status.rawValue)", status.meaning, status.remedy])
        }
        let parts: [[String]] = [
            ["## Codes of answers", ""], codes.lines,
            ["", "## Reasons", ""], reasons.lines,
            ["", "## Codes of a device's connection", ""], links.lines, [""], advice.lines,
            ["", "## Exit codes of the commands", ""], exits.lines,
        ]
        return parts.joined().joined(separator: "\n")
    }
}
