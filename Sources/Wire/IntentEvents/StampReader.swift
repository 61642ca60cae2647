import RecordLog

/// Reads the text of a stamp, part by part. A successor reads one for each record of the journal, so it makes nothing but the owner's name.
struct StampReader {
    /// The parts of a stamp. Those that each stamp has come first.
    enum Part: Int {
        case owner, epoch, number, requests, outcomes, settled, results
        case lastRequest, lastOutcome, answers, lastAnswer, inputs, openRequests, openAnswers, openOutcomes, format
        /// A part of a newer version.
        case unknown

        /// A set with all parts that each stamp has.
        static let required = (1 << (Part.results.rawValue + 1)) - 1
    }

    private var next: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>

    /// - Parameter bytes: They have to stay where they are while they are read. Not empty.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return nil }
        next = start
        end = start + bytes.count
    }

    var isAtEnd: Bool { next >= end }

    /// The name of the next part, up to its equals sign; `nil` if it has none.
    mutating func part() -> Part? {
        let start = next
        while next < end, next.pointee != UInt8(ascii: "=") {
            if next.pointee == UInt8(ascii: " ") { return nil }
            next += 1
        }
        if isAtEnd { return nil }
        let name = UnsafeBufferPointer(start: start, count: next - start)
        next += 1
        return Self.part(name)
    }

    private static func part(_ name: UnsafeBufferPointer<UInt8>) -> Part {
        guard let first = name.first else { return .unknown }
        let (part, text): (Part, StaticString) =
            switch (name.count, first) {
            case (5, UInt8(ascii: "e")): (.epoch, "epoch")
            case (5, UInt8(ascii: "o")): (.owner, "owner")
            case (6, UInt8(ascii: "n")): (.number, "number")
            case (6, UInt8(ascii: "i")): (.inputs, "inputs")
            case (6, UInt8(ascii: "f")): (.format, "format")
            case (7, UInt8(ascii: "s")): (.settled, "settled")
            case (7, UInt8(ascii: "r")): (.results, "results")
            case (7, UInt8(ascii: "a")): (.answers, "answers")
            case (8, UInt8(ascii: "r")): (.requests, "requests")
            case (8, UInt8(ascii: "o")): (.outcomes, "outcomes")
            case (10, UInt8(ascii: "l")): (.lastAnswer, "lastAnswer")
            case (11, UInt8(ascii: "l")):
                name[4] == UInt8(ascii: "R") ? (.lastRequest, "lastRequest") : (.lastOutcome, "lastOutcome")
            case (11, UInt8(ascii: "o")): (.openAnswers, "openAnswers")
            case (12, UInt8(ascii: "o")):
                name[4] == UInt8(ascii: "R") ? (.openRequests, "openRequests") : (.openOutcomes, "openOutcomes")
            default: (.unknown, "")
            }
        if part == .unknown { return part }
        for place in 0..<name.count where name[place] != text.utf8Start[place] { return .unknown }
        return part
    }

    /// A number, up to the end of the part; `nil` if it is none, or one of 2⁵³ and more: what a JSON number can say exactly. Nothing counts that far, and there
    /// is room to count on.
    mutating func number() -> Int64? {
        guard let number = digits(), isAtEnd || next.pointee == UInt8(ascii: " ") else { return nil }
        next += 1
        return number
    }

    /// Reads numbers with commas between them.
    ///
    /// - Returns: whether they are such.
    mutating func numbers(into numbers: inout [Int64]) -> Bool {
        numbers = []
        while !isAtEnd, next.pointee != UInt8(ascii: " ") {
            if next.pointee == UInt8(ascii: ",") {
                next += 1
            } else if let number = digits() {
                numbers.append(number)
            } else {
                return false
            }
        }
        next += 1
        return true
    }

    private mutating func digits() -> Int64? {
        let start = next
        var number: UInt64 = 0
        while next < end {
            let digit = next.pointee &- UInt8(ascii: "0")
            // No number that is taken has more than 16 digits, and none with 18 overflows.
            guard digit < 10, next - start < 18 else { break }
            number = number &* 10 &+ UInt64(digit)
            next += 1
        }
        return next > start && number < 1 << 53 ? Int64(number) : nil
    }

    /// A text, up to the end of the part; `nil` if it is not UTF-8.
    mutating func text() -> String? {
        let start = next
        passOver()
        return String(validating: UnsafeBufferPointer(start: start, count: next - 1 - start), as: UTF8.self)
    }

    /// Passes over the value.
    mutating func passOver() {
        while !isAtEnd, next.pointee != UInt8(ascii: " ") { next += 1 }
        next += 1
    }
}
