/* A replacement of bluetoothd: one adapter, and any number of TAPs that are already bonded and connected, or of devices
 * that only advertise. It is minimal, as it shares the processors with the measured program. */
#include "rig.h"
#include <dbus/dbus.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ADAPTER "/org/bluez/hci0"
#define DEVICE ADAPTER "/dev_D7_A9_E0_8C_%02X_%02X"

enum kind kind;
bool taps_on_subscription;
uint64_t connection_ns;

static DBusConnection *bus;
static bool is_subscribed[MAX_DEVICES];
/* The sockets that the program acquired for its taps; 0: the taps are signals. */
static int sockets[MAX_DEVICES];
static int subscribed;
static bool is_connected[MAX_DEVICES];
/* The calls of Connect in order: answered, and then with resolved services, one after the other. */
static struct connection {
	DBusMessage *call;
	int device;
	uint64_t resolved_at;
} connections[MAX_DEVICES];
static int called, answered, resolved;
static uint64_t connected_at; /* The time at which the next connection is complete. */

/* The attributes of a TAP, each with its service's handle and its own; a service has no flags. */
static const struct attribute {
	unsigned service, handle;
	const char *uuid, *flags[3], *value;
} table[] = {
	{ 0x10, 0, "0000180a-0000-1000-8000-00805f9b34fb", { 0 }, NULL },
	{ 0x10, 0x11, "00002a29-0000-1000-8000-00805f9b34fb", { "read" }, "TAP Systems" },
	{ 0x10, 0x13, "00002a25-0000-1000-8000-00805f9b34fb", { "read" }, "BENCHMARK" },
	{ 0x10, 0x15, "00002a27-0000-1000-8000-00805f9b34fb", { "read" }, "3.3.0" },
	{ 0x10, 0x17, "00002a26-0000-1000-8000-00805f9b34fb", { "read" }, "2.4.5" },
	{ 0x20, 0, "0000180f-0000-1000-8000-00805f9b34fb", { 0 }, NULL },
	{ 0x20, 0x21, "00002a19-0000-1000-8000-00805f9b34fb", { "read", "notify" }, "W" },
	{ 0x30, 0, "c3ff0001-1d8b-40fd-a56f-c7bd5d0f3370", { 0 }, NULL },
	{ 0x30, 0x31, "c3ff0003-1d8b-40fd-a56f-c7bd5d0f3370", { "read", "write" }, "Tap" },
	{ 0x30, 0x33, "c3ff0005-1d8b-40fd-a56f-c7bd5d0f3370", { "notify" }, NULL },
	{ 0x30, 0x36, "c3ff0006-1d8b-40fd-a56f-c7bd5d0f3370", { "notify", "write" }, NULL },
	{ 0x30, 0x39, "c3ff0009-1d8b-40fd-a56f-c7bd5d0f3370", { "write", "write-without-response" }, NULL },
	{ 0x30, 0x3b, "c3ff000a-1d8b-40fd-a56f-c7bd5d0f3370", { "read", "notify", "write-without-response" }, "" },
	{ 0x40, 0, "6e400001-b5a3-f393-e0a9-e50e24dcca9e", { 0 }, NULL },
	{ 0x40, 0x41, "6e400002-b5a3-f393-e0a9-e50e24dcca9e", { "write", "write-without-response" }, NULL },
	{ 0x40, 0x43, "6e400003-b5a3-f393-e0a9-e50e24dcca9e", { "notify" }, NULL },
};
enum { TAPS = 0x33, HAPTICS = 0x39 };
/* Changing addresses that have an object at the same time: 2.2 a second appear in an office with 2,000 phones, and
 * BlueZ keeps an object for 30 s. */
enum { PRESENT = 66 };

/* Opens a dictionary entry and its variant or container, and returns the iterator to fill. */
static DBusMessageIter in(DBusMessageIter *outer, int type, const char *signature) {
	DBusMessageIter inner;
	if (!dbus_message_iter_open_container(outer, type, signature, &inner)) die("no memory");
	return inner;
}

static void text(DBusMessageIter *to, int type, const char *value) {
	dbus_message_iter_append_basic(to, type, &value);
}

