package import IntentModel

/// Visits the members of a JSON object in the order in which they are written.
///
/// One declaration, a function `members`, serves the reader, the writer and the contract. So a member has one name, one
/// type and one description.
package protocol MemberCoder: ~Copyable {
    /// `Never` for the writer and for the contract.
    associatedtype Failure: Error

    /// `true` if the members are set, so that a value that was made of them has to be set too.
    static var isReading: Bool { get }

    /// A member that is always written.
    ///
    /// - Parameters:
    ///   - presence: Whether readers need the member.
    ///   - schema: The member's schema. Only the contract asks for it, and for `about`.
    mutating func member<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value, _ presence: MemberPresence,
        _ schema: @autoclosure () -> ContractSchema, _ about: @autoclosure () -> String) throws(Failure)

    /// A member that is left out if there is no value.
    mutating func optional<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value?, _ presence: MemberPresence,
        _ schema: @autoclosure () -> ContractSchema, _ about: @autoclosure () -> String) throws(Failure)

    /// A member that is left out if it has a certain value.
    mutating func optional<Value: MemberValue & Equatable>(
        _ name: StaticString, _ value: inout Value, unless absent: Value, _ schema: @autoclosure () -> ContractSchema,
        _ about: @autoclosure () -> String) throws(Failure)

    /// A member with a rule, left out if there is no value. Readers reject a value that breaks the rule, and `null`
    /// counts as missing.
    mutating func checked<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value?, _ presence: MemberPresence, _ rule: MemberRule<Value>,
        _ about: @autoclosure () -> String) throws(Failure)
}

/// The rule for the values of a member.
package struct MemberRule<Value> {
    private let makeSchema: () -> ContractSchema
    /// Returns the problem with a value of the member with the given name; `nil` if there is none. No value stands for a
    /// value of another type, or for a required member that is missing.
    package let problem: (_ value: Value?, _ name: String) -> String?

    /// - Parameter schema: The schema of the values. Only the contract asks for it.
    package init(
        _ schema: @autoclosure @escaping () -> ContractSchema,
        _ problem: @escaping (_ value: Value?, _ name: String) -> String?
    ) {
        (makeSchema, self.problem) = (schema, problem)
    }

    package var schema: ContractSchema { makeSchema() }
}

/// The need of readers of an object for a member.
package enum MemberPresence: Sendable { case required, optional }

/// A value of a member.
package protocol MemberValue {
    static var schema: ContractSchema { get }

    /// Writes the value, and does not change it. It is `mutating` because one declaration of members serves the writer
    /// and the reader.
    mutating func encode(to writer: inout JSONWriter)

    /// Reads the value under the cursor.
    ///
    /// - Returns: `nil` if it is no value of this type.
    static func read(_ cursor: inout JSONCursor) throws(OutcomeError) -> Self?

    /// Reads the value under the cursor, and appends it to the values if it is one of this type.
    static func read(_ cursor: inout JSONCursor, into values: inout [Self]) throws(OutcomeError)
}

extension MemberValue {
    package static func read(_ cursor: inout JSONCursor, into values: inout [Self]) throws(OutcomeError) {
        if let value = try read(&cursor) { values.append(value) }
    }

    /// Reads a value that stands alone.
    ///
    /// - Returns: `nil` if it is no value of this type.
    package static func read(_ json: JSON) throws(OutcomeError) -> Self? {
        try json.view.withCursor { cursor throws(OutcomeError) in try read(&cursor) }
    }
}

/// A value with members.
package protocol MemberObject: MemberValue {
    /// The value that members are read into.
    static var blank: Self { get }
    /// The shape that the contract describes it by; `nil` if the contract describes it in its place.
    static var shape: ContractShape? { get }
    /// `true` if a value that is no object counts as an object without members.
    static var takesAnyValue: Bool { get }

    mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure)

    /// Checks the members, once after all of them were read.
    ///
    /// - Parameter isWhole: Whether all required members were read.
    /// - Returns: `false` if the value counts as missing.
    /// - Throws: An error if the value must not be ignored.
    mutating func finishReading(isWhole: Bool) throws(OutcomeError) -> Bool
}

extension MemberCoder where Self: ~Copyable {
    package static var isReading: Bool { false }

