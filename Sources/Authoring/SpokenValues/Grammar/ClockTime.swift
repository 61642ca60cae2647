/// A spoken time, whose half of the day may be open.
struct ClockTime: Equatable {
    var hour: Int
    var minute: Int
    var second = 0
    /// `true` if the time is in one half of the day only: "18:30", "06:30", noon.
    var isDefinite: Bool

    init(hour: Int, minute: Int, second: Int = 0, isDefinite: Bool = false) {
        self.hour = hour
        self.minute = minute
        self.second = second
        self.isDefinite = isDefinite || hour == 0 || hour > 12
    }

    /// The time this many minutes after or before the full hour: "ten to seven".
    init(hour: ClockTime, minutes: Int) {
        let isEarlier = minutes < 0 && hour.minute + minutes < 0
        let minute = (hour.minute + minutes + 60) % 60
        var earlier = hour.hour - (isEarlier ? 1 : 0)
        if earlier < 0 { earlier = 23 }
        // "Ten to one" may be ten to one or ten to thirteen.
        if isEarlier, !hour.isDefinite, hour.hour == 1 { earlier = 12 }
        self.init(hour: earlier, minute: minute, isDefinite: hour.isDefinite)
    }

    /// A time of one day: the seconds since midnight, `true` if the time is on the following day, and the likelihood.
    typealias Reading = (seconds: Int, isNextDay: Bool, confidence: Double)

    /// The times that may be meant, the likeliest first.
    func readings(isMorning: Bool?, part: DayPart?) -> [Reading] {
        func reading(_ hour: Int, _ isNextDay: Bool = false, _ confidence: Double = 0.95) -> Reading {
            ((hour % 24) * 3_600 + minute * 60 + second, isNextDay || hour == 24, confidence)
        }
        if isDefinite { return [reading(hour)] }
        if let isMorning { return [reading(hour % 12 + (isMorning ? 0 : 12))] }
        if let part {
            let (hour, isNextDay) = part.hour(hour)
            return [reading(hour, isNextDay)]
        }
        if hour == 12 { return [reading(12, false, 0.75), reading(0, false, 0.25)] }
        let (early, late) = (reading(hour), reading(hour + 12))
        return (hour >= 7 ? [early, late] : [late, early]).enumerated().map {
            ($1.seconds, false, $0 == 0 ? 0.5 : 0.45)
        }
    }
}
