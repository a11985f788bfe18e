import Testing

@testable import DeviceCatalog

@Suite("The navigation controller follows the tables of the published controllers")
struct BeltNavigationTableTests {
    typealias State = BeltNavigation.State

    /// One row: a state and a mode, an event, and the result.
    struct Row: Sendable, CustomTestStringConvertible {
        var state: State
        var mode: BeltMode?
        var event: BeltNavigation.Event
        var actions: [BeltNavigation.Action]
        var newState: State
        var isPauseOurs = false

        init(
            _ state: State, _ mode: BeltMode?, _ event: BeltNavigation.Event,
            _ actions: [BeltNavigation.Action] = [],
            _ newState: State, pauseIsOurs: Bool = false
        ) {
            self.state = state
            self.mode = mode
            self.event = event
            self.actions = actions
            self.newState = newState
            isPauseOurs = pauseIsOurs
        }

        var testDescription: String { "\(state.name), \(mode?.name ?? "not connected"): \(event)" }
    }

    private static let east = BeltNavigation.Target(direction: 90)
    private static let warning = BeltNavigation.Target(direction: 90, signal: .criticalWarning)

    private static let events: [Row] = [
        // startNavigation
        Row(.stopped, .app, .start(warning), [], .stopped),
        Row(.paused, .app, .start(warning), [], .paused),
        Row(.navigating, .app, .start(warning), [], .navigating),
        Row(.navigating, .app, .start(east), [.signal], .navigating),
        Row(.navigating, .wait, .start(east), [], .navigating),
        Row(.stopped, .app, .start(east), [.signal], .navigating),
        Row(.paused, .app, .start(east), [.signal], .navigating),
        Row(.stopped, .wait, .start(east), [.enter(.app)], .navigating),
        Row(.paused, .pause, .start(east), [.enter(.app)], .navigating),
        Row(.stopped, nil, .start(east), [], .navigating),
        Row(.paused, nil, .start(east), [], .navigating),
        // updateNavigationSignal
        Row(.navigating, .app, .update(east), [.signal], .navigating),
        Row(.navigating, .wait, .update(east), [], .navigating),
        Row(.navigating, nil, .update(east), [], .navigating),
        Row(.paused, .app, .update(east), [], .paused),
        Row(.stopped, .app, .update(east), [], .stopped),
        // pauseNavigation
        Row(.navigating, .app, .pause, [.enter(.pause)], .paused),
        Row(.navigating, .wait, .pause, [], .paused),
        Row(.navigating, nil, .pause, [], .paused),
        Row(.paused, .app, .pause, [], .paused),
        Row(.stopped, .app, .pause, [], .stopped),
        // stopNavigation
        Row(.navigating, .app, .stop, [.enter(.wait)], .stopped),
        Row(.paused, .app, .stop, [.enter(.wait)], .stopped),
        Row(.paused, .pause, .stop, [.enter(.wait)], .stopped, pauseIsOurs: true),
        Row(.paused, .pause, .stop, [], .stopped),
        Row(.navigating, .compass, .stop, [], .stopped),
        Row(.paused, nil, .stop, [], .stopped),
        Row(.stopped, .app, .stop, [], .stopped),
        // link becomes connected
        Row(.navigating, .app, .linkReady, [.signal], .navigating),
        Row(.navigating, .wait, .linkReady, [.enter(.app)], .navigating),
        Row(.paused, .app, .linkReady, [], .paused),
        Row(.stopped, .app, .linkReady, [], .stopped),
    ]