    package mutating func checked<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value?, _ presence: MemberPresence, _ rule: MemberRule<Value>,
        _ about: @autoclosure () -> String
    ) throws(Failure) {
        try optional(name, &value, presence, rule.schema, about())
    }

    /// A member that is always written, and that readers need.
    package mutating func required<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value, as schema: @autoclosure () -> ContractSchema = Value.schema,
        _ about: @autoclosure () -> String
    ) throws(Failure) {
        try member(name, &value, .required, schema(), about())
    }

    /// A member that readers need, of a value that may have none.
    package mutating func required<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value?, as schema: @autoclosure () -> ContractSchema = Value.schema,
        _ about: @autoclosure () -> String
    ) throws(Failure) {
        try optional(name, &value, .required, schema(), about())
    }

    /// A member that is always written, and that has a default where readers don't find it.
    package mutating func written<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value, as schema: @autoclosure () -> ContractSchema = Value.schema,
        _ about: @autoclosure () -> String
    ) throws(Failure) {
        try member(name, &value, .optional, schema(), about())
    }

    /// A number that readers bring inside of its bounds.
    package mutating func written(
        _ name: StaticString, _ value: inout Int, within bounds: ClosedRange<Int>, _ about: @autoclosure () -> String
    ) throws(Failure) {
        try member(name, &value, .optional, .integer(bounds), about())
        if Self.isReading { value = min(max(value, bounds.lowerBound), bounds.upperBound) }
    }

    /// A member that is left out if there is no value.
    package mutating func optional<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value?, as schema: @autoclosure () -> ContractSchema = Value.schema,
        _ about: @autoclosure () -> String
    ) throws(Failure) {
        try optional(name, &value, .optional, schema(), about())
    }

    /// A number that readers bring inside of its bounds.
    package mutating func optional(
        _ name: StaticString, _ value: inout Int?, within bounds: ClosedRange<Int>, _ about: @autoclosure () -> String
    ) throws(Failure) {
        try optional(name, &value, .optional, .integer(bounds), about())
        if Self.isReading, let number = value { value = min(max(number, bounds.lowerBound), bounds.upperBound) }
    }

    /// A member that is left out if it has a certain value.
    package mutating func optional<Value: MemberValue & Equatable>(
        _ name: StaticString, _ value: inout Value, unless absent: Value,
        as schema: @autoclosure () -> ContractSchema = Value.schema, _ about: @autoclosure () -> String
    ) throws(Failure) {
        try optional(name, &value, unless: absent, schema(), about())
    }

    /// A flag that is only written if it is set.
    package mutating func flag(
        _ name: StaticString, _ value: inout Bool, _ about: @autoclosure () -> String
    ) throws(Failure) {
        try optional(name, &value, unless: false, .flag, about())
    }
}

extension MemberObject {
    package static var shape: ContractShape? { nil }
    package static var takesAnyValue: Bool { false }
    package static var schema: ContractSchema { shape.map(ContractSchema.shape) ?? shapeSchema }

    package mutating func finishReading(isWhole: Bool) -> Bool { isWhole }

    /// The schema with its members.
    package static var shapeSchema: ContractSchema {
        .object(
            ContractMember.list { describer in
                var value = blank
                value.members(&describer)
            })
    }

    package mutating func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        members(&writer)
        writer.endObject()
    }

    package static func read(_ cursor: inout JSONCursor) throws(OutcomeError) -> Self? { try Self(reading: &cursor) }

    private init?(reading cursor: inout JSONCursor) throws(OutcomeError) {
        // In its place: a variable that is changed and returned is copied.
        self = .blank
        guard try readMembers(&cursor) else { return nil }
    }

    package static func read(_ cursor: inout JSONCursor, into values: inout [Self]) throws(OutcomeError) {
        // In its place, as in the initializer.
        values.append(.blank)
        if try !values[values.count - 1].readMembers(&cursor) { values.removeLast() }
    }

    /// Reads the members of the object under the cursor.
    ///
    /// - Returns: `false` if the value counts as missing.
    package mutating func readMembers(_ cursor: inout JSONCursor) throws(OutcomeError) -> Bool {
        let isObject = cursor.kind == .object
        if !isObject, !Self.takesAnyValue { return try finishReading(isWhole: false) }
        let isWhole = try cursor.readMembers { reader throws(OutcomeError) in try members(&reader) }
        return try finishReading(isWhole: isWhole || !isObject)
    }

    /// Reads a value that stands alone; `nil` if it is none.
    package init?(_ view: JSONView) {
        guard let value = view.withCursor({ cursor in try? Self.read(&cursor) }) else { return nil }
        self = value
    }
}

extension JSONWriter: MemberCoder {
    package mutating func member<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value, _ presence: MemberPresence,
        _ schema: @autoclosure () -> ContractSchema, _ about: @autoclosure () -> String
    ) {
        self.name(name)
        value.encode(to: &self)
    }

    package mutating func optional<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value?, _ presence: MemberPresence,
        _ schema: @autoclosure () -> ContractSchema, _ about: @autoclosure () -> String
    ) {
        if value == nil { return }
        self.name(name)
        value?.encode(to: &self)
    }

    package mutating func optional<Value: MemberValue & Equatable>(
        _ name: StaticString, _ value: inout Value, unless absent: Value, _ schema: @autoclosure () -> ContractSchema,
        _ about: @autoclosure () -> String
    ) {
        if value == absent { return }
        self.name(name)
        value.encode(to: &self)
    }
}

/// Collects the members of a declaration for the contract.
package struct MemberDescriber: MemberCoder {
    fileprivate var members: [ContractMember] = []

    package mutating func member<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value, _ presence: MemberPresence,
        _ schema: @autoclosure () -> ContractSchema, _ about: @autoclosure () -> String
    ) {
        add(name, presence, schema(), about())
    }

    package mutating func optional<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value?, _ presence: MemberPresence,
        _ schema: @autoclosure () -> ContractSchema, _ about: @autoclosure () -> String
    ) {
        add(name, presence, schema(), about())
    }

    package mutating func optional<Value: MemberValue & Equatable>(
        _ name: StaticString, _ value: inout Value, unless absent: Value, _ schema: @autoclosure () -> ContractSchema,
        _ about: @autoclosure () -> String
    ) {
        add(name, .optional, schema(), about())
    }

    private mutating func add(
        _ name: StaticString, _ presence: MemberPresence, _ schema: ContractSchema, _ about: String
    ) {
        members.append(
            ContractMember(name: name.description, schema: schema, about: about, isRequired: presence == .required))
    }
}

extension ContractMember {
    /// The members of a declaration.
    package static func list(_ visit: (inout MemberDescriber) -> Void) -> [ContractMember] {
        var describer = MemberDescriber()
        visit(&describer)
        return describer.members
    }
}
