import ArgumentParser
import FleetSimulation

/// Compares how hosts may be chosen.
struct Policies: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compares policies for the choice of the host that connects a device.",
        discussion: """
            For each policy: one device that moves between two hosts for an hour, and a site where one device in ten \
            moves, then hosts fail, then all bridges restart. Times are seconds from the loss of a connection to the \
            next usable one: the median and the 95th percentile. "3 dB": the percentage of devices whose host is at \
            most 3 dB worse than the best host.
            """)

    @Option(help: ArgumentHelp("The number of hosts of the site.", valueName: "number"))
    var hosts = 1000
    @Option(help: ArgumentHelp("The number of devices of the site.", valueName: "number"))
    var devices = 10000
    @Option(help: ArgumentHelp("The number of hosts that fail.", valueName: "number"))
    var dying = 20
    @Option(help: ArgumentHelp("The seed.", valueName: "number"))
    var seed = 1
    @Option(help: ArgumentHelp("Only policies with this text in their name.", valueName: "text"))
    var only: String?

    func validate() throws {
        if hosts < 1 || devices < 1 || dying < 1 || dying > hosts || seed < 0 {
            throw ValidationError(
                "--hosts, --devices, --dying: allowed: 1 or more, and at most --hosts for --dying; --seed: 0 or more."
            )
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
