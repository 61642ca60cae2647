import Testing

@testable import RecordEncryption

@Suite("The keys of the key file")
struct EncryptionKeysTests {
    static let first = String(repeating: "0a", count: 32)
    static let second = String(repeating: "b1", count: 32)

    @Test("are one on each line, and empty lines don't count")
    func lines() throws {
        _ = try EncryptionKeys(parsing: "\(Self.first)\n\n\(Self.second.uppercased())\n")
    }

    @Test(
        "of another form are refused, by line",
        arguments: [
            ("", "no key"), ("\n \n", "no key"), ("\(first)\nsecret", "line 2"), (String(first.dropLast()), "line 1"),
            ("\(first)00", "line 1"),
        ])
    func refused(_ text: String, _ problem: String) {
        let error = #expect(throws: EncryptionKeyError.self) { try EncryptionKeys(parsing: text) }
        #expect(error?.description.contains(problem) == true)
        #expect(error?.description.contains(Self.first) == false)
    }

    @Test("wrap with the first and unwrap with each, so that a key can be replaced")
    func rotation() throws {
        let old = try EncryptionKeys(parsing: Self.first)
        let both = try EncryptionKeys(parsing: "\(Self.second)\n\(Self.first)")
        let new = try EncryptionKeys(parsing: Self.second)
        let key = DataKey()
        #expect(try both.unwrap(old.wrap(key), id: key.id)?.bytes == key.bytes)
        #expect(try new.unwrap(both.wrap(key), id: key.id)?.bytes == key.bytes)
        #expect(try new.unwrap(old.wrap(key), id: key.id) == nil)
    }

    @Test("unwrap no key under the id of another, and nothing that was changed")
    func changed() throws {
        let keys = try EncryptionKeys(parsing: Self.first)
        let key = DataKey()
        let wrapped = try keys.wrap(key)
        #expect(keys.unwrap(wrapped, id: DataKey().id) == nil)
        #expect(keys.unwrap(String(wrapped.dropLast(2)), id: key.id) == nil)
        #expect(keys.unwrap("", id: key.id) == nil)
        #expect(keys.unwrap(wrapped.replacing(".", with: ""), id: key.id) == nil)
        #expect(DataKey().bytes != DataKey().bytes)
    }
}
