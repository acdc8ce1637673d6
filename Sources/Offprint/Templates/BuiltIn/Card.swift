extension BuiltInTemplates {
  static let card = #"""
    ---
    description: A social card of 1200×630 px for links to a page, in four layouts.
    page: {width: 1200, height: 630, background: $background-color}
    attributes:
      title: {type: string, required: true, description: "Four lines at most, three above a description.", example: Images from HTML without a browser}
      layout:
        type: choice
        choices: [split, cover, centered, plain]
        default: split
        description: "split: the image fills the right third; cover: it fills the card, with the text at the bottom; centered: it is a circle above the title; plain: text only."
      description: {type: string, description: "Three lines at most, two in the layouts cover and centered.", example: "Social cards, badges, receipts and tickets, rendered in milliseconds and never rendered twice."}
      site: {type: string, description: The name above the title., example: Offprint}
      author: {type: string, example: Ada Lovelace}
      date: {type: string, example: 21 November 2026}
      logo: {type: url, description: A square image before the name of the site. Shown only with site.}
      image: {type: url, description: An image. In a URL of the service it is set.image.}
      accent-color: {type: color, default: "#3b82f6"}
      text-color: {type: color, default: "#f8fafc"}
      background-color: {type: color, default: "#0f172a"}
      font-family: {type: font, default: "Inter, sans-serif"}
      title-size: {type: length, default: 68px, range: 8..300}
    ---
    <!DOCTYPE html><html><head><meta charset="utf-8"><style>
    html, body { margin: 0; }
    .card {
      position: relative; box-sizing: border-box; width: 1200px; height: 630px; overflow: hidden; --title-size: {{title-size}};
      font-family: {{font-family}}; color: {{text-color}}; background: {{background-color}};
    }
    .glow { position: absolute; inset: 0; background: radial-gradient(900px 620px at 100% 0, {{accent-color}}, transparent 72%); opacity: .38; }
    .bar { position: absolute; inset-inline-start: 0; top: 0; bottom: 0; width: 14px; background: {{accent-color}}; }
    .image { position: absolute; inset-inline-end: 0; top: 0; width: 470px; height: 630px; object-fit: cover; mask: linear-gradient(to right, transparent, rgb(0 0 0 / .5) 80px, black 160px); }
    .text { position: absolute; inset: 0; display: flex; flex-direction: column; padding-block: 64px 60px; padding-inline: 86px 72px; isolation: isolate; }
    .site { order: -1; display: flex; align-items: center; gap: 18px; font-size: 28px; font-weight: 600; line-height: 44px; letter-spacing: -.005em; }
    .site bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; text-fit: shrink 60%; }
    .site img { width: 44px; height: 44px; border-radius: 10px; object-fit: cover; }
    .mark { width: 28px; height: 28px; border-radius: 8px; background: {{accent-color}}; flex: none; }
    .body { position: relative; flex: 1; min-height: 0; margin: 18px 0; display: flex; flex-direction: column; justify-content: center; }
    .main { min-height: 0; overflow: hidden; display: flex; flex-direction: column; }
    h1 { margin: 0; padding-bottom: .05em; font-size: var(--title-size); font-weight: 700; line-height: 1.13; letter-spacing: -.024em; text-wrap: balance; }
    p { margin: 24px 0 0; font-size: 30px; line-height: 1.4; letter-spacing: -.008em; opacity: .78; text-wrap: pretty; }
    h1, p { overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow-wrap: anywhere; flex: none; }
    p { -webkit-line-clamp: 3; }
    h1:has(+ p) { -webkit-line-clamp: 3; }
    .foot { display: flex; gap: 16px; font-size: 25px; font-weight: 500; line-height: 34px; opacity: .72; white-space: nowrap; }
    .foot bdi { overflow: hidden; text-overflow: ellipsis; min-width: 0; text-fit: shrink 60%; }
    .foot bdi + i, .foot i + bdi { flex: none; font-style: normal; }
    .portrait { display: none; flex: none; width: 132px; height: 132px; margin: 0 auto 28px; border-radius: 50%; object-fit: cover; }

    .split:dir(rtl) .image { mask-image: linear-gradient(to left, transparent, rgb(0 0 0 / .5) 80px, black 160px); }
    .split.with-image .text { inset-inline-end: 400px; padding-inline-end: 28px; }
    .split.with-image { --title-size: calc({{title-size}} * .88); }

    .cover .bar, .cover.with-image .glow, .centered .bar, .centered .image, .plain .bar, .plain .glow, .plain .image { display: none; }
    .cover .image { width: 1200px; mask: none; }
    .cover .text { padding: 52px 72px 54px; }
    .cover.with-image .text { background: linear-gradient(to bottom, color-mix(in srgb, {{background-color}} 62%, transparent), color-mix(in srgb, {{background-color}} 30%, transparent) 16%, transparent 36%); }
    .cover.with-image .site { text-shadow: 0 0 12px {{background-color}}; }
    .cover .body { flex: 0 1 auto; margin: auto 0 26px; }
    .cover.with-image .body::before {
      content: ""; position: absolute; z-index: -1; inset: -170px -72px -140px;
      background: linear-gradient(to bottom, transparent, color-mix(in srgb, {{background-color}} 34%, transparent) 90px, color-mix(in srgb, {{background-color}} 74%, transparent) 190px, color-mix(in srgb, {{background-color}} 94%, transparent));
    }
    .cover h1, .centered h1 { -webkit-line-clamp: 3; }
    .cover p, .centered p { -webkit-line-clamp: 2; }
    .cover p { max-width: 960px; margin-top: 18px; opacity: .88; }
    .cover .foot { opacity: .82; }

    .centered .text { align-items: center; text-align: center; padding: 56px 110px 52px; }
    .centered .text > * { max-width: 100%; }
    .centered .glow { background: radial-gradient(820px 560px at 50% 0, {{accent-color}}, transparent 74%); }
    .centered .portrait { display: block; }
    .centered.with-image { --title-size: calc({{title-size}} * .85); }
    .centered.with-image h1:has(+ p) { -webkit-line-clamp: 2; }
    .centered.with-image p { margin-top: 16px; font-size: 28px; }

    .plain .text { padding: 72px 96px 68px; }
    .plain .site { color: {{accent-color}}; }
    .plain .mark { display: none; }
    .plain .main::before { content: ""; flex: none; width: 96px; height: 9px; margin-bottom: 36px; border-radius: 5px; background: {{accent-color}}; }
    </style></head><body><div class="card {{layout}}{{#image}} with-image{{/image}}" dir="auto"><div class="glow"></div><div class="bar"></div>
    {{#image}}<img class="image" src="{{.}}" alt="">{{/image}}
    <div class="text">
    <div class="body"><div class="main">{{#image}}<img class="portrait" src="{{.}}" alt="">{{/image}}<h1>{{title}}</h1>{{#description}}<p>{{.}}</p>{{/description}}</div></div>
    {{#site}}<div class="site">{{#logo}}<img src="{{.}}" alt="">{{/logo}}{{^logo}}<span class="mark"></span>{{/logo}}<bdi>{{.}}</bdi></div>{{/site}}
    <div class="foot">{{#author}}<bdi>{{.}}</bdi>{{#date}}<i>·</i>{{/date}}{{/author}}{{#date}}<bdi>{{.}}</bdi>{{/date}}</div>
    </div></div></body></html>

    """#
}
