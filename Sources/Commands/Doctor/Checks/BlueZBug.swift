import BlueZ

/// A bug in versions of BlueZ that affects users of the bridge.
///
/// A comment next to each bug names its source. A later version that is not listed may still have the bug.
struct BlueZBug: Sendable {
    /// The versions known to have the bug.
    var versions: ClosedRange<Version>
    /// Whether the bug occurs only if notifications are acquired (setting `bluetooth.acquire`).
    var isAboutAcquiring = false
    /// The effect, for users.
    var words: String
    /// The command for the user to type.
    var remedy: String

    private static let update =
        "sudo apt update && sudo apt install bluez   # or upgrade to a newer release of the system"
    private static let oldest = Version(5, 0)

    /// The known bugs, from the oldest version to the newest.
    static let all: [BlueZBug] = [
        // github.com/bluez/bluez/issues/112: hog-lib.c, get_report_cb; since 5.56.
        BlueZBug(
            versions: Version(5, 56)...Version(5, 56),
            words: "bluetoothd can crash when a keyboard such as a TAP connects", remedy: update),
        // github.com/bluez/bluez/issues/509: fails with 5.64, works with 5.53 and 5.66;
        // github.com/bluez/bluez/issues/363: double free in gatt-client.c, disable_ccc_callback.
        BlueZBug(
            versions: Version(5, 64)...Version(5, 64),
            words:
                "connections are lost, notifications are missing, and the end of a subscription can crash bluetoothd",
            remedy: update),
        // github.com/bluez/bluez/issues/594: 5.68 and the commits after 5.69 work.
        BlueZBug(
            versions: Version(5, 69)...Version(5, 69),
            words: "input devices such as a TAP are lost or cannot be connected", remedy: update),
        // github.com/bluez/bluez/issues/880: crash in uhid_free; the maintainer advises 5.76.
        BlueZBug(
            versions: Version(5, 75)...Version(5, 75),
            words: "bluetoothd can crash when an input device such as a TAP disconnects", remedy: update),
        // github.com/bluez/bluez/issues/952: shared/uhid.c, notify_handler.
        BlueZBug(
            versions: Version(5, 78)...Version(5, 78),
            words: "bluetoothd can crash when a keyboard such as a TAP goes to sleep", remedy: update),
        // github.com/bluez/bluez/issues/1489, fixed by pull request 1521, which Home Assistant's system applies to 5.83
        // (github.com/home-assistant/buildroot/pull/100).
        BlueZBug(
            versions: Version(5, 83)...Version(5, 83),
            words:
                "after one failed connection attempt, a device is removed and must be discovered again, which "
                + "makes reconnects slow",
            remedy: update),
        BlueZBug(
            versions: oldest...Version.lastUnsafeToAcquire, isAboutAcquiring: true,
            words: "bluetoothd can crash when a device with acquired notifications disconnects",
            remedy: "set bluetooth.acquire to auto, and: sudo systemctl restart tactile-bridge"),
        // github.com/bluez/bluez/issues/2282, fixed after 5.87; analyzed in github.com/librick/uplift-ble/issues/61: a
        // search with a filter by services crashes bluetoothd, a search without such a filter does not. The bridge
        // searches without a filter.
        BlueZBug(
            versions: Version(5, 87)...Version(5, 87),
            words:
                "bluetoothd crashes when a program such as a browser searches for devices by service; the "
                + "bridge does not, but loses its connections too",
            remedy: update),
        // github.com/bluez/bluez/issues/2221: dev_disconnected in src/adapter.c, fixed after 5.87.
        BlueZBug(
            versions: Version(5, 87)...Version(5, 87),
            words: "bluetoothd can crash when a connected device is removed, as forget does", remedy: update),
    ]
}
