import MessageAuthentication
import Testing

@Suite("AES-GCM")
struct SealingTests {
    private let key = [UInt8](repeating: 7, count: 32)
    private let context = Array("for this".utf8)

    @Test("opens what it has sealed, of any length, and seals the same message differently each time")
    func back() throws {
        for count in [0, 1, 15, 16, 17, 1_000] {
            let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let sealed = try #require(AESGCM.seal(message, key: key, context: context))
            #expect(sealed.count == count + 28)
            #expect(AESGCM.open(sealed, key: key, context: context) == message)
            #expect(AESGCM.seal(message, key: key, context: context) != sealed)
        }
    }

    @Test("opens nothing that was changed, cut, sealed with another key or for something else")
    func changed() throws {
        let sealed = try #require(AESGCM.seal([1, 2, 3], key: key, context: context))
        for index in sealed.indices {
            var other = sealed
            other[index] ^= 0x80
            #expect(AESGCM.open(other, key: key, context: context) == nil)
            #expect(AESGCM.open(Array(sealed[..<index]), key: key, context: context) == nil)
        }
        #expect(AESGCM.open(sealed, key: [UInt8](repeating: 8, count: 32), context: context) == nil)
        #expect(AESGCM.open(sealed, key: key, context: []) == nil)
        #expect(
            AESGCM.seal([1], key: [1], context: context) == nil
                && AESGCM.open(sealed, key: [1], context: context) == nil)
    }

    @Test("is the AES-256-GCM of the standard")
    func known() {
        // Test case 14 of "The Galois/Counter Mode of Operation" (McGrew, Viega): nonce, ciphertext and tag of sixteen
        // zero bytes under a zero key.
        let sealed =
            Hexadecimal.decode(
                "000000000000000000000000cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919") ?? []
        #expect(
            AESGCM.open(sealed, key: [UInt8](repeating: 0, count: 32), context: []) == [UInt8](repeating: 0, count: 16))
    }
}
