import CLibCrypto

/// SHA-256 and HMAC-SHA256. The OpenSSL that librdkafka is linked with does the work, so no second cryptographic
/// library is built or loaded.
package enum SHA256 {
    /// The length of a digest and of an authentication code, in bytes.
    package static let byteCount = 32

    /// Computes the SHA-256 digest of these bytes.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { digest, count in
            CLibCrypto.SHA256(bytes, bytes.count, digest.baseAddress)
            count = byteCount
        }
    }

    /// Computes the HMAC-SHA256 (RFC 2104) of a message.
    package static func authenticationCode(for message: [UInt8], key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { code, count in
            // HMAC fails only for lack of memory or for a key beyond 2 GiB.
            guard
                HMAC(EVP_sha256(), key, Int32(clamping: key.count), message, message.count, code.baseAddress, nil)
                    != nil
            else { return }
            count = byteCount
        }
    }

    /// `true` if the code is the authentication code of the message. The comparison takes the same time for every wrong
    /// code of the right length.
    package static func isValid(_ code: some Sequence<UInt8>, for message: [UInt8], key: [UInt8]) -> Bool {
        let code = Array(code)
        let expected = authenticationCode(for: message, key: key)
        return expected.count == byteCount && code.count == byteCount && CRYPTO_memcmp(code, expected, byteCount) == 0
    }
}
