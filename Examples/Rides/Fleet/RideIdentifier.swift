public import IntentKit

/// The number of a booked ride, such as `DUB-7K2QX9-4`. The last character is a check digit that detects mistakes in
/// the other characters.
///
/// The number is derived from the idempotency key, so that repeating the handle phase after a crash books the same ride
/// and not another one.
public struct RideIdentifier: ParameterValue {
    let number: UInt64

    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let length = 6

    public init(idempotencyKey: Identifier) {
        let hash = idempotencyKey.utf8.reduce(14_695_981_039_346_656_037 as UInt64) {
            ($0 ^ UInt64($1)) &* 1_099_511_628_211
        }  // FNV-1a
        number = (hash ^ (hash >> 30)) & 0x3FFF_FFFF
    }

    public static var jsonKind: JSONView.Kind { .string }
    public static var typeDescription: String {
        "a ride's number, such as \(RideIdentifier(idempotencyKey: "").displayText)"
    }

    public init?(json: JSONView) { return nil }

    /// Parses the number, with or without its prefix, dashes and capitals.
    public init?(text: String) {
        var characters = text.uppercased().filter { Self.letters.contains($0) || $0 == "U" }
        if characters.hasPrefix("DUB") { characters.removeFirst(3) }
        let digits = characters.compactMap { Self.letters.firstIndex(of: $0) }
        guard characters.count == Self.length + 1, digits.count == characters.count else { return nil }
        number = digits.dropLast().reduce(0) { $0 << 5 | UInt64($1) }
        guard check == digits[Self.length] else { return nil }
    }

    public func encode(to writer: inout JSONWriter) { writer.string(displayText) }

    public var displayText: String {
        let digits = (0..<Self.length).reversed().map { Self.letters[Int(number >> (5 * UInt64($0)) & 31)] }
        return "DUB-\(String(digits))-\(Self.letters[check])"
    }

    private var check: Int { Int(number % 31) }
}