static void property(DBusMessageIter *to, const char *name, int type, const char *signature, const void *value) {
	DBusMessageIter entry = in(to, DBUS_TYPE_DICT_ENTRY, NULL);
	text(&entry, DBUS_TYPE_STRING, name);
	DBusMessageIter variant = in(&entry, DBUS_TYPE_VARIANT, signature);
	dbus_message_iter_append_basic(&variant, type, value);
	dbus_message_iter_close_container(&entry, &variant);
	dbus_message_iter_close_container(to, &entry);
}

static void text_property(DBusMessageIter *to, const char *name, const char *value) {
	property(to, name, DBUS_TYPE_STRING, "s", &value);
}

static void truth(DBusMessageIter *to, const char *name, dbus_bool_t value) {
	property(to, name, DBUS_TYPE_BOOLEAN, "b", &value);
}

static void path_property(DBusMessageIter *to, const char *name, const char *value) {
	property(to, name, DBUS_TYPE_OBJECT_PATH, "o", &value);
}

static void bytes(DBusMessageIter *to, const void *values, int count) {
	DBusMessageIter array = in(to, DBUS_TYPE_ARRAY, "y");
	dbus_message_iter_append_fixed_array(&array, DBUS_TYPE_BYTE, &values, count);
	dbus_message_iter_close_container(to, &array);
}

static void flags(DBusMessageIter *to, const char *const words[3]) {
	DBusMessageIter entry = in(to, DBUS_TYPE_DICT_ENTRY, NULL);
	text(&entry, DBUS_TYPE_STRING, "Flags");
	DBusMessageIter variant = in(&entry, DBUS_TYPE_VARIANT, "as");
	DBusMessageIter array = in(&variant, DBUS_TYPE_ARRAY, "s");
	for (int i = 0; i < 3 && words[i]; i++) text(&array, DBUS_TYPE_STRING, words[i]);
	dbus_message_iter_close_container(&variant, &array);
	dbus_message_iter_close_container(&entry, &variant);
	dbus_message_iter_close_container(to, &entry);
}

/* Opens one interface of one object; `end` closes it. */
struct object {
	DBusMessageIter *objects, entry, interfaces, interface, properties;
};

static DBusMessageIter *start(struct object *object, DBusMessageIter *objects, const char *path, const char *name) {
	object->objects = objects;
	object->entry = in(objects, DBUS_TYPE_DICT_ENTRY, NULL);
	text(&object->entry, DBUS_TYPE_OBJECT_PATH, path);
	object->interfaces = in(&object->entry, DBUS_TYPE_ARRAY, "{sa{sv}}");
	object->interface = in(&object->interfaces, DBUS_TYPE_DICT_ENTRY, NULL);
	text(&object->interface, DBUS_TYPE_STRING, name);
	object->properties = in(&object->interface, DBUS_TYPE_ARRAY, "{sv}");
	return &object->properties;
}

static void end(struct object *object) {
	dbus_message_iter_close_container(&object->interface, &object->properties);
	dbus_message_iter_close_container(&object->interfaces, &object->interface);
	dbus_message_iter_close_container(&object->entry, &object->interfaces);
	dbus_message_iter_close_container(object->objects, &object->entry);
}

/* The data of an advertisement: a count of BTHome with its packet id, or data of the company 0xFFFF, which is reserved
 * for tests. */
static void add_data(DBusMessageIter *properties, uint8_t packet, uint8_t count) {
	const uint8_t objects[] = { 0x40, 0x00, packet, 0x09, count }, others[20] = { packet, count };
	const char *service = "0000fcd2-0000-1000-8000-00805f9b34fb";
	dbus_uint16_t company = 0xFFFF;
	bool is_sensor = kind == SENSOR;
	DBusMessageIter entry = in(properties, DBUS_TYPE_DICT_ENTRY, NULL);
	text(&entry, DBUS_TYPE_STRING, is_sensor ? "ServiceData" : "ManufacturerData");
	DBusMessageIter variant = in(&entry, DBUS_TYPE_VARIANT, is_sensor ? "a{sv}" : "a{qv}");
	DBusMessageIter all = in(&variant, DBUS_TYPE_ARRAY, is_sensor ? "{sv}" : "{qv}");
	DBusMessageIter data = in(&all, DBUS_TYPE_DICT_ENTRY, NULL);
	if (is_sensor) {
		text(&data, DBUS_TYPE_STRING, service);
	} else {
		dbus_message_iter_append_basic(&data, DBUS_TYPE_UINT16, &company);
	}
	DBusMessageIter value = in(&data, DBUS_TYPE_VARIANT, "ay");
	bytes(&value, is_sensor ? objects : others, is_sensor ? sizeof objects : sizeof others);
	dbus_message_iter_close_container(&data, &value);
	dbus_message_iter_close_container(&all, &data);
	dbus_message_iter_close_container(&variant, &all);
	dbus_message_iter_close_container(&entry, &variant);
	dbus_message_iter_close_container(properties, &entry);
}

