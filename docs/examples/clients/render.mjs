// Renders a page with Node 18 or later: node render.mjs http://127.0.0.1:8080 out.png   (set OFFPRINT_TOKEN if the service requires a token)
import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** The PNG of a job. If the service is overloaded, waits as long as Retry-After specifies. */
export async function render(address, job, token, tries = 4) {
  const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${address}/render`, { method: "POST", headers, body: JSON.stringify(job), signal: AbortSignal.timeout(60_000) });
    if (answer.ok) return Buffer.from(await answer.arrayBuffer());
    const problem = await answer.json();
    if (![429, 503].includes(answer.status) || attempt === tries) throw new Error(`${problem.code}: ${problem.detail}`);
    await sleep(1000 * Number(answer.headers.get("Retry-After") ?? attempt));
  }
}

const [address, output] = process.argv.slice(2);
try {
  await writeFile(output, await render(address, { html: "<h1>Hello</h1>", width: 400, scale: 2 }, process.env.OFFPRINT_TOKEN));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
