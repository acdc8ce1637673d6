extension BuiltInTemplates {
  static let receipt = #"""
    ---
    description: A till receipt, as long as its lines. Amounts are strings and are shown as given.
    page: {width: $width, background: transparent}
    attributes:
      store: {type: string, required: true, example: Corner Café}
      address: {type: list, items: string, description: Lines below the name., example: [12 Harbour Street, Bristol BS1 4RN, +44 117 496 0000]}
      number: {type: string, example: "2026-00417"}
      date: {type: string, example: 21 Nov 2026 09:41}
      cashier: {type: string, example: Ada}
      items:
        type: list
        required: true
        range: 1..1000
        items:
          fields:
            name: {type: string, required: true}
            quantity: {type: string, description: "Shown before the name, as 2 ×."}
            price: {type: string, description: The price of one item.}
            amount: {type: string, required: true}
            note: {type: string, description: Below the name.}
        example:
          - {name: Flat white, quantity: 2, price: "3.40", amount: "6.80"}
          - {name: Almond croissant, amount: "3.20", note: warmed}
          - {name: "Orange juice, fresh", quantity: 1, amount: "4.10"}
      subtotal: {type: string, example: "14.10"}
      taxes:
        type: list
        items: {fields: {name: {type: string, required: true}, amount: {type: string, required: true}}}
        example: [{name: VAT 20 % included, amount: "2.35"}]
      currency: {type: string, default: "", description: Shown before the total., example: £}
      total: {type: string, required: true, example: "14.10"}
      total-label: {type: string, default: Total}
      subtotal-label: {type: string, default: Subtotal}
      payment: {type: string, description: How it was paid., example: Visa •••• 4242}
      barcode: {type: string, description: "The text of a bar code (Code 128).", example: "2026-00417"}
      qr: {type: string, description: The text of a QR code.}
      code: {type: url, description: "An image of a bar code or QR code of another kind."}
      footer: {type: string, default: Thank you, example: Thank you. See you soon.}
      width: {type: length, default: 380px, range: 160..2000}
      font-family: {type: font, default: '"Liberation Mono", monospace'}
      text-color: {type: color, default: "#1b1b1b"}
      paper-color: {type: color, default: "#fffefa"}
    ---
    <!DOCTYPE html><html><head><meta charset="utf-8"><style>
    html, body { margin: 0; }
    .receipt {
      box-sizing: border-box; width: {{width}}; padding: 34px 26px 38px; color: {{text-color}};
      font: 14px/1.45 {{font-family}}; overflow-wrap: anywhere;
      background:
        linear-gradient({{paper-color}}, {{paper-color}}) 0 8px / 100% calc(100% - 16px) no-repeat,
        conic-gradient(from 135deg at 50% 0, {{paper-color}} 90deg, transparent 0) 0 0 / 16px 8px repeat-x,
        conic-gradient(from -45deg at 50% 100%, {{paper-color}} 90deg, transparent 0) 0 100% / 16px 8px repeat-x;
    }
    header, footer { text-align: center; }
    h1 { margin: 0 0 4px; font-size: 23px; line-height: 1.2; text-wrap: balance; }
    address { font-style: normal; font-size: 13px; }
    .meta { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; margin-top: 14px; font-size: 13px; }
    hr { border: 0; border-top: 1px dashed; margin: 12px 0; opacity: .6; }
    .row { display: flex; gap: 14px; padding: 3px 0; text-align: left; }
    .row > :first-child { flex: 1; min-width: 0; }
    .amount { flex: none; max-width: 55%; text-align: right; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
    .note { font-size: 12px; opacity: .72; }
    .total .amount { max-width: 80%; overflow-wrap: anywhere; white-space: normal; }
    .total { font-size: 21px; font-weight: bold; padding-top: 6px; }
    footer { margin-top: 16px; white-space: pre-line; }
    footer img { display: block; max-width: 100%; margin: 0 auto 12px; image-rendering: pixelated; }
    </style></head><body><div class="receipt">
    <header><h1 dir="auto">{{store}}</h1><address>{{#address}}<div dir="auto">{{.}}</div>{{/address}}</address></header>
    <div class="meta">{{#number}}<span>№ {{.}}</span>{{/number}}{{#date}}<span>{{.}}</span>{{/date}}{{#cashier}}<bdi>{{.}}</bdi>{{/cashier}}</div>
    <hr>
    {{#items}}
    <div class="row"><div dir="auto">{{#quantity}}{{.}} × {{/quantity}}{{name}}{{#price}} <span class="note">@ {{.}}</span>{{/price}}{{#note}}<div class="note">{{.}}</div>{{/note}}</div><div class="amount">{{amount}}</div></div>
    {{/items}}
    <hr>
    {{#subtotal}}<div class="row"><div>{{subtotal-label}}</div><div class="amount">{{.}}</div></div>{{/subtotal}}
    {{#taxes}}<div class="row"><div dir="auto">{{name}}</div><div class="amount">{{amount}}</div></div>{{/taxes}}
    <div class="row total"><div>{{total-label}}</div><div class="amount">{{currency}}{{total}}</div></div>
    {{#payment}}<div class="row"><div dir="auto">{{.}}</div></div>{{/payment}}
    <footer>{{#barcode}}<img src="{{code128(.)}}" alt="">{{/barcode}}{{#qr}}<img src="{{qr(.)}}" alt="">{{/qr}}{{#code}}<img src="{{.}}" alt="">{{/code}}{{footer}}</footer>
    </div></body></html>

    """#
}
