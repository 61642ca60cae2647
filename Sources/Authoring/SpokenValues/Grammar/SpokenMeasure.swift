import IntentKit

/// Reads measures in words: "dreieinhalb Kilometer", "un litre et demi", "half a mile".
struct SpokenMeasure {
    /// The maximum number of words of a unit.
    private static let maximumWords = 4

    let language: SpokenLanguage
    let context: SpeechContext

    /// The measures that the words may mean, as a number and a unit. The type of the value knows whether it is a unit
    /// of its kind: a unit without a translation stays as the person said it.
    func candidates(_ text: String) -> [SpokenCandidate] {
        let words = text.split(whereSeparator: \.isWhitespace).flatMap { Self.spaced(String($0)) }
        var untranslated: (numbers: [SpokenCandidate], unit: String)?
        for count in stride(from: min(Self.maximumWords, words.count - 1), to: 0, by: -1) {
            let unit = words.suffix(count).joined(separator: " ")
            let symbol = language.unit(TextFolding.fold(unit))
            let numbers = numbers(words.dropLast(count).joined(separator: " "))
            if let symbol { return degrees(symbol).map { Self.measures(numbers, $0) } ?? [] }
            let isNumber = WordReader.items(of: unit, in: language).contains { $0 == .half || $0 == .and }
            if count <= 2, !numbers.isEmpty, !isNumber { untranslated = (numbers, unit) }
        }
        return untranslated.map { Self.measures($0.numbers, $0.unit) } ?? halves(words)
    }

    /// The symbol of a unit. "Degrees" alone are nobody's where both scales are in use.
    private func degrees(_ symbol: String) -> String? {
        guard symbol == "°" else { return symbol }
        let region = Words(items: [], language: language, context: context).region
        return region == "US" || region == nil && language.code == "en" ? nil : "°C"
    }

    /// A number and the letters after it: "10km".
    private static func spaced(_ word: String) -> [String] {
        guard let end = word.lastIndex(where: \.isNumber), word.first?.isNumber == true else { return [word] }
        let rest = word[word.index(after: end)...]
        return rest.first?.isLetter == true ? [String(word[...end]), String(rest)] : [word]
    }

    private static func measures(_ numbers: [SpokenCandidate], _ unit: String) -> [SpokenCandidate] {
        numbers.map { SpokenCandidate(text: "\($0.text) \(unit)", confidence: $0.confidence) }
    }

    /// Reads "un litre et demi", "un kilómetro y medio": the half comes after the unit.
    private func halves(_ words: [String]) -> [SpokenCandidate] {
        let items = words.suffix(2).flatMap { WordReader.items(of: $0, in: language) }
        guard items == [.and, .half], words.count > 3 else { return [] }
        return candidates(words.dropLast(2).joined(separator: " ")).compactMap { candidate in
            let parts = candidate.text.split(separator: " ", maxSplits: 1)
            guard let whole = Int(parts[0]), parts.count == 2 else { return nil }
            return SpokenCandidate(text: "\(whole).5 \(parts[1])", confidence: candidate.confidence)
        }
    }

    private func numbers(_ text: String) -> [SpokenCandidate] {
        let items = WordReader.items(of: text, in: language)
        if items.isEmpty || items.contains(.unknown) { return [] }
        if items == [.article] { return [SpokenCandidate(text: "1", confidence: 0.95)] }
        var words = Words(items: items, language: language, context: context)
        return words.numbers()
    }
}

