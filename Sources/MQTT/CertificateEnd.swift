import CMosquitto
import EventLoop
import Glibc

/// Reads when certificates end (X.509, `notAfter`).
public enum CertificateEnd {
    /// Returns when each certificate in a PEM file ends, in seconds since 1970 and in the order of the file; blocks. The
    /// list is empty if the file cannot be read or contains no certificate.
    public static func all(in path: String) -> [Int] {
        assert(!EventLoop.isOnPromptThread, "reading files would block a thread that must not block")
        // OpenSSL reports a missing file, and the end of a file, as errors.
        defer { ERR_clear_error() }
        guard let file = BIO_new_file(path, "r") else { return [] }
        defer { BIO_free(file) }
        var ends: [Int] = []
        while let certificate = PEM_read_bio_X509(file, nil, nil, nil) {
            defer { X509_free(certificate) }
            if let end = of(certificate) { ends.append(end) }
        }
        return ends
    }

    /// Returns when a certificate ends, in seconds since 1970; nil if it states no valid time.
    static func of(_ certificate: OpaquePointer) -> Int? {
        var time = tm()
        return ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) == 1 ? timegm(&time) : nil
    }
}
