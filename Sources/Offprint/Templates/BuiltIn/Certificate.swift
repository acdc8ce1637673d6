extension BuiltInTemplates {
  static let certificate = #"""
    ---
    description: A certificate, A4 landscape (1123×794 px; render it at a scale of 3 for print).
    page: {width: 1123, height: 794, background: $paper-color}
    attributes:
      title: {type: string, default: Certificate of Completion}
      preamble: {type: string, default: This is to certify that}
      name: {type: string, required: true, example: Ada Lovelace}
      text: {type: string, default: "has completed the course with distinction", description: "Three lines at most.", example: "has completed the course “Typesetting for Engines” and passed its examination with distinction"}
      organization: {type: string, example: The Analytical Society}
      date: {type: string, example: 21 November 2026}
      number: {type: string, example: № 2026-0042}
      signers:
        type: list
        range: 0..3
        items: {fields: {name: {type: string, required: true}, role: string, signature: {type: url, description: An image above the line.}}}
        example: [{name: Charles Babbage, role: President}, {name: Mary Somerville, role: Examiner}]
      logo: {type: url, description: Above the title.}
      seal: {type: boolean, default: true}
      accent-color: {type: color, default: "#9a7b2f"}
      text-color: {type: color, default: "#23303d"}
      paper-color: {type: color, default: "#fffdf6"}
      font-family: {type: font, default: serif}
    ---
    <!DOCTYPE html><html><head><meta charset="utf-8"><style>
    html, body { margin: 0; }
    .page { position: relative; box-sizing: border-box; width: 1123px; height: 794px; overflow: hidden; padding: 30px; font-family: {{font-family}}; color: {{text-color}}; background: {{paper-color}}; }
    .frame { position: relative; box-sizing: border-box; height: 100%; border: 3px solid {{accent-color}}; padding: 7px; }
    .inner { position: relative; box-sizing: border-box; height: 100%; border: 1px solid {{accent-color}}; padding: 38px 90px 26px; display: flex; flex-direction: column; align-items: center; text-align: center; }
    .corner { position: absolute; width: 34px; height: 34px; border: 1px solid {{accent-color}}; background: {{paper-color}}; }
    .corner::after { content: ""; position: absolute; inset: 9px; background: {{accent-color}}; transform: rotate(45deg); }
    .tl { left: -14px; top: -14px; } .tr { right: -14px; top: -14px; } .bl { left: -14px; bottom: -14px; } .br { right: -14px; bottom: -14px; }
    .logo { max-width: 300px; max-height: 70px; margin-bottom: 14px; }
    .organization { max-width: 100%; flex: none; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; text-fit: shrink 60%; font-size: 20px; letter-spacing: .22em; text-transform: uppercase; color: {{accent-color}}; }
    h1 { margin: 0; font-size: 54px; line-height: 1.1; font-weight: normal; letter-spacing: .02em; text-wrap: balance; }
    .rule { width: 180px; height: 11px; margin: 16px 0 0; background: linear-gradient({{accent-color}}, {{accent-color}}) 0 50% / 74px 1px no-repeat, linear-gradient({{accent-color}}, {{accent-color}}) 100% 50% / 74px 1px no-repeat; position: relative; flex: none; }
    .rule::after { content: ""; position: absolute; left: 86px; top: 1px; width: 8px; height: 8px; background: {{accent-color}}; transform: rotate(45deg); }
    .preamble { margin: 26px 0 0; font-size: 23px; font-style: italic; }
    .name { margin: 14px 0 0; padding: 0 34px 9px; max-width: 100%; box-sizing: border-box; font-size: 50px; line-height: 1.14; font-weight: bold; border-bottom: 1px solid {{accent-color}};
      flex: none; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; text-fit: shrink 40%; }
    .text { margin: 20px 0 0; max-width: 800px; font-size: 23px; line-height: 1.36; text-wrap: balance; }
    .text, h1 { overflow: hidden; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; flex: none; }
    .text { -webkit-line-clamp: 3; }
    .main { flex: 1; min-height: 0; display: flex; flex-direction: column; align-items: center; justify-content: center; max-width: 100%; padding: 8px 0; }
    .foot { flex: none; width: 100%; display: flex; align-items: flex-end; justify-content: center; gap: 44px; }
    .signer { flex: 1; min-width: 0; max-width: 250px; font-size: 20px; line-height: 1.3; overflow-wrap: anywhere; }
    .signer img { display: block; max-width: 180px; max-height: 60px; margin: 0 auto; }
    .signer bdi { border-top: 1px solid; padding-top: 7px; }
    .signer bdi, .role { display: block; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; text-fit: shrink 60%; }
    .role { font-size: 17px; font-style: italic; opacity: .75; }
    .seal { flex: none; order: 1; width: 104px; height: 104px; border-radius: 50%; background: repeating-conic-gradient({{accent-color}} 0 7.5deg, transparent 0 15deg); display: flex; align-items: center; justify-content: center; }
    .seal i { width: 88px; height: 88px; border-radius: 50%; box-sizing: border-box; border: 4px solid {{paper-color}}; background: {{accent-color}}; box-shadow: inset 0 0 0 3px {{accent-color}}, inset 0 0 0 4px {{paper-color}}; color: {{paper-color}}; font: 40px/80px "DejaVu Sans", sans-serif; text-align: center; }
    .signer { order: 2; } .signer:first-child { order: 0; }
    .end { flex: none; min-height: 20px; margin-top: 16px; width: 100%; display: flex; justify-content: center; gap: 40px; font-size: 17px; opacity: .8; }
    </style></head><body><div class="page"><div class="frame"><div class="inner">
    <i class="corner tl"></i><i class="corner tr"></i><i class="corner bl"></i><i class="corner br"></i>
    {{#logo}}<img class="logo" src="{{.}}" alt="">{{/logo}}
    {{#organization}}<div class="organization" dir="auto">{{.}}</div>{{/organization}}
    <div class="main"><h1 dir="auto">{{title}}</h1><div class="rule"></div>
    {{#preamble}}<p class="preamble" dir="auto">{{.}}</p>{{/preamble}}
    <p class="name" dir="auto">{{name}}</p>
    {{#text}}<p class="text" dir="auto">{{.}}</p>{{/text}}
    </div>
    <div class="foot">{{#signers}}<div class="signer">{{#signature}}<img src="{{.}}" alt="">{{/signature}}<bdi>{{name}}</bdi>{{#role}}<div class="role" dir="auto">{{.}}</div>{{/role}}</div>{{/signers}}{{#seal}}<div class="seal"><i>★</i></div>{{/seal}}</div>
    <div class="end">{{#date}}<span>{{.}}</span>{{/date}}{{#number}}<span>{{.}}</span>{{/number}}</div>
    </div></div></div></body></html>

    """#
}
