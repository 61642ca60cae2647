/// The numbers from 0 to 999 in words.
enum NumberWords {
    static func english() -> [(String, Int)] {
        let low = [
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen",
            "fourteen",
            "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
        ]
        let tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
        let small = (0..<100).map { number -> [String] in
            if number < 20 { return [low[number]] }
            let ten = tens[number / 10 - 2]
            return [number % 10 == 0 ? ten : "\(ten) \(low[number % 10])"]
        }
        return withHundreds(small) { hundreds, rest in
            let hundred = (hundreds == 1 ? ["one hundred", "a hundred", "hundred"] : ["\(low[hundreds]) hundred"])
            return rest.map { rest in hundred.flatMap { ["\($0) \(rest)", "\($0) and \(rest)"] } } ?? hundred
        }
    }

    static func german() -> [(String, Int)] {
        let low = [
            "null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
            "dreizehn",
            "vierzehn",
            "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn",
        ]
        let tens = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
        var small = compounds(low, tens, joint: "und")
        small[1] = ["eins", "ein", "eine", "einer", "einem", "einen", "eines"]
        small[2].append("zwo")
        return withHundreds(small) { hundreds, rest in
            let hundred = hundreds == 1 ? ["hundert", "einhundert"] : ["\(low[hundreds])hundert"]
            return rest.map { rest in hundred.flatMap { ["\($0)\(rest)", "\($0)und\(rest)"] } } ?? hundred
        }
    }

    static func dutch() -> [(String, Int)] {
        let low = [
            "nul", "een", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien", "elf", "twaalf",
            "dertien", "veertien",
            "vijftien", "zestien", "zeventien", "achttien", "negentien",
        ]
        let tens = ["twintig", "dertig", "veertig", "vijftig", "zestig", "zeventig", "tachtig", "negentig"]
        return withHundreds(compounds(low, tens, joint: "en")) { hundreds, rest in
            let hundred = hundreds == 1 ? "honderd" : "\(low[hundreds])honderd"
            return rest.map { ["\(hundred)\($0)", "\(hundred)en\($0)", "\(hundred) \($0)", "\(hundred) en \($0)"] } ?? [
                hundred
            ]
        }
    }

    static func french() -> [(String, Int)] {
        let low = [
            "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze",
            "treize", "quatorze",
            "quinze", "seize", "dix sept", "dix huit", "dix neuf",
        ]
        let tens = [
            "", "", "vingt", "trente", "quarante", "cinquante", "soixante", "soixante", "quatre vingt", "quatre vingt",
        ]
        func spelled(_ number: Int) -> [String] {
            if number < 20 { return number == 1 ? ["un", "une"] : [low[number]] }
            let rest = (number / 10 == 7 || number / 10 == 9) ? number % 20 : number % 10
            let ten = tens[number / 10]
            if rest == 0 { return number == 80 ? [ten, "\(ten)s"] : [ten] }
            if rest == 1, number < 80 { return ["\(ten) et un", "\(ten) et une", "\(ten) un"] }
            return [number == 71 ? "\(ten) et onze" : "\(ten) \(low[rest])"]
        }
        var small = (0..<100).map(spelled)
        for (ten, word) in [(70, "septante"), (90, "nonante")] {
            for unit in 0..<10 {
                small[ten + unit].append(unit == 0 ? word : unit == 1 ? "\(word) et un" : "\(word) \(low[unit])")
            }
        }
        return withHundreds(small) { hundreds, rest in
            let hundred = hundreds == 1 ? "cent" : "\(low[hundreds]) cent"
            return rest.map { ["\(hundred) \($0)"] } ?? [hundred, "\(hundred)s"]
        }
    }

    static func spanish() -> [(String, Int)] {
        let low = [
            "cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce",
            "trece", "catorce",
            "quince", "dieciséis", "diecisiete", "dieciocho", "diecinueve", "veinte", "veintiuno", "veintidós",
            "veintitrés",
            "veinticuatro",
            "veinticinco", "veintiséis", "veintisiete", "veintiocho", "veintinueve",
        ]
        let tens = ["treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"]
        let names = [
            "ciento", "doscientos", "trescientos", "cuatrocientos", "quinientos", "seiscientos", "setecientos",
            "ochocientos",
            "novecientos",
        ]
        var small = (0..<100).map { number -> [String] in
            if number < 30 { return [low[number]] }
            let ten = tens[number / 10 - 3]
            return [number % 10 == 0 ? ten : "\(ten) y \(low[number % 10])"]
        }
        small[1] += ["un", "una"]
        small[21] += ["veintiún", "veintiuna"]
        for ten in tens.indices { small[31 + ten * 10] += ["\(tens[ten]) y un", "\(tens[ten]) y una"] }
        return withHundreds(small) { hundreds, rest in
            let hundred = names[hundreds - 1]
            let either = hundreds == 1 ? [hundred] : [hundred, "\(hundred.dropLast(2))as"]
            return rest.map { rest in either.map { "\($0) \(rest)" } } ?? (hundreds == 1 ? ["cien", "ciento"] : either)
        }
    }

    /// The numbers below 100 in languages that say the units first: "vierundzwanzig", "vierentwintig".
    private static func compounds(_ low: [String], _ tens: [String], joint: String) -> [[String]] {
        (0..<100).map { number in
            if number < 20 { return [low[number]] }
            let ten = tens[number / 10 - 2]
            return number % 10 == 0
                ? [ten] : ["\(low[number % 10])\(joint)\(ten)", "\(low[number % 10]) \(joint) \(ten)"]
        }
    }

    /// Adds the numbers from 100 to 999.
    ///
    /// - Parameters:
    ///   - small: The spellings of the numbers below 100.
    ///   - hundreds: The spellings of a number of hundreds, alone or followed by the given words.
    private static func withHundreds(_ small: [[String]], _ hundreds: (Int, String?) -> [String]) -> [(String, Int)] {
        var numbers: [(String, Int)] = []
        for (number, spellings) in small.enumerated() { numbers += spellings.map { ($0, number) } }
        for hundred in 1...9 {
            numbers += hundreds(hundred, nil).map { ($0, hundred * 100) }
            for rest in 1..<100 {
                for spelling in small[rest] {
                    numbers += hundreds(hundred, spelling).map { ($0, hundred * 100 + rest) }
                }
            }
        }
        return numbers
    }
}
