import Testing

@testable import SampleDomains

@Suite("The edit distance of words")
struct EditDistanceTests {
    @Test(
        "a swap counts as one edit, and the distance is limited",
        arguments: [
            ("", "", 0), ("abc", "abc", 0),
            ("abc", "abd", 1), ("abc", "ab", 1), ("abc", "xabc", 1), ("station", "staiton", 1), ("ca", "abc", 3),
            ("hueston", "heuston", 1), ("kitten", "sitting", 3), ("abcdefgh", "ijklmnop", 4),
        ])
    func distance(a: String, b: String, distance: Int) {
        #expect(editDistance(Array(a.unicodeScalars), Array(b.unicodeScalars), below: 4) == distance)
        #expect(editDistance(Array(b.unicodeScalars), Array(a.unicodeScalars), below: 4) == distance)
    }
}
