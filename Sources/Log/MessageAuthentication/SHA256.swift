import CLibCrypto

/// SHA-256 and HMAC-SHA256 of the OpenSSL that librdkafka is linked with: no second cryptographic library is built or loaded.
package enum SHA256 {
    /// The length of a digest and of a code, in bytes.
    package static let byteCount = 32

    /// The digest of these bytes.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { digest, count in
            CLibCrypto.SHA256(bytes, bytes.count, digest.baseAddress)
            count = byteCount
        }
    }

    /// The HMAC-SHA256 (RFC 2104) of a message.
    package static func authenticationCode(for message: [UInt8], key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { code, count in
            // Fails only for lack of memory or for a key beyond 2 GiB.
            guard HMAC(EVP_sha256(), key, Int32(clamping: key.count), message, message.count, code.baseAddress, nil) != nil else { return }
            count = byteCount
        }
    }

    /// Whether a code is that of the message. Takes the same time for every wrong code of the right length.
    package static func isValid(_ code: some Sequence<UInt8>, for message: [UInt8], key: [UInt8]) -> Bool {
        let code = Array(code)
        let expected = authenticationCode(for: message, key: key)
        return expected.count == byteCount && code.count == byteCount && CRYPTO_memcmp(code, expected, byteCount) == 0
    }
}
