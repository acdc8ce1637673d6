/// A date of the proleptic Gregorian calendar.
package struct CivilDate {
  package let year: Int, month: Int, day: Int

  /// - Parameters:
  ///   - year: From -999 999 to 999 999.
  ///   - month: From 1 to 12.
  ///   - day: From 1; days past the end of the month continue into the next month.
  package init(year: Int, month: Int, day: Int) { self.year = year; self.month = month; self.day = day }

  /// https://howardhinnant.github.io/date_algorithms.html#days_from_civil
  package var daysSince1970: Int {
    let shifted = month <= 2 ? year - 1 : year, era = (shifted >= 0 ? shifted : shifted - 399) / 400, yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
