import Glibc
import OffprintCoreTypes
import Testing

@Test("Days since 1970 equal those of the C library, also in leap years and before 1970")
func civilDates() {
  for year in [1, 4, 100, 400, 1600, 1900, 1969, 1970, 1972, 2000, 2026, 2100, 9999, 275_760] {
    for month in 1...12 {
      for day in [1, 28, 29, 31] {
        var parts = tm()
        parts.tm_year = Int32(year - 1900)
        parts.tm_mon = Int32(month - 1)
        parts.tm_mday = Int32(day)
        #expect(CivilDate(year: year, month: month, day: day).daysSince1970 == timegm(&parts) / 86_400, "\(year)-\(month)-\(day)")
      }
    }
  }
  #expect(CivilDate(year: -4, month: 3, day: 1).daysSince1970 == -720_929)
}
