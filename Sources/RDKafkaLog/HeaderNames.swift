#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Header names seen before, so that the same few names don't become new strings with every record.
///
/// Keeps 64 names; others are made anew each time.
struct HeaderNames: ~Copyable {
    private static let capacity = 64
    private let texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>>
    private var names: ContiguousArray<String> = []
    /// Which name stood last at each place of a record. Most records have the same headers in the same order.
    private var guesses: ContiguousArray<Int> = .init(repeating: 0, count: 16)

    init() {
        texts = .allocate(capacity: Self.capacity)
    }

    deinit {
        for index in names.indices { free(texts[index]) }
        texts.deallocate()
    }

    /// The name of the header at `place` of its record.
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
        // A name that is not UTF-8 is repaired by String, and isn't kept.
        if names.count < Self.capacity, let copy = strdup(text) {
            if place < guesses.count { guesses[place] = names.count }
            texts[names.count] = copy
            names.append(name)
        }
        return name
    }
}
