// MQTT: being built.
