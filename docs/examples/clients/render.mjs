// Renders a page with Node 18 or later: node render.mjs http://127.0.0.1:8080 out.png   (set OFFPRINT_TOKEN if the service requires a token)
// Signs a URL: OFFPRINT_KEY='name secret' node render.mjs sign /render/card.png title=Hello
import { createHmac } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** An error of the service: https://www.rfc-editor.org/rfc/rfc9457 */
export class Problem extends Error {
  constructor(status, { code = "unknown", detail = "" }) {
    super(`${code}: ${detail}`);
    Object.assign(this, { status, code, detail });
  }
}

/** The PNG of a job. If the service is overloaded, waits as long as Retry-After specifies. */
export async function render(address, job, token, tries = 4) {
  const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${address}/render`, { method: "POST", headers, body: JSON.stringify(job), signal: AbortSignal.timeout(60_000) });
    if (answer.ok) return Buffer.from(await answer.arrayBuffer());
    const problem = new Problem(answer.status, await answer.json().catch(() => ({})));
    if (![429, 503].includes(answer.status) || attempt === tries) throw problem;
    await sleep(1000 * Number(answer.headers.get("Retry-After") ?? attempt));
  }
}

/** The path with its parameters, a list of pairs, and a signature. */
export function sign(path, parameters, name, secret) {
  const quote = text => encodeURIComponent(text).replace(/[!'()*]/g, c => "%" + c.charCodeAt(0).toString(16).toUpperCase());
  const pairs = [...parameters, ["key", name]].map(([left, right]) => [quote(left) + "=", quote(right)]);
  // The sort is stable: parameters with the same name keep their order.
  const query = pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(pair => pair.join("")).join("&");
  const code = createHmac("sha256", secret).update(`offprint-address-1\n${path}\n${query}`).digest("base64url");
  return `${path}?${query}&signature=${code}`;
}

const [first, second, ...rest] = process.argv.slice(2);
if (first === "sign") {
  console.log(sign(second, rest.map(text => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)]), ...process.env.OFFPRINT_KEY.split(" ")));
} else {
  try {
    await writeFile(second, await render(first, { html: "<h1>Hello</h1>", width: 400, scale: 2 }, process.env.OFFPRINT_TOKEN));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