extension LanguageWords {
    /// The words for units, by their symbols. English words are those of the types.
    var units: [(symbol: String, words: String)] {
        switch code {
        case "de":
            [
                ("km", "kilometer"), ("m", "meter"), ("cm", "zentimeter"), ("mm", "millimeter"), ("mi", "meile|meilen"),
                ("ft", "fuß"), ("in", "zoll"), ("kg", "kilo|kilos|kilogramm"), ("g", "gramm"), ("mg", "milligramm"),
                ("t", "tonne|tonnen"), ("L", "liter|l"), ("mL", "milliliter|ml"), ("cL", "zentiliter|cl"),
                ("dL", "deziliter|dl"), ("m³", "kubikmeter"), ("m²", "quadratmeter"), ("km²", "quadratkilometer"),
                ("ha", "hektar"), ("km/h", "stundenkilometer|kilometer pro stunde"),
                ("°", "grad"), ("°C", "grad celsius|celsius"), ("°F", "grad fahrenheit|fahrenheit"),
                ("kWh", "kilowattstunde|kilowattstunden"), ("kcal", "kilokalorie|kilokalorien"),
                ("s", "sekunde|sekunden"), ("min", "minute|minuten"), ("h", "stunde|stunden"), ("d", "tag|tage"),
            ]
        case "fr":
            [
                ("km", "kilomètre|kilomètres"), ("m", "mètre|mètres"), ("cm", "centimètre|centimètres"),
                ("mm", "millimètre|millimètres"), ("ft", "pied|pieds"), ("in", "pouce|pouces"),
                ("kg", "kilo|kilos|kilogramme|kilogrammes"), ("g", "gramme|grammes"),
                ("mg", "milligramme|milligrammes"),
                ("t", "tonne|tonnes"), ("L", "litre|litres|l"), ("mL", "millilitre|millilitres|ml"),
                ("cL", "centilitre|centilitres|cl"), ("dL", "décilitre|décilitres"),
                ("m³", "mètre cube|mètres cubes"), ("m²", "mètre carré|mètres carrés"),
                ("km²", "kilomètre carré|kilomètres carrés"), ("ha", "hectare|hectares"),
                ("km/h", "kilomètre heure|kilomètres heure|kilomètres par heure|kilomètres à l'heure"),
                ("°", "degré|degrés"), ("°C", "degrés celsius"), ("°F", "degrés fahrenheit"),
                ("kWh", "kilowattheure|kilowattheures"), ("kcal", "kilocalorie|kilocalories"),
                ("s", "seconde|secondes"), ("min", "minute|minutes"), ("h", "heure|heures"), ("d", "jour|jours"),
            ]
        case "es":
            [
                ("km", "kilómetro|kilómetros"), ("m", "metro|metros"), ("cm", "centímetro|centímetros"),
                ("mm", "milímetro|milímetros"), ("mi", "milla|millas"), ("ft", "pie|pies"), ("in", "pulgada|pulgadas"),
                ("kg", "kilo|kilos|kilogramo|kilogramos"), ("g", "gramo|gramos"), ("mg", "miligramo|miligramos"),
                ("t", "tonelada|toneladas"), ("L", "litro|litros|l"), ("mL", "mililitro|mililitros|ml"),
                ("cL", "centilitro|centilitros|cl"), ("m³", "metro cúbico|metros cúbicos"),
                ("m²", "metro cuadrado|metros cuadrados"), ("km²", "kilómetro cuadrado|kilómetros cuadrados"),
                ("ha", "hectárea|hectáreas"), ("km/h", "kilómetro por hora|kilómetros por hora"),
                ("°", "grado|grados"), ("°C", "grados centígrados|grados celsius"), ("°F", "grados fahrenheit"),
                ("kWh", "kilovatio hora|kilovatios hora"), ("kcal", "kilocaloría|kilocalorías"),
                ("s", "segundo|segundos"), ("min", "minuto|minutos"), ("h", "hora|horas"), ("d", "día|días"),
            ]
        case "nl":
            [
                ("km", "kilometer|kilometers"), ("m", "meter|meters"), ("cm", "centimeter|centimeters"),
                ("mm", "millimeter"), ("mi", "mijl|mijlen"), ("ft", "voet"), ("in", "inch|duim"),
                ("kg", "kilo|kilo's|kilogram"), ("g", "gram"), ("mg", "milligram"), ("t", "ton"),
                ("L", "liter|liters|l"), ("mL", "milliliter|ml"), ("cL", "centiliter|cl"), ("dL", "deciliter"),
                ("m³", "kubieke meter|kuub"), ("m²", "vierkante meter"), ("km²", "vierkante kilometer"),
                ("ha", "hectare|hectaren"), ("km/h", "kilometer per uur"), ("°", "graden|graad"),
                ("°C", "graden celsius"),
                ("°F", "graden fahrenheit"), ("kWh", "kilowattuur"), ("kcal", "kilocalorie|kilocalorieën"),
                ("s", "seconde|seconden"), ("min", "minuut|minuten"), ("h", "uur|uren"), ("d", "dag|dagen"),
            ]
        default: [("L", "l"), ("mL", "ml"), ("cL", "cl"), ("°", "degree|degrees")]
        }
    }
}