    private static let modes: [Row] = {
        func row(_ mode: BeltMode, _ outcomes: (State, [BeltNavigation.Action], State)...) -> [Row] {
            outcomes.map { Row($0.0, mode, .modeNotified(mode), $0.1, $0.2) }
        }
        let pausing = [BeltMode.compass, .crossing, .calibration].flatMap {
            row(
                $0, (.stopped, [], .stopped), (.paused, [], .paused), (.navigating, [], .paused))
        }
        return row(
            .standby, (.stopped, [], .stopped), (.paused, [], .paused), (.navigating, [], .navigating))
            + row(.wait, (.stopped, [], .stopped), (.paused, [], .stopped), (.navigating, [], .stopped))
            + pausing
            + row(
                .app, (.stopped, [.enter(.wait)], .stopped), (.paused, [.enter(.pause)], .paused),
                (.navigating, [.signal], .navigating))
            + row(.pause, (.stopped, [], .stopped), (.paused, [], .paused), (.navigating, [], .paused))
    }()

    private static let buttons: [Row] = {
        func row(
            _ button: BeltButton, _ from: BeltMode, _ to: BeltMode, stopped: [BeltNavigation.Action],
            paused: ([BeltNavigation.Action], State), navigating: ([BeltNavigation.Action], State)
        ) -> [Row] {
            let event = BeltNavigation.Event.button(BeltButtonPress(button, from: from, to: to))
            return [
                Row(.stopped, to, event, stopped, .stopped), Row(.paused, to, event, paused.0, paused.1),
                Row(.navigating, to, event, navigating.0, navigating.1),
            ]
        }
        var rows: [Row] = []
        for mode in [BeltMode.wait, .compass, .crossing, .pause] {
            rows += row(
                .home, mode, mode, stopped: [.home(navigating: false)],
                paused: ([.enter(.app)], .navigating), navigating: ([.enter(.app)], .navigating))
        }
        rows += row(
            .home, .app, .app, stopped: [.enter(.wait)], paused: ([.signal], .navigating),
            navigating: ([.home(navigating: true)], .navigating))
        rows += row(
            .pause, .app, .app, stopped: [.enter(.wait)], paused: ([.enter(.pause)], .paused),
            navigating: ([.enter(.pause)], .paused))
        rows += row(
            .pause, .pause, .pause, stopped: [.enter(.wait)], paused: ([.enter(.app)], .navigating),
            navigating: ([.enter(.app)], .navigating))
        for mode in [BeltMode.wait, .compass, .crossing, .calibration] {
            rows += row(
                .pause, mode, mode, stopped: [], paused: ([], .paused), navigating: ([], .navigating))
        }
        for (button, from, to) in [
            (BeltButton.compass, BeltMode.app, BeltMode.compass), (.compass, .app, .crossing),
            (.power, .app, .standby),
            (.pause, .compass, .pause), (.home, .calibration, .wait), (.compass, .pause, .pause),
        ] {
            rows += row(
                button, from, to, stopped: [], paused: ([], .paused), navigating: ([], .paused))
        }
        rows += row(
            .power, .app, .app, stopped: [], paused: ([], .paused), navigating: ([], .navigating))
        rows += row(
            .pause, .pause, .app, stopped: [], paused: ([], .paused), navigating: ([], .navigating))
        return rows
    }()

    private func check(_ row: Row) -> BeltNavigation {
        var navigation = BeltNavigation()
        navigation.state = row.state
        navigation.isPauseOurs = row.isPauseOurs
        #expect(navigation.handle(row.event, mode: row.mode) == row.actions)
        #expect(navigation.state == row.newState)
        return navigation
    }

    @Test("Events of the application and the link", arguments: events)
    func event(_ row: Row) {
        let navigation = check(row)
        switch row.event {
        case .start(let target), .update(let target):
            #expect((navigation.target == target) == target.signal.isRepeated)
        default: break
        }
    }

    @Test("Modes that were notified without a button", arguments: modes)
    func mode(_ row: Row) {
        let navigation = check(row)
        #expect(navigation.isPauseOurs == (row.mode == .pause && row.state == .paused))
    }

    @Test("Buttons", arguments: buttons)
    func button(_ row: Row) {
        var row = row
        row.isPauseOurs = true
        #expect(!check(row).isPauseOurs)
    }

    @Test("The table of modes contains all seven modes and three states")
    func complete() {
        #expect(Self.modes.count == 21)
    }
}