static void add_rssi(DBusMessageIter *properties, unsigned number) {
	dbus_int16_t rssi = (dbus_int16_t)(-60 - number % 5);
	property(properties, "RSSI", DBUS_TYPE_INT16, "n", &rssi);
}

/* The properties of a device that only advertises. */
static void add_advertiser(DBusMessageIter *properties, const char *address) {
	char alias[18];
	snprintf(alias, sizeof alias, "%s", address);
	for (char *at = alias; (at = strchr(at, ':'));) *at = '-';
	text_property(properties, "Address", address);
	text_property(properties, "AddressType", "random");
	text_property(properties, "Alias", alias);
	path_property(properties, "Adapter", ADAPTER);
	const char *truths[] = { "Paired", "Bonded", "Trusted", "Connected", "ServicesResolved" };
	for (int i = 0; i < 5; i++) truth(properties, truths[i], FALSE);
	add_rssi(properties, 0);
	add_data(properties, 0, 0);
}

static void add_device(DBusMessageIter *objects, int number) {
	char device[64], path[128], service[128], address[32];
	snprintf(device, sizeof device, DEVICE, number >> 8, number & 0xFF);
	snprintf(address, sizeof address, "D7:A9:E0:8C:%02X:%02X", number >> 8, number & 0xFF);
	struct object object;
	DBusMessageIter *it = start(&object, objects, device, "org.bluez.Device1");
	if (kind != TAP) {
		add_advertiser(it, address);
		end(&object);
		return;
	}
	text_property(it, "Address", address);
	text_property(it, "Name", "Tap");
	text_property(it, "Alias", "Tap");
	path_property(it, "Adapter", ADAPTER);
	const char *truths[] = { "Paired", "Bonded", "Trusted", "Connected", "ServicesResolved" };
	for (int i = 0; i < 5; i++) truth(it, truths[i], i < 3 || is_connected[number]);
	end(&object);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		snprintf(service, sizeof service, "%s/service%04x", device, table[i].service);
		if (!table[i].handle) {
			it = start(&object, objects, service, "org.bluez.GattService1");
			text_property(it, "UUID", table[i].uuid);
			path_property(it, "Device", device);
			truth(it, "Primary", TRUE);
		} else {
			snprintf(path, sizeof path, "%.80s/char%04x", service, table[i].handle);
			it = start(&object, objects, path, "org.bluez.GattCharacteristic1");
			text_property(it, "UUID", table[i].uuid);
			path_property(it, "Service", service);
			flags(it, table[i].flags);
		}
		end(&object);
	}
}

static void add_objects(DBusMessage *answer) {
	DBusMessageIter iterator;
	dbus_message_iter_init_append(answer, &iterator);
	DBusMessageIter objects = in(&iterator, DBUS_TYPE_ARRAY, "{oa{sa{sv}}}");
	struct object object;
	DBusMessageIter *it = start(&object, &objects, ADAPTER, "org.bluez.Adapter1");
	text_property(it, "Address", "00:AA:01:00:00:00");
	text_property(it, "Alias", "rig");
	text_property(it, "Modalias", "usb:v1D6Bp0246d0542");
	truth(it, "Powered", TRUE);
	truth(it, "Discovering", FALSE);
	end(&object);
	for (int i = 0; i < device_count; i++) add_device(&objects, i);
	dbus_message_iter_close_container(&iterator, &objects);
}

static void add_value(DBusMessage *answer, unsigned handle) {
	DBusMessageIter iterator;
	dbus_message_iter_init_append(answer, &iterator);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (table[i].handle == handle && table[i].value)
			return bytes(&iterator, table[i].value, (int)strlen(table[i].value));
	}
	bytes(&iterator, "", 0);
}

static void subscribe(unsigned device, bool is_wanted) {
	if (is_subscribed[device] == is_wanted) return;
	is_subscribed[device] = is_wanted;
	subscribed += is_wanted ? 1 : -1;
}

