extension BuiltInTemplates {
  static let card = #"""
    ---
    description: A social card of 1200×630 px for links to a page.
    page: {width: 1200, height: 630, background: $background-color}
    attributes:
      title: {type: string, required: true, description: "Four lines at most, three above a description.", example: Pictures from HTML without a browser}
      description: {type: string, description: "Three lines at most.", example: "Social cards, badges, receipts and tickets, drawn in milliseconds and never drawn twice."}
      site: {type: string, description: The name above the title., example: Offprint}
      author: {type: string, example: Ada Lovelace}
      date: {type: string, example: 21 November 2026}
      logo: {type: url, description: A square image before the name of the site.}
      image: {type: url, description: An image that fills the right third.}
      accent-color: {type: color, default: "#3b82f6"}
      text-color: {type: color, default: "#f8fafc"}
      background-color: {type: color, default: "#0f172a"}
      font-family: {type: font, default: sans-serif}
      title-size: {type: length, default: 68px, range: 8..300}
    ---
    <!DOCTYPE html><html><head><meta charset="utf-8"><style>
    html, body { margin: 0; }
    .card {
      position: relative; box-sizing: border-box; width: 1200px; height: 630px; overflow: hidden; display: flex;
      font-family: {{font-family}}; color: {{text-color}}; background: {{background-color}};
    }
    .glow { position: absolute; inset: 0; background: radial-gradient(900px 620px at 100% 0, {{accent-color}}, transparent 72%); opacity: .38; }
    .bar { position: absolute; left: 0; top: 0; bottom: 0; width: 14px; background: {{accent-color}}; }
    .text { position: relative; flex: 1; min-width: 0; display: flex; flex-direction: column; padding: 64px 72px 60px 86px; }
    .site { display: flex; align-items: center; gap: 18px; font-size: 30px; font-weight: bold; line-height: 44px; }
    .site span:last-child { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; text-fit: shrink 60%; }
    .site img { width: 44px; height: 44px; border-radius: 10px; object-fit: cover; }
    .mark { width: 28px; height: 28px; border-radius: 8px; background: {{accent-color}}; flex: none; }
    .main { flex: 1; min-height: 0; overflow: hidden; margin: 18px 0; display: flex; flex-direction: column; justify-content: center; }
    h1 { margin: 0; font-size: {{title-size}}; line-height: 1.12; letter-spacing: -.018em; text-wrap: balance; }
    .main p { margin: 26px 0 0; font-size: 31px; line-height: 1.36; opacity: .78; }
    h1, .main p { overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow-wrap: anywhere; flex: none; }
    .main p { -webkit-line-clamp: 3; }
    .with-description h1 { -webkit-line-clamp: 3; }
    .foot { display: flex; gap: 16px; font-size: 26px; line-height: 34px; opacity: .72; white-space: nowrap; }
    .foot bdi { overflow: hidden; text-overflow: ellipsis; min-width: 0; text-fit: shrink 60%; }
    .foot bdi + bdi { flex: none; }
    .foot bdi + bdi::before { content: "·"; margin-inline-end: 16px; }
    .image { position: relative; flex: none; width: 400px; height: 630px; object-fit: cover; }
    </style></head><body><div class="card"><div class="glow"></div><div class="bar"></div>
    <div class="text">
    {{#site}}<div class="site" dir="auto">{{#logo}}<img src="{{.}}" alt="">{{/logo}}{{^logo}}<span class="mark"></span>{{/logo}}<span>{{.}}</span></div>{{/site}}
    <div class="main{{#description}} with-description{{/description}}"><h1 dir="auto">{{title}}</h1>{{#description}}<p dir="auto">{{.}}</p>{{/description}}</div>
    <div class="foot" dir="auto">{{#author}}<bdi>{{.}}</bdi>{{/author}}{{#date}}<bdi>{{.}}</bdi>{{/date}}</div>
    </div>
    {{#image}}<img class="image" src="{{.}}" alt="">{{/image}}
    </div></body></html>

    """#
}
