import Conversation
import IntentModel
import Testing

/// Names that `String` considers equal although their bytes differ.
enum Lookalikes {
    /// One character and two, the Kelvin sign and the letter, the ohm sign and the letter, and two marks in either
    /// order.
    static let names = [
        ("jos\u{E9}", "jose\u{301}"), ("\u{212A}ate", "Kate"), ("\u{2126}", "\u{3A9}"),
        ("a\u{323}\u{307}", "a\u{307}\u{323}"),
    ]
}

@Suite("Identifiers are the bytes of their names") struct IdentifierTests {
    @Test(arguments: Lookalikes.names)
    func `two names that only look equal are two: as values, as keys, and in order`(_ first: String, _ second: String) {
        #expect(first == second, "as texts")
        let (a, b) = (Identifier(first), Identifier(second))
        #expect(a != b && (a < b) != (b < a))
        #expect(Set([a, b]).count == 2 && [a: 1][b] == nil)
        #expect(Principal(.appUser, a) != Principal(.appUser, b))
    }

    @Test(arguments: [1, 7, 8, 9, 15, 16, 17, 40])
    func `equal bytes are one name, and another byte anywhere makes another one`(_ count: Int) {
        let name = Identifier(String(repeating: "k", count: count))
        #expect(
            name == Identifier([String](repeating: "k", count: count).joined())
                && Set([name, Identifier("\(name)")]).count == 1)
        for index in 0..<count {
            var other = [UInt8](name.utf8)
            other[index] = UInt8(ascii: "l")
            let changed = Identifier(String(decoding: other, as: UTF8.self))
            #expect(name != changed && name < changed && !(changed < name))
        }
        #expect(name < Identifier(name.text + "a") && !(Identifier(name.text + "a") < name))
    }
}
