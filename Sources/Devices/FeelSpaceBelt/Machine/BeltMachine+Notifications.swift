import Bluetooth
import DeviceKit
import JSON

extension BeltMachine {
    mutating func notified(_ characteristic: CharacteristicID, _ bytes: [UInt8], _ effects: inout Effects) {
        guard phase != .offline else { return }
        answerRaw(characteristic, bytes, &effects)
        switch characteristic {
        case BeltGATT.keepAlive:
            effects.write(BeltGATT.keepAlive, BeltKeepAlive.reply, priority: .ahead)
            if let mode = BeltKeepAlive(bytes)?.mode { learn(mode, &effects) }
        case BeltGATT.button: if let press = BeltButtonPress(bytes) { pressed(press, &effects) }
        case BeltGATT.parameterNotification:
            if let notification = BeltParameterNotification(bytes) { learn(notification, &effects) }
        case BeltGATT.battery: publishBattery(bytes, &effects)
        case BeltGATT.orientation:
            guard let reading = BeltOrientationReading(bytes) else { break }
            orientation.note(reading)
            if orientation.takes(reading) { BeltFamily.orientation.publish(reading, &effects) }
        case BeltGATT.sensorData: noteRawValues(bytes, &effects)
        case BeltGATT.debugOutput: debugged(bytes, &effects)
        default: break
        }
    }

    func publishBattery(_ bytes: [UInt8], _ effects: inout Effects) {
        if let status = BeltBatteryStatus(bytes) { BeltFamily.battery.publish(status, &effects) }
    }

    /// Publishes the value of a parameter and returns its JSON, to confirm a change.
    private func publish<Value, Asked>(
        _ value: Value, as feature: FeatureHandle<Value, Asked>, _ effects: inout Effects
    ) -> JSON.Value {
        feature.publish(value, &effects)
        return feature.report(value)
    }

    private mutating func learn(_ notification: BeltParameterNotification, _ effects: inout Effects) {
        guard let content = notification.content else { return }
        var answer: JSON.Value?
        switch content {
        case .mode(let mode): learn(mode, &effects)
        case .intensity(let value):
            defaultIntensity = value
            answer = publish(value, as: BeltFamily.intensity, &effects)
        case .headingOffset(let value): answer = publish(value, as: BeltFamily.headingOffset, &effects)
        case .accuracySignal(let value): answer = publish(value, as: BeltFamily.accuracySignal, &effects)
        case .pairingRequired(let value): answer = publish(value, as: BeltFamily.pairingRequired, &effects)
        case .orientationPeriod(let value):
            answer = .integer(Int(value))
            orientation.confirm(period: value)
        case .frontRange(let range):
            // FSLib-iOS fixes this bug of firmware 4, variant 4 in the same way.
            if phase == .handshake, firmware?.needsFrontRangePatch == true, range.isWrong {
                effects.write(
                    BeltGATT.parameterRequest, BeltParameterRequest.setFrontRange(.corrected).bytes)
            }
        case .magnetometerError, .calibration, .gyroscopeStatus:
            noteCalibration(notification, &effects)
        case .name: break
        }
        switch phase {
        case .handshake: stepAnswered(notification.parameter, &effects)
        case .online:
            if let answer { confirm(notification.parameter, as: answer, &effects) }
            if case .orientationPeriod = content { correctOrientationPeriod(&effects) }
        case .offline, .closing: break
        }
    }

    private mutating func pressed(_ press: BeltButtonPress, _ effects: inout Effects) {
        BeltFamily.button.publish(press, &effects)
        let changed = note(press.mode, &effects)
        guard phase == .online else { return }
        if !reactToClaimedAppMode(press, &effects) {
            perform(navigation.handle(.button(press), mode: press.mode), &effects)
        }
        if changed { reached(press.mode, &effects) }
    }

    /// Handles a mode that the belt notified without a button press.
    private mutating func learn(_ new: BeltMode, _ effects: inout Effects) {
        let changed = note(new, &effects)
        guard phase == .online, changed else { return }
        let isClaimed = appMode.isWanted || hapticReturn != nil
        if navigation.state == .navigating || !(new == .app && isClaimed) {
            perform(navigation.handle(.modeNotified(new), mode: new), &effects)
        } else {
            navigation.isPauseOurs = false
        }
        reached(new, &effects)
    }

    /// Records and publishes the mode. Returns whether it changed.
    private mutating func note(_ new: BeltMode, _ effects: inout Effects) -> Bool {
        guard mode != new else { return false }
        vibrations.commanded.changed(from: mode, to: new)
        mode = new
        appMode.entered(new)
        isEnteringAppMode = false
        if new != .app { throttle.cancel() }
        if new == .standby { vibrations = BeltVibrations() }
        // While the link is being closed, the mode is already published as unknown.
        if phase != .closing { BeltFamily.mode.publish(new, &effects) }
        settleStops(in: new, &effects)
        return true
    }

    /// Reacts to a new mode, except for navigation: continues the pattern, confirms a request, and handles a belt that
    /// switches off.
    private mutating func reached(_ mode: BeltMode, _ effects: inout Effects) {
        continueHaptic(in: mode, &effects)
        confirmMode(&effects)
        guard mode == .standby, phase == .online else { return }
        if change?.goal == .mode(.standby) { finishChange(&effects) }
        fail(
            DeviceFailure(
                .poweredOff, "the belt was switched off", advice: "switch the belt on with its power button"),
            &effects)
    }

    /// Handles buttons while navigation is stopped and a command requested app mode. In app mode, the belt only reports
    /// buttons: the pause button makes the bridge pause and resume, and the home button is reported to the application.
    private mutating func reactToClaimedAppMode(_ press: BeltButtonPress, _ effects: inout Effects) -> Bool {
        guard navigation.state == .stopped, press.previousMode == press.mode else { return false }
        switch (press.button, press.mode) {
        case (.pause, .app) where appMode.isWanted:
            appMode.isPaused = true
            request(mode: .pause, &effects)
        case (.pause, .pause) where appMode.isPaused:
            appMode.isWanted = true
            request(mode: .app, &effects)
        case (.home, .app) where appMode.isWanted:
            BeltFamily.home.publish(.init(isNavigating: false), &effects)
        default: return false
        }
        return true
    }
}
