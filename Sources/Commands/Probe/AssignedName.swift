import Bluetooth

/// Names of common services and characteristics, by UUID.
enum AssignedName {
    /// Returns the name of a service or characteristic; nil if it is not in the lists.
    static func of(_ uuid: UUID) -> String? {
        if let short = uuid.short { return assigned[short] }
        return makers[uuid]
    }

    /// The source of these names: Bluetooth SIG, Assigned Numbers, 3.4 and 3.8.
    private static let assigned: [UInt16: String] = [
        0x1800: "Generic Access", 0x1801: "Generic Attribute", 0x1802: "Immediate Alert", 0x1803: "Link Loss",
        0x1804: "Tx Power", 0x1805: "Current Time", 0x1809: "Health Thermometer",
        0x180A: "Device Information",
        0x180D: "Heart Rate", 0x180F: "Battery", 0x1810: "Blood Pressure", 0x1812: "Human Interface Device",
        0x1814: "Running Speed and Cadence", 0x1815: "Automation IO", 0x1816: "Cycling Speed and Cadence",
        0x1818: "Cycling Power", 0x1819: "Location and Navigation", 0x181A: "Environmental Sensing",
        0x181B: "Body Composition", 0x181C: "User Data", 0x181D: "Weight Scale", 0x1822: "Pulse Oximeter",
        0x1826: "Fitness Machine",
        0x2A00: "Device Name", 0x2A01: "Appearance", 0x2A04: "Preferred Connection Parameters",
        0x2A05: "Service Changed", 0x2A06: "Alert Level", 0x2A07: "Tx Power Level", 0x2A19: "Battery Level",
        0x2A1C: "Temperature Measurement", 0x2A23: "System ID", 0x2A24: "Model Number",
        0x2A25: "Serial Number", 0x2A26: "Firmware Revision", 0x2A27: "Hardware Revision",
        0x2A28: "Software Revision", 0x2A29: "Manufacturer Name", 0x2A2B: "Current Time",
        0x2A35: "Blood Pressure Measurement", 0x2A37: "Heart Rate Measurement",
        0x2A38: "Body Sensor Location",
        0x2A39: "Heart Rate Control Point", 0x2A4A: "HID Information", 0x2A4B: "Report Map", 0x2A4D: "Report",
        0x2A50: "PnP ID", 0x2A53: "RSC Measurement", 0x2A5B: "CSC Measurement",
        0x2A63: "Cycling Power Measurement",
        0x2A6C: "Elevation", 0x2A6D: "Pressure", 0x2A6E: "Temperature", 0x2A6F: "Humidity",
        0x2A76: "UV Index", 0x2A98: "Weight", 0x2A9D: "Weight Measurement",
        0x2AA6: "Central Address Resolution",
        0x2B29: "Client Supported Features", 0x2B2A: "Database Hash", 0x2B3A: "Server Supported Features",
    ]

    /// Nordic Semiconductor, nRF Connect SDK, "Nordic UART Service"; Lancaster University, "micro:bit Bluetooth
    /// profile".
    private static let makers: [UUID: String] = [
        "6e400001-b5a3-f393-e0a9-e50e24dcca9e": "Nordic UART",
        "6e400002-b5a3-f393-e0a9-e50e24dcca9e": "Nordic UART, to the device",
        "6e400003-b5a3-f393-e0a9-e50e24dcca9e": "Nordic UART, from the device",
        "e95d0753-251d-470a-a062-fa1922dfa9a8": "micro:bit Accelerometer",
        "e95d9882-251d-470a-a062-fa1922dfa9a8": "micro:bit Buttons",
        "e95dd91d-251d-470a-a062-fa1922dfa9a8": "micro:bit LED",
        "e95d6100-251d-470a-a062-fa1922dfa9a8": "micro:bit Temperature",
    ]
}
