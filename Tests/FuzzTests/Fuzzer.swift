#if FUZZING
import CFuzzer
import Glibc

/// Hands one parser over to libFuzzer, which looks for bytes that reach code that none has reached before.
/// `deploy/fuzz` builds and runs it: the variable `TACTILE_FUZZ` names the parser, the arguments are libFuzzer's, who
/// starts the program again with others of its own to choose among inputs.
@main
enum Fuzzer {
    static func main() {
        guard let name = getenv("TACTILE_FUZZ"), let parser = Parser.named(String(cString: name)) else {
            print("TACTILE_FUZZ names no parser; there are: \(Parser.all.map(\.name).joined(separator: " "))")
            exit(64)
        }
        chosen = parser
        var argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        var argc = CommandLine.argc
        exit(
            LLVMFuzzerRunDriver(&argc, &argv) { data, size in
                check(UnsafeRawBufferPointer(start: data, count: size).map { $0 })
                return 0
            })
    }
}

/// Set before libFuzzer begins, and read by its one thread alone: its callback is a C function and captures nothing.
nonisolated(unsafe) private var chosen: Parser?

/// Ends the process when something is broken: that is how libFuzzer learns of it, and keeps the bytes.
private func check(_ bytes: [UInt8]) {
    do {
        guard let complaints = try chosen?.check(bytes), !complaints.isEmpty else { return }
        print("broken: \(complaints.joined(separator: "; "))")
    } catch {
        print("broken: \(error)")
    }
    fflush(nil)
    abort()
}
#endif
