extension BuiltInTemplates {
  static let countdown = #"""
    ---
    description: A countdown to a date; as an animation, it counts down each second.
    page: {width: auto, background: transparent}
    attributes:
      until: {type: date, required: true, description: "A date and time with a time zone; an interval counts from its start instead of now.", example: 2026-12-01T09:30Z/2026-12-24T18:00Z}
      title: {type: string, example: The sale ends in}
      length: {type: integer, default: 30, range: 1..3600, description: How many seconds the animation lasts.}
      days-label: {type: string, default: Days}
      hours-label: {type: string, default: Hours}
      minutes-label: {type: string, default: Minutes}
      seconds-label: {type: string, default: Seconds}
      text-color: {type: color, default: "#ffffff"}
      label-color: {type: color, default: "#5b6472"}
      box-color: {type: color, default: "#1d2733"}
      background-color: {type: color, default: transparent}
      font-family: {type: font, default: "Inter, sans-serif"}
      font-size: {type: length, default: 32px, range: 8..400}
    ---
    <!DOCTYPE html><html><head><meta charset="utf-8"><style>
    @property --left { syntax: "<integer>"; inherits: true; initial-value: 0; }
    /* The seconds of the first day, and one day more, so that it can pass midnight. */
    @keyframes count { from { --left: calc({{secondsOfDayLeft(until)}} + 86400); } to { --left: calc({{secondsOfDayLeft(until)}} + 86400 - {{length}}); } }
    @counter-style two-digits { system: extends decimal; pad: 2 "0"; }
    html, body { margin: 0; }
    .countdown {
      --least: max(0, 86400 - {{daysLeft(until)}} * 86400); --now: max(var(--least), var(--left));
      display: inline-block; box-sizing: border-box; max-width: 1200px; padding: .5em; vertical-align: top; text-align: center;
      font: bold {{font-size}}/1.2 {{font-family}}; color: {{text-color}}; background: {{background-color}};
      /* Earlier by 1 ms, so that no step at exactly a second is lost to rounding. */
      animation: count {{length}}s steps({{length}}) -1ms both;
    }
    .title { margin-bottom: .5em; font-size: .6em; font-weight: 600; color: {{label-color}}; overflow-wrap: anywhere; }
    .parts { display: flex; justify-content: center; gap: .35em; }
    .part { min-width: 2.2em; max-width: 8em; }
    .part b { display: block; padding: .25em .3em; border-radius: .2em; background: {{box-color}}; font-variant-numeric: tabular-nums; }
    .part b::before { content: counter(part, two-digits); }
    .part span { display: block; margin-top: .5em; font-size: .4em; font-weight: 500; color: {{label-color}}; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .days b { counter-reset: part calc({{daysLeft(until)}} - 1 + round(down, var(--now) / 86400)); }
    .days b::before { content: counter(part); }
    .hours b { counter-reset: part mod(round(down, var(--now) / 3600), 24); }
    .minutes b { counter-reset: part mod(round(down, var(--now) / 60), 60); }
    .seconds b { counter-reset: part mod(var(--now), 60); }
    </style></head><body><div class="countdown">{{#title}}<div class="title" dir="auto">{{.}}</div>{{/title}}<div class="parts"
    ><div class="part days"><b></b><span dir="auto">{{days-label}}</span></div
    ><div class="part hours"><b></b><span dir="auto">{{hours-label}}</span></div
    ><div class="part minutes"><b></b><span dir="auto">{{minutes-label}}</span></div
    ><div class="part seconds"><b></b><span dir="auto">{{seconds-label}}</span></div></div></div></body></html>

    """#
}