/* Answers with the other end of a new socket, and with an MTU. */
static void acquire(DBusMessage *answer, unsigned device, bool is_of_taps) {
	int ends[2];
	dbus_uint16_t mtu = 23;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) die("no socket");
	dbus_message_append_args(answer, DBUS_TYPE_UNIX_FD, &ends[1], DBUS_TYPE_UINT16, &mtu, DBUS_TYPE_INVALID);
	close(ends[1]);
	/* The other characteristics never notify. Their ends stay open, as a closed end reports a lost link. */
	if (!is_of_taps) return;
	sockets[device] = ends[0];
	subscribe(device, true);
}

/* A vibration starts: its length, in hundredths of a second, is the command's mark. */
static void take_haptics(DBusMessage *call, unsigned device) {
	DBusMessageIter iterator, array;
	const uint8_t *values;
	int count;
	if (!dbus_message_iter_init(call, &iterator)) return;
	dbus_message_iter_recurse(&iterator, &array);
	dbus_message_iter_get_fixed_array(&array, &values, &count);
	if (count >= 3 && values[2]) arrived(&commands[device], values[2], COMMAND_MARKS);
}

static DBusMessage *answer(DBusMessage *call) {
	static const char *const known[] = { "Connect", "Disconnect", "StartDiscovery", "StopDiscovery",
		"SetDiscoveryFilter", "RegisterAgent", "UnregisterAgent", "RequestDefaultAgent", "StartNotify",
		"StopNotify", "AcquireNotify", "ReadValue", "WriteValue", "GetManagedObjects" };
	const char *member = dbus_message_get_member(call);
	size_t i = 0;
	while (i < sizeof known / sizeof *known && strcmp(member, known[i]) != 0) i++;
	if (i == sizeof known / sizeof *known)
		return dbus_message_new_error(call, DBUS_ERROR_UNKNOWN_METHOD, "the rig has no such method");
	DBusMessage *answer = dbus_message_new_method_return(call);
	unsigned high, low, service, handle = 0;
	if (sscanf(dbus_message_get_path(call), ADAPTER "/dev_D7_A9_E0_8C_%2x_%2x/service%4x/char%4x", &high, &low,
	        &service, &handle) != 4)
		handle = 0;
	unsigned device = (high << 8 | low) % MAX_DEVICES;
	if (strcmp(member, "GetManagedObjects") == 0) add_objects(answer);
	if (strcmp(member, "ReadValue") == 0) add_value(answer, handle);
	if (strcmp(member, "WriteValue") == 0 && handle == HAPTICS) take_haptics(call, device);
	if (strcmp(member, "StartNotify") == 0 && handle == TAPS) subscribe(device, true);
	if (strcmp(member, "AcquireNotify") == 0) acquire(answer, device, handle == TAPS);
	if (strcmp(member, "StopNotify") == 0 && handle == TAPS) subscribe(device, false);
	return answer;
}

/* Opens the signal of a changed property, to be filled with the value and sent. */
struct change {
	DBusMessage *signal;
	DBusMessageIter iterator, properties;
};

static DBusMessageIter *change(struct change *change, const char *path, const char *interface) {
	change->signal = dbus_message_new_signal(path, DBUS_INTERFACE_PROPERTIES, "PropertiesChanged");
	dbus_message_iter_init_append(change->signal, &change->iterator);
	text(&change->iterator, DBUS_TYPE_STRING, interface);
	change->properties = in(&change->iterator, DBUS_TYPE_ARRAY, "{sv}");
	return &change->properties;
}

static void send_signal(DBusMessage *signal) {
	if (!dbus_connection_send(bus, signal, NULL)) die("no memory");
	dbus_message_unref(signal);
}

static void tell(struct change *change) {
	dbus_message_iter_close_container(&change->iterator, &change->properties);
	DBusMessageIter invalidated = in(&change->iterator, DBUS_TYPE_ARRAY, "s");
	dbus_message_iter_close_container(&change->iterator, &invalidated);
	send_signal(change->signal);
}

static void tell_device(int device, const char *name, int type, const char *signature, const void *value) {
	char path[64];
	struct change told;
	snprintf(path, sizeof path, DEVICE, device >> 8, device & 0xFF);
	property(change(&told, path, "org.bluez.Device1"), name, type, signature, value);
	tell(&told);
}

