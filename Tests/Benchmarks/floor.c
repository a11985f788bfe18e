/* The floor: the minimal program that carries a TAP's taps to MQTT and vibrations back, with the two libraries that
 * the bridge uses. It has no names, no other features and no error handling; any error ends it. With "answers" it
 * reports for each command when the device has accepted it, as the bridge does. With "connects" it first connects each
 * device, one after the other. */
#include <dbus/dbus.h>
#include <mosquitto.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static const char *const taps_uuid = "c3ff0005-1d8b-40fd-a56f-c7bd5d0f3370";
static const char *const haptics_uuid = "c3ff0009-1d8b-40fd-a56f-c7bd5d0f3370";

static DBusConnection *bus;
static struct mosquitto *client;

struct device {
	char name[16], taps[128], haptics[128];
	unsigned long count;
};
enum { MAX_DEVICES = 1024 };
static struct device devices[MAX_DEVICES];
static int device_count;
/* Whether commands are answered, and the devices of pending writes by the serials of their calls. */
static int answers;
/* Whether the devices are connected first. */
static int connects;
enum { MAX_WRITES = 1024 };
static struct device *writers[MAX_WRITES];

static void die(const char *what) {
	fprintf(stderr, "floor: %s\n", what);
	exit(1);
}

/* The device of a path, by the last three bytes of the address at the end of the path. */
static struct device *find(const char *path, const char *name, int is_new) {
	char made[16];
	if (path) {
		unsigned a, b, c;
		if (sscanf(path, "/org/bluez/hci0/dev_%*2x_%*2x_%*2x_%2x_%2x_%2x", &a, &b, &c) != 3) return NULL;
		snprintf(made, sizeof made, "%02x%02x%02x", a, b, c);
		name = made;
	}
	/* Addresses are assigned in order: the number in the name is the index. */
	unsigned number = (unsigned)strtoul(name + 2, NULL, 16);
	if (number >= MAX_DEVICES) return NULL;
	struct device *device = &devices[number];
	if (is_new && !*device->name) {
		strcpy(device->name, name);
		device_count++;
	}
	return *device->name ? device : NULL;
}

static void notified(DBusMessage *message) {
	DBusMessageIter arguments, changed, entry, variant, array;
	const char *text;
	const unsigned char *bytes;
	int count;
	dbus_message_iter_init(message, &arguments);
	dbus_message_iter_get_basic(&arguments, &text);
	if (strcmp(text, "org.bluez.GattCharacteristic1") != 0) return;
	dbus_message_iter_next(&arguments);
	dbus_message_iter_recurse(&arguments, &changed);
	if (dbus_message_iter_get_arg_type(&changed) != DBUS_TYPE_DICT_ENTRY) return;
	dbus_message_iter_recurse(&changed, &entry);
	dbus_message_iter_get_basic(&entry, &text);
	if (strcmp(text, "Value") != 0) return;
	dbus_message_iter_next(&entry);
	dbus_message_iter_recurse(&entry, &variant);
	dbus_message_iter_recurse(&variant, &array);
	dbus_message_iter_get_fixed_array(&array, &bytes, &count);
	struct device *device = find(dbus_message_get_path(message), NULL, 0);
	if (!device || count < 1) return;
	char topic[64], payload[128];
	snprintf(topic, sizeof topic, "tap/%s/tapped", device->name);
	int length = snprintf(payload, sizeof payload, "{\"combination\":%u,\"seq\":%lu}", bytes[0], ++device->count);
	if (mosquitto_publish(client, NULL, topic, length, payload, 1, 0) != MOSQ_ERR_SUCCESS) die("cannot publish");
}

/* The device has accepted the bytes of a command. */
static void written(DBusMessage *message) {
	struct device *device = writers[dbus_message_get_reply_serial(message) % MAX_WRITES];
	if (!device) return;
	char topic[64], payload[128];
	snprintf(topic, sizeof topic, "tap/%s/result", device->name);
	int length = snprintf(payload, sizeof payload, "{\"feature\":\"vibrate\",\"status\":\"ok\",\"seq\":%lu}",
		++device->count);
	if (mosquitto_publish(client, NULL, topic, length, payload, 1, 0) != MOSQ_ERR_SUCCESS) die("cannot publish");
}

static DBusHandlerResult filter(DBusConnection *connection, DBusMessage *message, void *unused) {
	(void)connection, (void)unused;
	if (answers && dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_RETURN) written(message);
	if (dbus_message_is_signal(message, DBUS_INTERFACE_PROPERTIES, "PropertiesChanged")) notified(message);
	return DBUS_HANDLER_RESULT_HANDLED;
}

static void commanded(struct mosquitto *m, void *unused, const struct mosquitto_message *message) {
	(void)m, (void)unused;
	char name[16];
	if (sscanf(message->topic, "tap/%15[^/]/vibrate/set", name) != 1) return;
	struct device *device = find(NULL, name, 0);
	if (!device) return;
	/* A list with one duration: "[500]". */
	unsigned char value[20] = { 0, 2, (unsigned char)(strtoul((const char *)message->payload + 1, NULL, 10) / 10) };
	const unsigned char *bytes = value;
	const char *key = "type", *type = "request";
	DBusMessage *call = dbus_message_new_method_call("org.bluez", device->haptics, "org.bluez.GattCharacteristic1",
		"WriteValue");
	DBusMessageIter arguments, inner, entry, variant;
	dbus_message_iter_init_append(call, &arguments);
	dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "y", &inner);
	dbus_message_iter_append_fixed_array(&inner, DBUS_TYPE_BYTE, &bytes, sizeof value);
	dbus_message_iter_close_container(&arguments, &inner);
	dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &inner);
	dbus_message_iter_open_container(&inner, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
	dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
	dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "s", &variant);
	dbus_message_iter_append_basic(&variant, DBUS_TYPE_STRING, &type);
	dbus_message_iter_close_container(&entry, &variant);
	dbus_message_iter_close_container(&inner, &entry);
	dbus_message_iter_close_container(&arguments, &inner);
	dbus_uint32_t serial;
	dbus_connection_send(bus, call, &serial);
	writers[serial % MAX_WRITES] = device;
	dbus_message_unref(call);
}

