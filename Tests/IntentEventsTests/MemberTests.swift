import IntentEvents
import IntentModel
import Testing

/// An object with each kind of member.
private struct Parcel: MemberObject, Hashable {
    var id = ""
    var weight: Int?
    var isFragile = false
    var lines: [String] = []
    var sender: Principal?
    var isFinished = false

    static var blank: Parcel { Parcel() }

    mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required("id", &id, as: .someText, "The id.")
        try coder.optional("weight", &weight, within: 1...100, "The weight in kilograms.")
        try coder.flag("fragile", &isFragile, "It breaks.")
        try coder.optional("lines", &lines, unless: [], "The address.")
        try coder.required("sender", &sender, "Who sends it.")
    }

    mutating func finishReading(isWhole: Bool) -> Bool {
        isFinished = true
        return isWhole
    }
}

/// A member with a rule.
private struct Label: MemberObject {
    var text: String?

    static var blank: Label { Label() }

    mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.checked(
            "text", &text, .required, MemberRule(.text) { $0?.count ?? 0 < 1 ? "'\($1)' is missing" : nil }, "The text."
        )
    }
}

@Suite("Members that are declared once") struct MemberTests {
    private let text = #"{"id":"p1","weight":7,"fragile":true,"lines":["a","b"],"sender":{"type":"user","id":"ann"}}"#

    private var parcel: Parcel {
        Parcel(
            id: "p1", weight: 7, isFragile: true, lines: ["a", "b"], sender: Principal(.user, "ann"), isFinished: true)
    }

    private func parse(_ text: String) throws -> JSONView { try JSONView(parsing: Array(text.utf8)) }

    private func read(_ text: String) throws -> Parcel? { Parcel(try parse(text)) }

    @Test func `the numbers of an option are finite, and an option without one has none`() throws {
        func read(_ numbers: String) throws -> OptionComparison? {
            let option = #"{"id":"a","title":"A","value":1,"comparison":\#(numbers)}"#
            return try #require(ParameterOption(try parse(option))).comparison
        }
        #expect(try read(#"{"price":3.5,"time":1e999}"#) == OptionComparison(price: 3.5))
        #expect(try read(#"{"price":1e999}"#) == nil && read("{}") == nil && read("7") == nil)
    }

    @Test func `are written in their order, and read again`() throws {
        var written = parcel
        #expect(JSON.make { written.encode(to: &$0) }.description == text)
        #expect(try read(text) == parcel)
    }

    @Test func `that have their default are not written`() {
        var bare = Parcel(id: "p1", sender: Principal(.user, "ann"))
        #expect(
            JSON.make { bare.encode(to: &$0) }.description == #"{"id":"p1","sender":{"type":"user","id":"ann"}}"#)
    }

    @Test(arguments: [
        #"{"sender":{"id":"ann","type":"user"},"lines":["a","b"],"fragile":true,"weight":7,"id":"p1"}"#,
        #"{"later":[{"id":"x"}],"id":"p1","weight":7,"new":null,"fragile":true,"lines":["a",5,"b"],"x":{},"sender":{"type":"user","y":1,"id":"ann"},"z":1}"#,
        #" { "\u0069d" : "p1" , "weight" : 7 , "fragile" : true , "lines" : [ "a" , "b" ] , "sender" : { "type" : "user" , "id" : "ann" } } "#,
    ])
    func `are read in any order, between others, and with escaped names`(text: String) throws {
        #expect(try read(text) == parcel)
    }

    @Test(arguments: [
        ("no member", "{}"), ("no object", "[1]"), ("another type", #"{"id":5,"sender":{"type":"user","id":"ann"}}"#),
        ("half a principal", #"{"id":"p1","sender":{"id":"ann"}}"#),
        ("a kind that is not known", #"{"id":"p1","sender":{"type":"root","id":"ann"}}"#),
        ("a repeated name whose last value is none", #"{"id":"p1","id":null,"sender":{"type":"user","id":"ann"}}"#),
        (
            "a repeated name inside", #"{"id":"p1","sender":{"type":"user","id":"ann","id":5}}"#
        ),
    ])
    func `that are required and no values make no object`(what: String, text: String) throws {
        #expect(try read(text) == nil, "\(what)")
    }

    @Test func `that are optional and no values have their default, and numbers are brought inside of their bounds`()
        throws
    {
        let sender = #""sender":{"type":"user","id":"ann"}"#
        let wrong = try #require(
            try read(#"{"id":"p1","weight":"7","fragile":"yes","lines":{},\#(sender)}"#))
        #expect(wrong.weight == nil && !wrong.isFragile && wrong.lines.isEmpty)
        #expect(try read(#"{"id":"p1","weight":7000,\#(sender)}"#)?.weight == 100)
        #expect(try read(#"{"id":"p1","weight":0,\#(sender)}"#)?.weight == 1)
    }

    @Test(arguments: ["{}", #"{"text":5}"#, #"{"text":""}"#, #"{"text":null}"#, #"{"other":1}"#])
    func `with a rule are refused by name`(text: String) throws {
        let error = try #require(throws: OutcomeError.self) { _ = try Label.read(try parse(text).json) }
        #expect(error.message == "'text' is missing" && error.field == "text" && error.reason == .invalid)
    }

    @Test func `of hundreds of unknown names are skipped`() throws {
        let unknown = (0..<900).map { #""u\#($0)":\#($0)"# }.joined(separator: ",")
        #expect(try read(String(text.dropLast()) + "," + unknown + "}") == parcel)
    }

    @Test func `are described with their type, their text and whether readers need them`() {
        let members = ContractMember.list { describer in
            var parcel = Parcel.blank
            parcel.members(&describer)
        }
        #expect(members.map(\.name) == ["id", "weight", "fragile", "lines", "sender"])
        #expect(members.filter(\.isRequired).map(\.name) == ["id", "sender"])
        #expect(members[1].schema == .integer(1...100) && members[4].schema == .shape(.principal))
        #expect(members[1].about == "The weight in kilograms.")
    }
}
