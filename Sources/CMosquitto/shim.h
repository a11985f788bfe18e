// libmosquitto as Swift sees it. Only what Swift cannot import by itself stands here, each with its reason.
#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>

// A broker's certificate is judged by a TLS context of our own, because libmosquitto, handed a numeric address,
// would look for that address in the certificate and would not say what it did not like.
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
