#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A cache of header names, so that the few common names are not allocated for every record.
///
/// The cache holds up to 64 names; strings for further names are allocated each time.
struct HeaderNames: ~Copyable {
    private static let capacity = 64
    private let texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>>
    private var names: ContiguousArray<String> = []
    /// The index of the last name at each position of a record. Most records have the same headers in the same order.
    private var guesses: ContiguousArray<Int> = .init(repeating: 0, count: 16)

    init() {
        texts = .allocate(capacity: Self.capacity)
    }

    deinit {
        for index in names.indices { free(texts[index]) }
        texts.deallocate()
    }

    /// Returns the name of the header at position `place` of its record.
    @inline(__always)
    mutating func name(_ text: UnsafePointer<CChar>, at place: Int) -> String {
        if place < guesses.count {
            let guess = guesses[place]
            if guess < names.count, strcmp(texts[guess], text) == 0 { return names[guess] }
        }
        return search(text, at: place)
    }

    private mutating func search(_ text: UnsafePointer<CChar>, at place: Int) -> String {
        if let found = names.indices.first(where: { strcmp(texts[$0], text) == 0 }) {
            if place < guesses.count { guesses[place] = found }
            return names[found]
        }
        let name = String(cString: text)
        // String repairs a name that is not UTF-8; the C bytes are compared, so a repaired name can be cached too.
        if names.count < Self.capacity, let copy = strdup(text) {
            if place < guesses.count { guesses[place] = names.count }
            texts[names.count] = copy
            names.append(name)
        }
        return name
    }
}