static DBusMessage *call(const char *path, const char *interface, const char *member) {
	DBusError error = DBUS_ERROR_INIT;
	DBusMessage *question = dbus_message_new_method_call("org.bluez", path, interface, member);
	DBusMessage *answer = dbus_connection_send_with_reply_and_block(bus, question, 10000, &error);
	if (!answer) die(error.message);
	dbus_message_unref(question);
	return answer;
}

/* Stores the path of a characteristic by its UUID. */
static void learn(const char *path, DBusMessageIter *properties) {
	DBusMessageIter entry, variant;
	const char *key, *uuid;
	for (; dbus_message_iter_get_arg_type(properties); dbus_message_iter_next(properties)) {
		dbus_message_iter_recurse(properties, &entry);
		dbus_message_iter_get_basic(&entry, &key);
		if (strcmp(key, "UUID") != 0) continue;
		dbus_message_iter_next(&entry);
		dbus_message_iter_recurse(&entry, &variant);
		dbus_message_iter_get_basic(&variant, &uuid);
		struct device *device = find(path, NULL, 1);
		if (device && strcmp(uuid, taps_uuid) == 0) snprintf(device->taps, sizeof device->taps, "%s", path);
		if (device && strcmp(uuid, haptics_uuid) == 0) snprintf(device->haptics, sizeof device->haptics, "%s", path);
	}
}

static void look_round(void) {
	DBusMessage *answer = call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects");
	DBusMessageIter arguments, objects, object, interfaces, interface, properties;
	const char *path;
	dbus_message_iter_init(answer, &arguments);
	for (dbus_message_iter_recurse(&arguments, &objects); dbus_message_iter_get_arg_type(&objects);
	     dbus_message_iter_next(&objects)) {
		dbus_message_iter_recurse(&objects, &object);
		dbus_message_iter_get_basic(&object, &path);
		dbus_message_iter_next(&object);
		for (dbus_message_iter_recurse(&object, &interfaces); dbus_message_iter_get_arg_type(&interfaces);
		     dbus_message_iter_next(&interfaces)) {
			dbus_message_iter_recurse(&interfaces, &interface);
			dbus_message_iter_next(&interface);
			dbus_message_iter_recurse(&interface, &properties);
			learn(path, &properties);
		}
	}
	dbus_message_unref(answer);
	for (int i = 0; connects && i < MAX_DEVICES; i++) {
		if (!*devices[i].taps) continue;
		char path[64];
		snprintf(path, sizeof path, "%.*s", (int)(strstr(devices[i].taps, "/service") - devices[i].taps), devices[i].taps);
		dbus_message_unref(call(path, "org.bluez.Device1", "Connect"));
	}
	for (int i = 0; i < MAX_DEVICES; i++)
		if (*devices[i].taps)
			dbus_message_unref(call(devices[i].taps, "org.bluez.GattCharacteristic1", "StartNotify"));
}

int main(int count, char **arguments) {
	answers = count == 4 && strcmp(arguments[3], "answers") == 0;
	connects = count == 4 && strcmp(arguments[3], "connects") == 0;
	if (count != 3 && !answers && !connects) {
		fprintf(stderr, "usage: floor BUS BROKER-PORT [answers|connects]\n");
		return 64;
	}
	mosquitto_lib_init();
	client = mosquitto_new("floor", 1, NULL);
	mosquitto_max_inflight_messages_set(client, 200);
	mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
	mosquitto_message_callback_set(client, commanded);
	if (mosquitto_connect(client, "127.0.0.1", atoi(arguments[2]), 60) != MOSQ_ERR_SUCCESS) die("no broker");
	mosquitto_subscribe(client, NULL, "tap/+/vibrate/set", 1);

	DBusError error = DBUS_ERROR_INIT;
	bus = dbus_connection_open_private(arguments[1], &error);
	if (!bus || !dbus_bus_register(bus, &error)) die(error.message);
	dbus_connection_add_filter(bus, filter, NULL, NULL);
	dbus_bus_add_match(bus,
		"type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties',"
		"member='PropertiesChanged',path_namespace='/org/bluez'",
		&error);
	look_round();

	int descriptor;
	if (!dbus_connection_get_unix_fd(bus, &descriptor)) die("the bus is gone");
	for (;;) {
		short writes = mosquitto_want_write(client) ? POLLOUT : 0;
		struct pollfd entries[] = { { .fd = descriptor, .events = POLLIN },
			{ .fd = mosquitto_socket(client), .events = (short)(POLLIN | writes) } };
		poll(entries, 2, 1000);
		if (entries[0].revents) {
			if (!dbus_connection_read_write(bus, 0)) die("the bus is gone");
		}
		while (dbus_connection_dispatch(bus) == DBUS_DISPATCH_DATA_REMAINS) {}
		if (entries[1].revents & POLLIN && mosquitto_loop_read(client, 1) != MOSQ_ERR_SUCCESS) die("no broker");
		if (entries[1].revents & POLLOUT) mosquitto_loop_write(client, 1);
		mosquitto_loop_misc(client);
	}
}
