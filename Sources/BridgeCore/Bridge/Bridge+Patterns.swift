import BridgeContract
import BridgeParts
public import Haptics
import JSON
import Logging

extension Bridge {
    /// Replaces the patterns that can be played by name. A pattern that is playing continues.
    public func use(_ library: Library) {
        settings.patterns = library
        for session in fleet.all {
            (session.desk.patterns, session.desk.mixing) = (library, settings.mixing)
        }
        reportPatterns()
        announceAll()
    }

    /// Publishes the names of the patterns, and logs the files that are ignored.
    func reportPatterns() {
        for problem in settings.patterns.problems {
            logger.warning(
                "a pattern file is ignored",
                metadata: ["file": "\(problem.file)", "reason": "\(problem.reason)"])
        }
        for remark in settings.patterns.remarks {
            logger.info(
                "parts of a pattern file are changed or not played", metadata: ["remark": "\(remark)"])
        }
        reportState("patterns", .array(settings.patterns.names.map { .string($0) }))
    }
}
