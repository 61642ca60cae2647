package import IntentModel

/// Sets members from a JSON text. Members of a later version are skipped. A required member that is no value of its type
/// counts as missing, and does not change its variable.
///
/// A declaration reads the members that come in its order. It is visited again where others come between them.
package struct MemberReader: MemberCoder {
    fileprivate var cursor: JSONCursor
    /// The name of the member under the cursor; `nil` after the last one.
    fileprivate var name: JSONWord?
    /// The position of the member's value.
    fileprivate var start: Int
    /// The bit of the next required member of the declaration; at the end of a visit, one more than the bits of all.
    fileprivate var required: UInt64 = 1
    /// The bits of the required members that have been read.
    fileprivate var found: UInt64 = 0

    /// The bit of the next member of the declaration that has a default.
    fileprivate var withDefault: UInt64 = 1
    /// The bits of the members with a default that have been read.
    private var defaultsReplaced: UInt64 = 0

    /// `true` in the visit after the last member, in which the first rule throws whose required member is missing.
    fileprivate var isFinished = false

    /// `true` if a member that is `null` counts as missing.
    fileprivate let ignoresNull: Bool

    fileprivate init(_ object: JSONCursor, ignoresNull: Bool) {
        self.ignoresNull = ignoresNull
        cursor = object
        name = cursor.firstMember()
        start = cursor.position
    }

    package static var isReading: Bool { true }

    package mutating func member<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value, _ presence: MemberPresence,
        _ schema: @autoclosure () -> ContractSchema, _ about: @autoclosure () -> String
    ) throws(OutcomeError) {
        defer {
            if presence == .required { required &<<= 1 }
            withDefault &<<= 1
        }
        guard isAt(name) else { return }
        let read = try Value.read(&cursor)
        if let read {
            value = read
            defaultsReplaced |= withDefault
        } else if defaultsReplaced & withDefault != 0 {
            // The last member with this name counts, and the default is gone.
            throw OutcomeError("'\(name)' is there twice, and no value the last time", name.description)
        }
        if presence == .required { countRequired(isFound: read != nil) }
        skip()
    }

    package mutating func optional<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value?, _ presence: MemberPresence,
        _ schema: @autoclosure () -> ContractSchema, _ about: @autoclosure () -> String
    ) throws(OutcomeError) {
        defer { if presence == .required { required &<<= 1 } }
        guard isAt(name) else { return }
        value = try Value.read(&cursor)
        if presence == .required { countRequired(isFound: value != nil) }
        skip()
    }

    package mutating func optional<Value: MemberValue & Equatable>(
        _ name: StaticString, _ value: inout Value, unless absent: Value, _ schema: @autoclosure () -> ContractSchema,
        _ about: @autoclosure () -> String
    ) throws(OutcomeError) {
        guard isAt(name) else { return }
        value = try Value.read(&cursor) ?? absent
        skip()
    }

    package mutating func checked<Value: MemberValue>(
        _ name: StaticString, _ value: inout Value?, _ presence: MemberPresence, _ rule: MemberRule<Value>,
        _ about: @autoclosure () -> String
    ) throws(OutcomeError) {
        defer { if presence == .required { required &<<= 1 } }
        guard let current = self.name else {
            if isFinished, presence == .required, found & required == 0 { try check(nil, name, rule) }
            return
        }
        guard name ~= current else { return }
        if cursor.kind == .null {
            value = nil
        } else {
            value = try Value.read(&cursor)
            try check(value, name, rule)
        }
        if presence == .required { countRequired(isFound: value != nil) }
        skip()
    }

    private func check<Value>(_ value: Value?, _ name: StaticString, _ rule: MemberRule<Value>) throws(OutcomeError) {
        let name = name.description
        if let problem = rule.problem(value, name) { throw OutcomeError(.invalid, problem, name) }
    }

    /// Notes whether the required member that was read last is a value. If a name is repeated, its last member counts.
    private mutating func countRequired(isFound: Bool) {
        if isFound { found |= required } else { found &= ~required }
    }

    /// `true` if the member under the cursor has this name.
    @inline(__always) private func isAt(_ name: StaticString) -> Bool {
        guard let current = self.name else { return false }
        return name ~= current && !(ignoresNull && cursor.kind == .null)
    }

    /// Moves to the next member. A value that was not read is skipped.
    fileprivate mutating func skip() {
        name = cursor.nextMember(after: start)
        start = cursor.position
    }
}

extension JSONCursor {
    /// Reads the members of an object. At any other value, the cursor does not move.
    ///
    /// - Parameters:
    ///   - ignoresNull: `true` if a member that is `null` counts as missing.
    ///   - skipped: Called for each member that the declaration does not have.
    ///   - visit: Visits a declaration.
    /// - Returns: Whether all members are there that the declaration requires.
    @discardableResult
    @inline(__always)  // Without it, the value that is read is copied once more.
    package mutating func readMembers(
        ignoringNull ignoresNull: Bool = false, skipped: (_ name: JSONWord, _ isNull: Bool) -> Void = { _, _ in },
        _ visit: (inout MemberReader) throws(OutcomeError) -> Void
    ) throws(OutcomeError) -> Bool {
        guard kind == .object else { return false }
        var reader = MemberReader(self, ignoresNull: ignoresNull)
        repeat {
            let start = reader.start
            (reader.required, reader.withDefault) = (1, 1)
            try visit(&reader)
            if let name = reader.name, reader.start == start {
                skipped(name, reader.cursor.kind == .null)
                reader.skip()
            }
        } while reader.name != nil
        self = reader.cursor
        if reader.found == reader.required &- 1 { return true }
        (reader.required, reader.isFinished) = (1, true)
        try visit(&reader)
        return false
    }
}

extension JSONView {
    /// Reads the members of an object. Its parameters are those of ``JSONCursor/readMembers(ignoringNull:skipped:_:)``.
    @discardableResult
    package func readMembers(
        ignoringNull ignoresNull: Bool = false, skipped: (_ name: JSONWord, _ isNull: Bool) -> Void = { _, _ in },
        _ visit: (inout MemberReader) throws(OutcomeError) -> Void
    ) throws(OutcomeError) -> Bool {
        try withCursor { cursor throws(OutcomeError) in
            try cursor.readMembers(ignoringNull: ignoresNull, skipped: skipped, visit)
        }
    }
}