/* Announces the advertisements of all devices that are not connected. */
static void advertise(void) {
	dbus_int16_t rssi = -60;
	for (int i = 0; i < device_count; i++)
		if (!is_connected[i]) tell_device(i, "RSSI", DBUS_TYPE_INT16, "n", &rssi);
}

/* Starts a connection, and returns whether its answer comes later. */
static bool start_connection(DBusMessage *call, int device) {
	if (is_connected[device] || called == MAX_DEVICES) return false;
	if (called == answered) connected_at = now_ns() + connection_ns;
	connections[called++] = (struct connection) { dbus_message_ref(call), device, 0 };
	return true;
}

uint64_t bluez_connect(void) {
	dbus_bool_t yes = TRUE;
	while (answered < called && connected_at <= now_ns()) {
		struct connection *connection = &connections[answered++];
		is_connected[connection->device] = true;
		tell_device(connection->device, "Connected", DBUS_TYPE_BOOLEAN, "b", &yes);
		DBusMessage *reply = dbus_message_new_method_return(connection->call);
		if (!reply || !dbus_connection_send(bus, reply, NULL)) die("no memory");
		dbus_message_unref(reply);
		dbus_message_unref(connection->call);
		connection->resolved_at = now_ns() + connection_ns / 2;
		connected_at = now_ns() + connection_ns;
	}
	while (resolved < answered && connections[resolved].resolved_at <= now_ns())
		tell_device(connections[resolved++].device, "ServicesResolved", DBUS_TYPE_BOOLEAN, "b", &yes);
	uint64_t next = answered < called ? connected_at : UINT64_MAX;
	if (resolved < answered && connections[resolved].resolved_at < next) next = connections[resolved].resolved_at;
	return next;
}

/* Announces after the answer that discovery started or stopped. Without this the bridge retries every second. */
static void tell_discovering(DBusMessage *call) {
	const char *member = dbus_message_get_member(call);
	bool is_start = strcmp(member, "StartDiscovery") == 0;
	if (!is_start && strcmp(member, "StopDiscovery") != 0) return;
	struct change told;
	truth(change(&told, ADAPTER, "org.bluez.Adapter1"), "Discovering", is_start);
	tell(&told);
	if (is_start) advertise();
	if (is_start && kind != TAP) subscribed = device_count;
}

static DBusHandlerResult filter(DBusConnection *connection, DBusMessage *message, void *unused) {
	(void)unused;
	if (dbus_message_get_type(message) != DBUS_MESSAGE_TYPE_METHOD_CALL)
		return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
	int before = subscribed;
	unsigned high, low;
	if (strcmp(dbus_message_get_member(message), "Connect") == 0 &&
	    sscanf(dbus_message_get_path(message), ADAPTER "/dev_D7_A9_E0_8C_%2x_%2x", &high, &low) == 2 &&
	    start_connection(message, (int)((high << 8 | low) % MAX_DEVICES)))
		return DBUS_HANDLER_RESULT_HANDLED;
	DBusMessage *reply = answer(message);
	if (!reply || !dbus_connection_send(connection, reply, NULL)) die("no memory");
	dbus_message_unref(reply);
	tell_discovering(message);
	dbus_connection_flush(connection);
	if (taps_on_subscription && before == 0 && subscribed == 1)
		for (int i = 0; i < device_count; i++)
			if (is_subscribed[i]) bluez_tap(i);
	return DBUS_HANDLER_RESULT_HANDLED;
}

int bluez_subscribed(void) { return subscribed; }

bool bluez_has_more(void) { return dbus_connection_has_messages_to_send(bus); }

int bluez_descriptor(void) {
	int descriptor;
	if (!dbus_connection_get_unix_fd(bus, &descriptor)) die("the bus is gone");
	return descriptor;
}

void bluez_dispatch(void) {
	if (!dbus_connection_read_write(bus, 0)) die("the bus is gone");
	while (dbus_connection_dispatch(bus) == DBUS_DISPATCH_DATA_REMAINS) {}
}

