// OpenSSL's library of ciphers as Swift sees it; its TLS is in CMosquitto.
#pragma once
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
