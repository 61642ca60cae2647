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
        case "en": [("L", "l"), ("mL", "ml"), ("cL", "cl"), ("°", "degree|degrees")]
        default: []
        }
    }
}
