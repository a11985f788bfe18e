#if FUZZING
import CFuzzer
import Glibc

/// Runs one parser under libFuzzer, which searches for inputs that reach new code. `deploy/fuzz` builds and runs it.
/// The variable `TACTILE_FUZZ` names the parser. The arguments are libFuzzer's, which restarts the program with
/// different arguments to select inputs.
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

/// The variable is set before libFuzzer starts and read by its only thread. The callback is a C function and cannot
/// capture values.
nonisolated(unsafe) private var chosen: Parser?

/// Aborts the process on a failed check, so that libFuzzer detects it and stores the bytes.
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
