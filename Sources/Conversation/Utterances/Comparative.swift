import IntentModel

/// A word that compares options: "cheaper" or "the latest".
struct Comparative: Sendable, Hashable {
    let quality: OptionComparison.Quality
    /// `true` for the option with the greatest number, such as the most expensive one.
    let isGreatest: Bool
    /// `true` if the word compares one option with all others, and not only with one other.
    let isSuperlative: Bool
    /// `true` if the word needs an article: "later" alone may be no answer.
    let needsArticle: Bool

    /// The words of a language by quality.
    ///
    /// - Parameter words: for the smallest and for the greatest number, the comparatives and the superlatives. Without
    ///   superlatives, the language has one word for both.
    static func words(_ words: [OptionComparison.Quality: (smallest: Degrees, greatest: Degrees)]) -> [String: Self] {
        var all: [String: Self] = [:]
        for (quality, ends) in words {
            for (degrees, isGreatest) in [(ends.smallest, false), (ends.greatest, true)] {
                for word in degrees.comparatives {
                    all[TextFolding.fold(word)] = Self(
                        quality: quality, isGreatest: isGreatest, isSuperlative: degrees.superlatives.isEmpty,
                        needsArticle: true)
                }
                for word in degrees.superlatives {
                    all[TextFolding.fold(word)] = Self(
                        quality: quality, isGreatest: isGreatest, isSuperlative: true, needsArticle: false)
                }
            }
        }
        return all
    }

    /// The words that make a comparative the name of an option, in all languages: "the later", "the later one".
    static let articles: Set<String> = ["the", "one", "der", "die", "das", "den", "le", "la", "el", "de", "het"]

    struct Degrees {
        var comparatives: [String]
        var superlatives: [String]

        init(_ comparatives: [String], _ superlatives: [String] = []) {
            (self.comparatives, self.superlatives) = (comparatives, superlatives)
        }
    }
}

extension [String: Comparative] {
    static let english = Comparative.words([
        .price: (
            .init(["cheaper", "less expensive"], ["cheapest", "least expensive"]),
            .init(["dearer", "pricier", "more expensive"], ["dearest", "priciest", "most expensive"])
        ),
        .time: (.init(["earlier", "sooner"], ["earliest", "soonest"]), .init(["later"], ["latest"])),
        .distance: (
            .init(["nearer", "closer"], ["nearest", "closest"]),
            .init(["farther", "further", "farther away"], ["farthest", "furthest"])
        ),
        .duration: (
            .init(["shorter", "quicker", "faster"], ["shortest", "quickest", "fastest"]),
            .init(["longer", "slower"], ["longest", "slowest"])
        ),
        .size: (.init(["smaller"], ["smallest"]), .init(["bigger", "larger"], ["biggest", "largest"])),
    ])

    static let german = Comparative.words([
        .price: (
            german("günstiger billiger preiswerter", "günstigst billigst preiswertest"), german("teurer", "teuerst")
        ),
        .time: (german("früher", "frühest"), german("später", "spätest")),
        // "Das nächste" is the next one.
        .distance: (
            german("näher", "nächstgelegen"),
            .init(
                ["weiter entfernte", "weiter entfernten"],
                [
                    "am weitesten", "am weitesten weg", "am weitesten entfernt", "am weitesten entfernte",
                    "am weitesten entfernten",
                ])
        ),
        .duration: (german("kürzer schneller", "kürzest schnellst"), german("länger langsamer", "längst langsamst")),
        .size: (german("kleiner", "kleinst"), german("größer", "größt")),
    ])

    static let french = Comparative.words([
        .price: (.init(["moins cher", "moins chère"]), .init(["plus cher", "plus chère"])),
        .time: (.init(["plus tôt"]), .init(["plus tard", "plus tardif", "plus tardive"])),
        .distance: (.init(["plus proche", "plus près"]), .init(["plus loin", "plus éloigné", "plus éloignée"])),
        .duration: (
            .init(["plus court", "plus courte", "plus rapide"]),
            .init(["plus long", "plus longue", "plus lent", "plus lente"])
        ),
        .size: (.init(["plus petit", "plus petite"]), .init(["plus grand", "plus grande"])),
    ])

    static let spanish = Comparative.words([
        .price: (
            .init(["más barato", "más barata", "menos caro", "menos cara", "más económico", "más económica"]),
            .init(["más caro", "más cara"])
        ),
        .time: (.init(["más temprano", "más pronto"]), .init(["más tarde", "más tardío", "más tardía"])),
        .distance: (
            .init(["más cerca", "más cercano", "más cercana"]), .init(["más lejos", "más lejano", "más lejana"])
        ),
        .duration: (
            .init(["más corto", "más corta", "más rápido", "más rápida"]),
            .init(["más largo", "más larga", "más lento", "más lenta"])
        ),
        .size: (.init(["más pequeño", "más pequeña"]), .init(["más grande"])),
    ])

    static let dutch = Comparative.words([
        .price: (dutch("goedkoper", "goedkoopst"), dutch("duurder", "duurst")),
        // "Laatste" is the last one as well.
        .time: (dutch("vroeger eerder", "vroegst"), dutch("later", "laatst")),
        .distance: (
            .init(["dichterbij", "nabijer", "nabijere"], ["dichtstbij", "dichtstbijzijnde"]),
            .init(["verdere", "verder weg"], ["verst", "verste"])
        ),
        .duration: (dutch("korter sneller", "kortst snelst"), dutch("langer langzamer", "langst langzaamst")),
        .size: (dutch("kleiner", "kleinst"), dutch("groter", "grootst")),
    ])

    /// The forms of German words: "günstiger", "der günstigere", "die günstigste", "am günstigsten".
    private static func german(_ comparatives: String, _ superlatives: String) -> Comparative.Degrees {
        let endings = ["e", "en", "er", "es"]
        let (comparatives, superlatives) = (spelled(comparatives), spelled(superlatives))
        return .init(
            forms(of: comparatives, with: endings),
            forms(of: superlatives, with: endings) + forms(of: superlatives, with: ["en"]).map { "am \($0)" })
    }

    /// The forms of Dutch words: "goedkoper", "de goedkopere", "het goedkoopst", "de goedkoopste".
    private static func dutch(_ comparatives: String, _ superlatives: String) -> Comparative.Degrees {
        .init(forms(of: comparatives, with: ["", "e"]), forms(of: superlatives, with: ["", "e"]))
    }

    /// German words, and again with umlauts spelled as "ue".
    private static func spelled(_ words: String) -> String {
        let letters: [Character: String] = ["ä": "ae", "ö": "oe", "ü": "ue"]
        return words + " " + words.map { letters[$0] ?? String($0) }.joined()
    }

    private static func forms(of words: String, with endings: [String]) -> [String] {
        words.split(separator: " ").flatMap { word in endings.map { "\(word)\($0)" } }
    }
}
