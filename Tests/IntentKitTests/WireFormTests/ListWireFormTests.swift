import IntentKit
import Testing

@Suite("The wire form of lists")
struct ListWireFormTests {
    @Test("an array")
    func array() throws {
        try WireForm<[Int]>(
            written: [([], "[]"), ([3, 1, 3], "[3,1,3]")],
            read: [(#"["three", 2.0, 1]"#, [3, 2, 1])],
            said: [
                ("3", [3]), ("1, 2 and 3", [1, 2, 3]), ("1 & 2", [1, 2]), ("one; two\nthree", [1, 2, 3]),
                ("1 and 2,", [1, 2]),
            ],
            refused: ["3", "[1,null]", "[1,[2]]", "[2.5]", #"["x"]"#, #""1, x""#, #""""#, #"",""#, #""and""#, "{}"],
            shown: [([], ""), ([1], "1"), ([1, 2], "1 and 2"), ([1, 2, 3], "1, 2 and 3")]
        ).holds()
    }

    @Test("an array of text")
    func arrayOfText() throws {
        // Outside of a resolution, text is not split if the element type accepts any text. ListResolutionTests has the
        // rules for parameters.
        try WireForm<[String]>(
            written: [(["a, b", "c"], #"["a, b","c"]"#)], read: [("[1,true]", ["1", "true"])],
            said: [("milk and tea", ["milk and tea"])]
        )
        .holds()
        try WireForm<[Person]>(
            written: [([Person(displayName: "Kim"), Person(displayName: "Lee")], #"[{"name":"Kim"},{"name":"Lee"}]"#)],
            read: [(#"["Kim",{"name":"Lee"}]"#, [Person(displayName: "Kim"), Person(displayName: "Lee")])],
            refused: ["[1]", #"[""]"#],
            shown: [([Person(displayName: "Kim"), Person(displayName: "Lee")], "Kim and Lee")]
        ).holds()
    }

    @Test("an array of arrays")
    func arrayOfArrays() throws {
        try WireForm<[[Int]]>(written: [([[1], [2, 3]], "[[1],[2,3]]")], read: [(#"[["1"],2]"#, [[1], [2]])]).holds()
    }

    @Test("a set")
    func set() throws {
        try WireForm<Set<Int>>(
            written: [([10, 9, 2], "[2,9,10]"), ([], "[]")], read: [("[2,2,1]", [1, 2])], said: [("1 and 1", [1])],
            refused: ["1", "[null]"], shown: [([3, 1, 2], "1, 2 and 3")]
        ).holds()
        try WireForm<Set<Leaf>>(
            written: [([.sencha, .assam], #"["assam","sencha"]"#)],
            said: [("green tea and black tea", [.sencha, .assam])],
            refused: [#""green tea and tea""#]
        ).holds()
    }

    @Test("equal sets have the same option id")
    func equalSets() {
        let words = ["kettle", "pot", "cup", "tray", "spoon", "whisk"]
        #expect(Set(words).optionID == Set(words.reversed()).optionID)
    }
}