/* One notification: a packet of the acquired socket, or the signal that bluetoothd emits for it. */
void bluez_tap(int device) {
	static char paths[MAX_DEVICES][96];
	char *path = paths[device];
	if (!*path) snprintf(path, sizeof *paths, DEVICE "/service0030/char%04x", device >> 8, device & 0xFF, TAPS);
	unsigned mark = depart(&taps[device], TAP_MARKS);
	if (!mark) return;
	const uint8_t value[4] = { (uint8_t)mark };
	if (sockets[device]) {
		if (send(sockets[device], value, sizeof value, MSG_NOSIGNAL) < 0) die("the socket takes no tap");
		return;
	}
	struct change told;
	DBusMessageIter *properties = change(&told, path, "org.bluez.GattCharacteristic1");
	DBusMessageIter entry = in(properties, DBUS_TYPE_DICT_ENTRY, NULL);
	text(&entry, DBUS_TYPE_STRING, "Value");
	DBusMessageIter variant = in(&entry, DBUS_TYPE_VARIANT, "ay");
	bytes(&variant, value, sizeof value);
	dbus_message_iter_close_container(&entry, &variant);
	dbus_message_iter_close_container(properties, &entry);
	tell(&told);
}

void bluez_report(int device) {
	char path[64];
	struct change told;
	uint8_t packet = (uint8_t)(taps[device].sent + 1);
	unsigned mark = depart(&taps[device], TAP_MARKS);
	if (!mark) return;
	snprintf(path, sizeof path, DEVICE, device >> 8, device & 0xFF);
	DBusMessageIter *properties = change(&told, path, "org.bluez.Device1");
	add_rssi(properties, mark);
	add_data(properties, packet, (uint8_t)mark);
	tell(&told);
	/* The program publishes nothing for a stranger. */
	if (kind == STRANGER) arrived(&taps[device], mark, TAP_MARKS);
}

/* Opens the signal of an added or removed device, with the path as its first argument. */
static DBusMessage *object_signal(const char *name, uint32_t number, DBusMessageIter *arguments, char address[18]) {
	char path[64];
	unsigned high = number >> 16 & 0xFF, middle = number >> 8 & 0xFF, low = number & 0xFF;
	snprintf(path, sizeof path, ADAPTER "/dev_4E_FF_00_%02X_%02X_%02X", high, middle, low);
	snprintf(address, 18, "4E:FF:00:%02X:%02X:%02X", high, middle, low);
	DBusMessage *signal = dbus_message_new_signal("/", "org.freedesktop.DBus.ObjectManager", name);
	if (!signal) die("no memory");
	dbus_message_iter_init_append(signal, arguments);
	text(arguments, DBUS_TYPE_OBJECT_PATH, path);
	return signal;
}

void bluez_pass(int device) {
	static uint32_t number;
	char address[18];
	DBusMessageIter arguments;
	unsigned mark = depart(&taps[device], TAP_MARKS);
	if (!mark) return;
	DBusMessage *signal = object_signal("InterfacesAdded", number, &arguments, address);
	DBusMessageIter interfaces = in(&arguments, DBUS_TYPE_ARRAY, "{sa{sv}}");
	DBusMessageIter interface = in(&interfaces, DBUS_TYPE_DICT_ENTRY, NULL);
	text(&interface, DBUS_TYPE_STRING, "org.bluez.Device1");
	DBusMessageIter properties = in(&interface, DBUS_TYPE_ARRAY, "{sv}");
	add_advertiser(&properties, address);
	dbus_message_iter_close_container(&interface, &properties);
	dbus_message_iter_close_container(&interfaces, &interface);
	dbus_message_iter_close_container(&arguments, &interfaces);
	send_signal(signal);
	if (number >= PRESENT) {
		signal = object_signal("InterfacesRemoved", number - PRESENT, &arguments, address);
		DBusMessageIter names = in(&arguments, DBUS_TYPE_ARRAY, "s");
		text(&names, DBUS_TYPE_STRING, "org.bluez.Device1");
		dbus_message_iter_close_container(&arguments, &names);
		send_signal(signal);
	}
	number++;
	arrived(&taps[device], mark, TAP_MARKS);
}

void bluez_open(const char *address) {
	DBusError error = DBUS_ERROR_INIT;
	for (int i = 0; i < device_count; i++) is_connected[i] = kind == TAP && connection_ns == 0;
	bus = dbus_connection_open_private(address, &error);
	errno = 0;
	if (!bus || !dbus_bus_register(bus, &error)) die(error.message);
	dbus_connection_add_filter(bus, filter, NULL, NULL);
	if (dbus_bus_request_name(bus, "org.bluez", DBUS_NAME_FLAG_DO_NOT_QUEUE, &error) != 1)
		die("org.bluez is somebody else's");
}
