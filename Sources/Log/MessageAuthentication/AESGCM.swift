import CLibCrypto

/// Authenticated encryption with AES-256-GCM. Without the key, a sealed message can be neither read nor changed. The
/// OpenSSL that librdkafka is linked with does the work.
package enum AESGCM {
    /// The length of a key in bytes.
    package static let keyByteCount = 32
    private static let nonceByteCount = 12
    private static let tagByteCount = 16

    /// Encrypts a message under a random nonce.
    ///
    /// - Parameters:
    ///   - key: ``keyByteCount`` bytes, for at most 2³² messages.
    ///   - context: The purpose of the message. ``open(_:key:context:)`` needs the same context.
    /// - Returns: The nonce, the ciphertext and the tag; `nil` if OpenSSL refuses, for example a key of another length.
    package static func seal(_ message: [UInt8], key: [UInt8], context: [UInt8]) -> [UInt8]? {
        var nonce = [UInt8](repeating: 0, count: nonceByteCount)
        guard key.count == keyByteCount, RAND_bytes(&nonce, Int32(nonceByteCount)) == 1,
            let cipher = EVP_CIPHER_CTX_new()
        else {
            return nil
        }
        defer { EVP_CIPHER_CTX_free(cipher) }
        var sealed = [UInt8](repeating: 0, count: message.count)
        var tag = [UInt8](repeating: 0, count: tagByteCount)
        var count: Int32 = 0
        guard EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nonce) == 1,
            EVP_EncryptUpdate(cipher, nil, &count, context, Int32(context.count)) == 1,
            EVP_EncryptUpdate(cipher, &sealed, &count, message, Int32(message.count)) == 1, Int(count) == message.count,
            EVP_EncryptFinal_ex(cipher, nil, &count) == 1,
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(tagByteCount), &tag) == 1
        else { return nil }
        return nonce + sealed + tag
    }

    /// Decrypts a message that ``seal(_:key:context:)`` has sealed.
    ///
    /// - Returns: `nil` if the message was sealed with another key or for another context, or has been changed.
    package static func open(_ sealed: [UInt8], key: [UInt8], context: [UInt8]) -> [UInt8]? {
        let length = sealed.count - nonceByteCount - tagByteCount
        guard key.count == keyByteCount, length >= 0, let cipher = EVP_CIPHER_CTX_new() else { return nil }
        defer { EVP_CIPHER_CTX_free(cipher) }
        let nonce = Array(sealed.prefix(nonceByteCount))
        let text = Array(sealed.dropFirst(nonceByteCount).prefix(length))
        var tag = Array(sealed.suffix(tagByteCount))
        var message = [UInt8](repeating: 0, count: length)
        var count: Int32 = 0
        guard EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nonce) == 1,
            EVP_DecryptUpdate(cipher, nil, &count, context, Int32(context.count)) == 1,
            EVP_DecryptUpdate(cipher, &message, &count, text, Int32(length)) == 1, Int(count) == length,
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(tagByteCount), &tag) == 1,
            EVP_DecryptFinal_ex(cipher, nil, &count) == 1
        else { return nil }
        return message
    }
}
