/// Folds texts so that two texts which a person would call the same compare equal: "Dún  Laoghaire" and "dun
/// laoghaire".
public enum TextFolding {
    /// The text in lower case, without diacritics, apostrophes, full stops, and leading and trailing space. Each run of
    /// space or punctuation becomes one space.
    ///
    /// Diacritics are removed from all Latin letters, by the letters' Unicode names. Other scripts are only
    /// lower-cased.
    public static func fold(_ text: String) -> String {
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
