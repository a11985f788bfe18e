import ArgumentParser
import FleetSimulation

/// Compares how hosts may be chosen.
struct Policies: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compares policies by which bridges choose who connects.",
        discussion: """
            For each policy: a walker between two hosts for an hour, and a site where one device in ten walks, then \
            hosts die, then all bridges restart. Times are seconds from the loss of a link to the next one that can \
            be used, the half below the first, and 95 of 100 below the second. "3 dB": of a hundred, those whose host \
            is at most 3 dB worse than the best one.
            """)

    @Option(help: ArgumentHelp("The hosts of the site.", valueName: "number"))
    var hosts = 1000
    @Option(help: ArgumentHelp("The devices of the site.", valueName: "number"))
    var devices = 10000
    @Option(help: ArgumentHelp("How many hosts die.", valueName: "number"))
    var dying = 20
    @Option(help: ArgumentHelp("The seed.", valueName: "number"))
    var seed = 1
    @Option(help: ArgumentHelp("Only policies whose name has this in it.", valueName: "text"))
    var only: String?

    func validate() throws {
        if hosts < 1 || devices < 1 || dying < 1 || dying > hosts || seed < 0 {
            throw ValidationError("Expected at least one host, device and host that dies.")
        }
    }

    func run() throws {
        print("                      two hosts      site, walks         hosts die all restart")
        print("                      p50  p95 3 dB  p50  p95 3 dB tries  p50  p95   p50  p95 3 dB")
        for trial in PolicyTrial.all where only.map({ trial.name.contains($0) }) ?? true {
            let pair = trial.twoHosts(seed: UInt64(seed), seconds: 3600)
            let site = trial.site(hosts: hosts, devices: devices, seed: UInt64(seed), dying: dying)
            let name = trial.name + String(repeating: " ", count: max(0, 20 - trial.name.count))
            print(
                name + times(pair) + near(pair) + times(site.walks) + near(site.walks)
                    + Text.cell(Text.number(site.walks.connects, 2), 6) + times(site.deaths)
                    + " " + times(site.restart) + near(site.restart))
        }
    }

    private func times(_ result: PolicyTrial.Result) -> String {
        [0.5, 0.95].map { part in
            let value = Measures.quantile(part, of: result.gaps)
            return Text.cell(value.map { Text.number($0, $0 < 10 ? 2 : 1) } ?? "-", 5)
        }.joined()
    }

    private func near(_ result: PolicyTrial.Result) -> String {
        Text.cell(Text.number(Measures.percentage(of: result.lags, upTo: 3), 0), 5)
    }
}
