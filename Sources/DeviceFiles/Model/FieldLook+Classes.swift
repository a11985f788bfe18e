extension FieldLook {
    /// The device classes of Home Assistant's sensors, binary sensors and events (developers.home-assistant.io).
    static let deviceClasses: [String] = """
        absolute_humidity apparent_power aqi area atmospheric_pressure battery battery_charging \
        blood_glucose_concentration button carbon_dioxide carbon_monoxide cold conductivity connectivity current \
        data_rate data_size distance door doorbell duration energy energy_distance energy_storage frequency garage_door \
        gas heat humidity illuminance irradiance light lock moisture monetary motion moving nitrogen_dioxide \
        nitrogen_monoxide nitrous_oxide occupancy opening ozone ph plug pm1 pm10 pm25 power power_factor precipitation \
        precipitation_intensity presence pressure problem reactive_power running safety signal_strength smoke sound \
        sound_pressure speed sulphur_dioxide tamper temperature vibration volatile_organic_compounds \
        volatile_organic_compounds_parts voltage volume volume_flow_rate volume_storage water weight wind_direction \
        wind_speed window
        """.split(separator: " ").map(String.init)
}
