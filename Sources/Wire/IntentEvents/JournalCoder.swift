import IntentModel

/// Goes over the fields of a journalled object, in the order in which they are written. So one declaration of the fields serves both the writer and
/// the reader.
protocol JournalCoder: ~Copyable {
    /// `Never` for the writer.
    associatedtype Failure: Error

    /// Whether fields are set, so that what was made of them has to be put back.
    static var isReading: Bool { get }

    /// A field that is always there.
    mutating func field<Value: JournalValue>(_ name: StaticString, _ value: inout Value) throws(Failure)

    /// A field that is left out if it is `nil`.
    mutating func field<Value: JournalValue>(_ name: StaticString, _ value: inout Value?) throws(Failure)

    /// A field that is left out if it has this value.
    mutating func field<Value: JournalValue & Equatable>(_ name: StaticString, _ value: inout Value, default: Value)
        throws(Failure)

    /// What must hold of the field that was read. The writer does not look at it.
    mutating func require(
        _ isRight: @autoclosure () -> Bool, _ name: StaticString, _ problem: @autoclosure () -> String) throws(Failure)
}

extension JournalCoder where Self: ~Copyable {
    /// A field that is left out if it is `nil`.
    mutating func field<Value: JournalValue>(_ name: StaticString, _ value: inout Boxed<Value>) throws(Failure) {
        if !Self.isReading, !value.hasValue { return }
        var unboxed = value.wrappedValue
        try field(name, &unboxed)
        if Self.isReading { value = Boxed(wrappedValue: unboxed) }
    }
}

/// A value that the journal can hold.
///
/// Writing is `mutating` because one declaration of fields serves both ways, and so that it copies nothing. It changes nothing.
protocol JournalValue {
    mutating func write(to writer: inout JSONWriter)
    init(journal view: JSONView) throws(JournalFault)
}

/// A value that the journal holds as an object with these fields.
protocol JournalObject: JournalValue {
    /// What the fields are read into.
    static var blank: Self { get }
    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure)
}

/// What can't be read in a value of the journal.
struct JournalFault: Error {
    /// The path of the field, such as `active.prompt.kind`.
    var field: String
    var problem: String

    init(_ problem: String, in field: String = "") {
        self.field = field
        self.problem = problem
    }

    func within(_ name: String) -> JournalFault { JournalFault(problem, in: field.isEmpty ? name : "\(name).\(field)") }
}

extension JSONWriter: JournalCoder {
    package static var isReading: Bool { false }

    mutating func field<Value: JournalValue>(_ name: StaticString, _ value: inout Value) {
        self.name(name)
        value.write(to: &self)
    }

    mutating func field<Value: JournalValue>(_ name: StaticString, _ value: inout Value?) {
        if value == nil { return }
        self.name(name)
        value?.write(to: &self)
    }

    mutating func field<Value: JournalValue & Equatable>(
        _ name: StaticString, _ value: inout Value, default absent: Value
    ) {
        if value == absent { return }
        self.name(name)
        value.write(to: &self)
    }

    mutating func require(
        _ isRight: @autoclosure () -> Bool, _ name: StaticString, _ problem: @autoclosure () -> String
    ) {}
}

/// Reads the fields of an object. Members that it does not know, of a newer version, are passed over.
struct JournalReader: JournalCoder {
    static var isReading: Bool { true }

    private let members: [(name: JSONName, value: JSONView)]
    /// The fields are read in the order in which they were written, so the next one is here or not far behind.
    private var next = 0

    init(_ view: JSONView) throws(JournalFault) {
        guard view.kind == .object else { throw JournalFault("is no object") }
        members = Array(view.fields)
    }

    mutating func field<Value: JournalValue>(_ name: StaticString, _ value: inout Value) throws(JournalFault) {
        guard let view = find(name) else { throw JournalFault("is missing", in: name.description) }
        value = try Self.read(view, name)
    }

    mutating func field<Value: JournalValue>(_ name: StaticString, _ value: inout Value?) throws(JournalFault) {
        // `null` is a value where any JSON is.
        guard let view = find(name), !view.isNull || Value.self == JSON.self else { return value = nil }
        value = try Self.read(view, name)
    }

    mutating func field<Value: JournalValue & Equatable>(
        _ name: StaticString, _ value: inout Value, default absent: Value
    ) throws(JournalFault) {
        guard let view = find(name) else { return value = absent }
        value = try Self.read(view, name)
    }

    mutating func require(
        _ isRight: @autoclosure () -> Bool, _ name: StaticString, _ problem: @autoclosure () -> String
    ) throws(JournalFault) {
        if !isRight() { throw JournalFault(problem(), in: name.description) }
    }

    private static func read<Value: JournalValue>(_ view: JSONView, _ name: StaticString) throws(JournalFault) -> Value
    {
        do { return try Value(journal: view) } catch { throw error.within(name.description) }
    }

    private mutating func find(_ name: StaticString) -> JSONView? {
        var index = next
        for _ in members.indices {
            if index >= members.count { index = 0 }
            if name ~= members[index].name {
                next = index + 1
                return members[index].value
            }
            index += 1
        }
        return nil
    }
}

extension JournalObject {
    mutating func write(to writer: inout JSONWriter) {
        writer.beginObject()
        fields(&writer)
        writer.endObject()
    }

    init(journal view: JSONView) throws(JournalFault) {
        self = .blank
        var reader = try JournalReader(view)
        try fields(&reader)
    }
}
