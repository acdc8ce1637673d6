import OffprintCoreTypes
import OffprintDOM
import Testing

@testable import OffprintCSS

@Suite("Constraint validation of form controls")
struct ConstraintValidationTests {
  private func ids(_ selector: String, _ html: String) throws -> [String]? {
    var diagnostics = DiagnosticLog()
    let document = try HTMLParser.parse(Array(("<!doctype html>" + html).utf8), options: HTMLParserOptions(), diagnostics: &diagnostics)
    return try StyleEngine.querySelector(selector, in: document).map { nodes in
      nodes.map { document.attribute(.id, of: $0).map { String(decoding: $0, as: UTF8.self) } ?? "-" }
    }
  }

  @Test(
    "These are invalid",
    arguments: [
      "type=email value=x", "type=email value='a@b..c'", "type=email multiple value='a@b.c, d'", "type=email value='@b'",
      "type=url value=foo",
      "type=url value='http://'", "type=url value='http://a b/'", "type=number min=3 value=1", "type=number max=3 value=4", "required",
      "type=number required value=abc", "type=date required value=2023-02-29", "type=date min=2024-01-01 value=2023-12-31",
      "type=month max=2024-01 value=2024-02", "type=week min=2024-W10 value=2024-W09", "type=time min=10:00 value=09:59",
      "type=time min=22:00 max=06:00 value=12:00", "type=datetime-local max=2024-01-01T10:00 value=2024-01-01T10:01",
      "type=number min=0 value=1.5", "type=number min=1 step=2 value=4", "type=date min=2024-01-01 step=7 value=2024-01-09",
      "pattern='[a-z]+' value=12", "pattern='a|b' value=ab", "type=tel pattern='[0-9]{3}' value=1234", "type=checkbox required",
      "type=radio required", "type=file required",
    ])
  func invalid(_ attributes: String) throws {
    let html = "<input id=a \(attributes)>"
    #expect(try ids("input:invalid", html) == ["a"])
    #expect(try ids("input:valid", html) == [])
  }

  @Test(
    "These are valid",
    arguments: [
      "", "value=x", "type=email", "type=email value=' a@b.c '", "type=email value=a@b", "type=email multiple value='a@b.c, d@e'",
      "type=url value='https://example.com/x y'", "type=url value='mailto:x'", "type=number value=abc", "type=number min=3 value=3",
      "type=number min=0 step=any value=1.5", "type=number min=.1 step=.1 value=.3", "type=number value=1.5", "type=number step=2 value=3",
      "type=range min=5 value=1 required", "type=date value=2024-02-29 required", "type=week required value=2020-W53",
      "type=time min=22:00 max=06:00 value=23:00", "type=date min=2024-01-01 step=7 value=2024-01-08", "type=color required",
      "pattern='[a-z]+' value=ab", "pattern='[a-z]+'", "pattern='(' value=x", "type=number pattern='x' value=12", "type=submit required",
      "type=checkbox required checked", "pattern='(a+)+b' value=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab!",
    ])
  func valid(_ attributes: String) throws {
    let html = "<input id=a \(attributes)>"
    #expect(try ids("input:valid", html) == ["a"])
    #expect(try ids("input:invalid", html) == [])
  }

  @Test("Disabled, read-only and hidden controls and plain buttons are barred from validation")
  func barred() throws {
    let html = """
      <input disabled required><input readonly required><input type=hidden required><input type=reset><button type=button></button>
      <datalist><input required></datalist><fieldset disabled><legend></legend><input required></fieldset>
      """
    #expect(try ids("input:valid, input:invalid, button:valid, button:invalid", html) == [])
  }

  @Test("A required drop-down box is invalid while its placeholder option is selected")
  func selections() throws {
    let html = """
      <select id=a required><option value="">choose<option>b</select><select id=b required><option>a<option>b</select>
      <select id=c required multiple><option>a</select><select id=d required><option value="">x<option selected>b</select>
      <select id=e><option value=""></select><select id=f required></select>
      """
    #expect(try ids("select:invalid", html) == ["a", "c", "f"])
    #expect(try ids("select:valid", html) == ["b", "d", "e"])
  }

  @Test("Forms and fieldsets are valid if all their controls are")
  func groups() throws {
    let html = """
      <form id=a><fieldset id=b><input></fieldset><fieldset id=c><div><input required></div></fieldset></form><form id=d><button id=e></button></form>
      """
    #expect(try ids("form:invalid, fieldset:invalid", html) == ["a", "c"])
    #expect(try ids("form:valid, fieldset:valid, button:valid", html) == ["b", "d", "e"])
  }

  @Test("The first submit button of a form is its default, and buttons outside of forms are not")
  func defaultButton() throws {
    let html = "<button id=a></button><form><button type=button id=b></button><input type=image id=c><button id=d></button></form>"
    #expect(try ids(":default", html) == ["c"])
  }

  @Test(":in-range applies to numbers and dates with limits; Chromium treats empty values as in range")
  func ranges() throws {
    let html = """
      <input id=a type=number min=1 value=2><input id=b type=number value=2><input id=c type=number><input id=d type=date max=2020-01-01 value=2021-01-01>
      <input id=e type=range><input id=f min=3 value=1><input id=g type=number min=1 value=0 disabled>
      """
    #expect(try ids(":in-range", html) == ["a", "c", "e"])
    #expect(try ids(":out-of-range", html) == ["d"])
  }
}
