/// What OpenSSL did not like about a certificate.
struct CertificateComplaint {
    /// One of `X509_V_ERR_…`.
    let number: CInt
    /// OpenSSL's words for it.
    let words: String
    /// Whose certificate it is, with a space behind, or empty.
    let subject: String
}
