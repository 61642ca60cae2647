/// Folds texts so that two texts which a person would call the same compare equal: "Dún  Laoghaire" and "dun
/// laoghaire".
public enum TextFolding {
    /// The text in lower case, without diacritics, apostrophes, full stops, and leading and trailing space. Each run of
    /// space or punctuation becomes one space.
    ///
    /// Diacritics are removed from all Latin letters, by the letters' Unicode names. Other scripts are only
    /// lower-cased.
    public static func fold(_ text: String) -> String {
        if let folded = foldEuropean(text) { return folded }
        var folded: [UInt8] = []
        folded.reserveCapacity(text.utf8.count)
        var isSpaceDue = false
        for scalar in text.unicodeScalars {
            if scalar == "'" || scalar == "\u{2019}" || scalar == "." { continue }
            if isLetterOrDigit(scalar) {
                if isSpaceDue, !folded.isEmpty { folded.append(UInt8(ascii: " ")) }
                isSpaceDue = false
                append(scalar, to: &folded)
            } else if !isMark(scalar) {
                isSpaceDue = true
            }
        }
        return String(decoding: folded, as: UTF8.self)
    }

    /// The folded text; `nil` if the text has other characters than those of ASCII and ``accentedLetters``.
    private static func foldEuropean(_ text: String) -> String? {
        var isEuropean = true
        let folded = text.utf8.withContiguousStorageIfAvailable { bytes in
            // No character becomes longer.
            String(unsafeUninitializedCapacity: bytes.count) { folded in
                var (place, count) = (0, 0)
                var isSpaceDue = false
                func append(_ byte: UInt8) {
                    if isSpaceDue, count > 0 {
                        folded[count] = UInt8(ascii: " ")
                        count += 1
                    }
                    isSpaceDue = false
                    folded[count] = byte
                    count += 1
                }
                while place < bytes.count {
                    let byte = bytes[place]
                    place += 1
                    switch byte {
                    case UInt8(ascii: "'"), UInt8(ascii: "."): continue
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): append(byte)
                    case UInt8(ascii: "A")...UInt8(ascii: "Z"): append(byte | 0x20)
                    case 0..<0x80: isSpaceDue = true
                    // The two bytes of a character from U+00C0 to U+017F.
                    case 0xC3...0xC5:
                        let letters = accentedLetters[Int(byte & 0x1F) << 6 | Int(bytes[place] & 0x3F) - 0xC0]
                        place += 1
                        if letters.0 == 0 { isSpaceDue = true } else { append(letters.0) }
                        if letters.1 != 0 { append(letters.1) }
                    default:
                        isEuropean = false
                        return 0
                    }
                }
                return count
            }
        }
        return isEuropean ? folded : nil
    }

    /// The letters of western and central Europe from U+00C0 to U+017F, folded, as two bytes, of which the second may be
    /// 0. Both are 0 for a character that is no letter. Unicode's names, by which they are found, take a while.
    private static let accentedLetters: [(UInt8, UInt8)] = (UInt32(0xC0)..<0x180).map { value in
        var folded: [UInt8] = []
        if let scalar = Unicode.Scalar(value), isLetterOrDigit(scalar) { append(scalar, to: &folded) }
        return (folded.first ?? 0, folded.count > 1 ? folded[1] : 0)
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
        }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isASCII && scalar.properties.generalCategory == .nonspacingMark
    }

    private static func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
        if scalar.isASCII {
            let isUpper = ("A"..."Z").contains(scalar)
            folded.append(UInt8(scalar.value) | (isUpper ? 0x20 : 0))
        } else if let base = base(of: scalar) {
            folded += base.utf8
        } else {
            // The name of a capital letter may be less specific than the name of the small letter: U+1E9E and the sharp
            // s, U+01F6 and "hv".
            for lower in scalar.properties.lowercaseMapping.unicodeScalars {
                folded += (base(of: lower) ?? String(lower)).utf8
            }
        }
    }

    private static func base(of scalar: Unicode.Scalar) -> String? { scalar == "\u{DF}" ? "ss" : latinBase(of: scalar) }

    /// The base of a Latin letter by its Unicode name: "LATIN SMALL LETTER U WITH ACUTE" is a "u", "LATIN CAPITAL
    /// LETTER AE" an "ae".
    private static func latinBase(of scalar: Unicode.Scalar) -> String? {
        guard let words = scalar.properties.name?.split(separator: " "), words.count >= 4, words[0] == "LATIN",
            words[2] == "LETTER" || words[2] == "LIGATURE", words[3].utf8.count <= 2,
            words.count == 4 || words[4] == "WITH"
        else { return nil }
        return words[3].lowercased()
    }
}
