'use strict';
const $ = id => document.getElementById(id);
const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

// Requests to the service.

let token = sessionStorage.getItem('token') || '';

class Refusal extends Error {
  constructor(problem) { super(problem.detail || problem.title || 'The service refused the request.'); this.problem = problem; }
}

async function ask(path, options = {}) {
  const headers = { ...(options.headers || {}) };
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(path, { ...options, headers });
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => ({ detail: `The service responded with status ${answer.status}.`, code: String(answer.status) }));
  if (answer.status === 401 && !$('token-dialog').open) $('token-dialog').showModal();
  throw new Refusal(problem);
}

const askJSON = async (path, options) => (await ask(path, options)).json();
const postJSON = (path, body, options = {}) =>
  askJSON(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), ...options });

$('token-open').addEventListener('click', () => $('token-dialog').showModal());
$('token-dialog').addEventListener('close', () => {
  if ($('token-dialog').returnValue !== 'ok') return;
  token = $('token').value.trim();
  sessionStorage.setItem('token', token);
  loadTemplates();
  shown();
});

function toast(text) {
  $('toast').textContent = text;
  $('toast').classList.add('shown');
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => $('toast').classList.remove('shown'), 3000);
}

const bytes = count => count < 1000 ? `${count} B` : count < 1e6 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1e6).toFixed(1)} MB`;
const debounced = (milliseconds, body) => { let timer; return () => { clearTimeout(timer); timer = setTimeout(body, milliseconds); }; };

// Tabs: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/

const tabs = [...$('tabs').children];
const loaders = { preview: () => draw(), templates: showTemplates, fonts: showFonts, cache: showCache, backgrounds: showBackground };
let current = 'preview';

function select(name, focus) {
  current = name;
  for (const tab of tabs) {
    const isIt = tab.getAttribute('aria-controls') === name;
    tab.setAttribute('aria-selected', isIt);
    tab.tabIndex = isIt ? 0 : -1;
    $(tab.getAttribute('aria-controls')).hidden = !isIt;
    if (isIt && focus) tab.focus();
  }
  history.replaceState(null, '', `#${name}`);
  shown();
}
const shown = () => loaders[current]();

$('tabs').addEventListener('click', event => { const tab = event.target.closest('[role=tab]'); if (tab) select(tab.getAttribute('aria-controls')); });
$('tabs').addEventListener('keydown', event => {
  const step = { ArrowRight: 1, ArrowLeft: -1, Home: -100, End: 100 }[event.key];
  if (!step) return;
  event.preventDefault();
  const index = tabs.findIndex(tab => tab.getAttribute('aria-selected') === 'true');
  const next = Math.abs(step) > 1 ? (step < 0 ? 0 : tabs.length - 1) : (index + step + tabs.length) % tabs.length;
  select(tabs[next].getAttribute('aria-controls'), true);
});

// The preview.

let templates = [];

async function loadTemplates() {
  try { templates = await askJSON('templates'); } catch (error) { return; }
  const chosen = $('template').value;
  $('template').replaceChildren(element('option', { value: '', textContent: 'none' }), ...templates.map(t => element('option', { value: t.name, textContent: t.name })));
  $('template').value = templates.some(t => t.name === chosen) ? chosen : '';
}

/** Whether the template, if any, has a place for the page. */
const takesBody = () => !template() || !template().attributes.length || template().attributes.some(a => a.name === 'body');
const template = () => templates.find(t => t.name === $('template').value);

function showAttributes(values = {}) {
  const chosen = template();
  $('attributes').hidden = !chosen;
  $('attributes').replaceChildren();
  $('html-label').hidden = !takesBody();
  // A template sets the width of its image.
  $('width').value = chosen ? '' : $('width').value || '600';
  $('width').placeholder = chosen ? 'from the template' : '';
  if (!chosen) return;
  if (chosen.attributes.length) {
    for (const a of chosen.attributes.filter(a => a.name !== 'body')) {
      const example = a.default !== undefined ? a.default : a.example;
      const hint = example === undefined ? '' : typeof example === 'string' ? example : JSON.stringify(example);
      const input = a.type === 'choice' || a.type === 'boolean'
        ? element('select', { name: a.name }, ...['', ...(a.choices || ['true', 'false'])].map(c => element('option', { textContent: c })))
        : element('input', { name: a.name, value: values[a.name] || '', placeholder: hint });
      const hasLongText = input.tagName === 'INPUT' && (values[a.name] || '').length > 24;
      input.title = a.description || '';
      if (input.tagName === 'SELECT' && values[a.name] !== undefined) input.value = values[a.name];
      $('attributes').append(element('label', { textContent: a.name + (a.required ? ' (required)' : ''), className: hasLongText ? 'wide' : '' }, input));
    }
  } else {
    const input = element('textarea', { name: '', rows: 4, value: '', placeholder: 'title=Hello', spellcheck: false });
    const label = element('label', { textContent: 'Attributes, one name=value per line' }, input);
    label.style.gridColumn = '1 / -1';
    $('attributes').append(label);
  }
}

function attributes() {
  const set = {};
  for (const input of $('attributes').querySelectorAll('input, select')) if (input.value) set[input.name] = input.value;
  const lines = $('attributes').querySelector('textarea');
  for (const line of (lines ? lines.value : '').split('\n')) {
    const at = line.indexOf('=');
    if (at > 0) set[line.slice(0, at).trim()] = line.slice(at + 1);
  }
  return set;
}

function job() {
  const made = {};
  const length = text => /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if ($('template').value) Object.assign(made, { template: $('template').value, set: attributes() });
  if (!$('template').value || takesBody() && $('html').value) made.html = $('html').value;
  if ($('width').value && !(template() && template().attributes.some(a => a.name === 'width'))) made.width = length($('width').value.trim());
  if ($('height').value && $('height').value !== 'auto') made.height = length($('height').value.trim());
  if ($('scale').value && $('scale').value !== '1') made.scale = Number($('scale').value);
  if ($('background').value && $('background').value !== 'white') made.background = $('background').value.trim();
  if ($('color-scheme').value !== 'light') made['color-scheme'] = $('color-scheme').value;
  if ($('format').value !== 'png') made.format = $('format').value;
  for (const name of ['quality', 'viewport-height']) if ($(name).value) made[name] = Number($(name).value);
  for (const name of ['at', 'selector', 'css']) if ($(name).value.trim()) made[name] = $(name).value.trim();
  // Browsers play an animated PNG.
  if ($('animate').value) made.animate = true;
  return made;
}

let under;
async function draw() {
  if (under) under.abort();
  const mine = under = new AbortController();
  const start = performance.now();
  try {
    const report = await postJSON('render?report=json&image=base64', job(), { signal: mine.signal });
    if (mine === under) showReport(report, performance.now() - start);
  } catch (error) {
    if (error.name === 'AbortError' || mine !== under) return;
    $('problem').hidden = false;
    $('problem').textContent = `${error.message} (${error.problem ? error.problem.code : 'network'})`;
    $('status').textContent = 'Not rendered.';
    // The previous image is still shown. Remove its details, which would be mistaken for those of the new one.
    $('stage').classList.add('stale');
    $('stage').classList.remove('degraded');
    for (const id of ['facts', 'diagnostics', 'faces', 'stages']) $(id).replaceChildren();
    for (const id of ['diagnostics-count', 'faces-count']) $(id).textContent = 0;
    $('download').hidden = true;
    $('degraded').hidden = true;
  }
}

function showReport(report, milliseconds) {
  $('problem').hidden = true;
  const format = $('format').value;
  const source = `data:${types[format]};base64,${report.image}`;
  $('stage').classList.remove('stale');
  $('stage').classList.toggle('degraded', report.isDegraded);
  $('degraded').hidden = !report.isDegraded;
  // Browsers show PDF in their own viewer, which this page does not embed.
  shownSize = { width: report.width / (Number($('scale').value) || 1), height: report.height / (Number($('scale').value) || 1) };
  if (format === 'pdf') $('picture').removeAttribute('src');
  else Object.assign($('picture'), { src: source, alt: `The image, ${report.width} by ${report.height} pixels${report.isDegraded ? ', incomplete' : ''}` });
  $('picture').hidden = format === 'pdf';
  $('download').href = source;
  $('download').download = `offprint.${format}`;
  $('download').hidden = false;
  applyZoom();
  compare();
  $('status').textContent = `${report.status === 'cached' ? 'From the cache' : 'Rendered'}, response in ${milliseconds.toFixed(0)} ms · ${report.width} × ${report.height} · ${bytes(report.bytes)}${report.isDegraded ? ' · degraded: see the diagnostics' : ''}${format === 'pdf' ? ' · download the PDF to see it' : ''}`;
  const facts = [
    ['Size', `${report.width} × ${report.height} px`], ['File', bytes(report.bytes)], ['Cache', report.status === 'cached' ? 'hit' : 'miss'],
    ...(report.status === 'cached' ? [] : [['Rendered in', `${report.milliseconds.toFixed(1)} ms`]]), ['Key', report.key],
  ];
  $('facts').replaceChildren(...facts.flatMap(([name, value]) => [element('dt', { textContent: name }), element('dd', { textContent: value })]));
  $('diagnostics-count').textContent = report.diagnostics.length;
  $('diagnostics').replaceChildren(...report.diagnostics.map(d =>
    element('li', { className: d.severity, textContent: `${d.line ? `${d.line}:${d.column} ` : ''}${d.message} (${d.code})` })));
  $('faces-count').textContent = report.faces.length;
  $('faces').replaceChildren(...report.faces.map(f => element('li', { textContent: `${f.family} — ${f.postScriptName}` })));
  const most = Math.max(...report.timings.map(t => t.milliseconds), 0.001);
  $('stages').replaceChildren(...report.timings.map(t => element('tr', {},
    element('th', { scope: 'row', textContent: t.stage }), element('td', { className: 'number', textContent: t.milliseconds.toFixed(2) }),
    element('td', {}, element('meter', { value: t.milliseconds, max: most, ariaLabel: t.stage })))));
}

// The view of the image: fitted to the window, or zoomed.

const types = { png: 'image/png', webp: 'image/webp', jpeg: 'image/jpeg', avif: 'image/avif', gif: 'image/gif', svg: 'image/svg+xml', pdf: 'application/pdf' };
let shownSize = { width: 0, height: 0 }, zoom = 'fit';

/** The factor by which the image is shown; in the fitted view it is never enlarged. */
function zoomFactor() {
  if (zoom !== 'fit') return zoom;
  const room = $('stage').clientWidth - 26, height = Math.max(200, innerHeight * 0.7 - 26);
  return shownSize.width ? Math.min(1, room / shownSize.width, height / shownSize.height) : 1;
}

function applyZoom() {
  const factor = zoomFactor();
  for (const id of ['picture', 'reference', 'difference']) $(id).style.width = `${Math.max(1, Math.round(shownSize.width * factor))}px`;
  $('zoom-level').textContent = `${Math.round(factor * 100)}%`;
  $('zoom-fit').setAttribute('aria-pressed', zoom === 'fit');
  $('zoom-actual').setAttribute('aria-pressed', zoom === 1);
  $('stage').classList.toggle('pixelated', factor >= 2);
}

function setZoom(value) { zoom = value === 'fit' ? value : Math.min(8, Math.max(0.1, value)); applyZoom(); }
$('zoom-fit').addEventListener('click', () => setZoom('fit'));
$('zoom-actual').addEventListener('click', () => setZoom(1));
$('zoom-in').addEventListener('click', () => setZoom(zoomFactor() * 1.25));
$('zoom-out').addEventListener('click', () => setZoom(zoomFactor() / 1.25));
$('stage').addEventListener('keydown', event => {
  const action = { '+': () => setZoom(zoomFactor() * 1.25), '=': () => setZoom(zoomFactor() * 1.25), '-': () => setZoom(zoomFactor() / 1.25), 0: () => setZoom('fit'), 1: () => setZoom(1) }[event.key];
  if (action && !event.ctrlKey && !event.metaKey) { event.preventDefault(); action(); }
});
addEventListener('resize', debounced(100, applyZoom));

// The comparison with a dropped image.

let reference, view = 'image';

function showView(name) {
  view = name;
  for (const [id, kind] of [['picture', 'image'], ['reference', 'reference'], ['difference', 'difference']]) {
    $(id).hidden = kind !== view || id === 'picture' && !$('picture').getAttribute('src');
    $(`view-${kind}`).setAttribute('aria-pressed', kind === view);
  }
}
for (const name of ['image', 'reference', 'difference']) $(`view-${name}`).addEventListener('click', () => showView(name));

async function setReference(file) {
  if (!file || !file.type.startsWith('image/')) return toast('Only images can be compared.');
  try { reference = await createImageBitmap(file); } catch (error) { return toast('The image cannot be read.'); }
  if ($('reference').src) URL.revokeObjectURL($('reference').src);
  $('reference').src = URL.createObjectURL(file);
  $('compare-views').hidden = false;
  await compare();
  showView('difference');
}

const pixels = (image, width, height) => {
  const canvas = Object.assign(document.createElement('canvas'), { width, height }), context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, width, height);
};

async function compare() {
  if (!reference || !$('picture').getAttribute('src')) return;
  try { await $('picture').decode(); } catch (error) { return; }
  const [width, height] = [Math.max($('picture').naturalWidth, reference.width), Math.max($('picture').naturalHeight, reference.height)];
  const [mine, other] = [pixels($('picture'), width, height), pixels(reference, width, height)];
  const result = new ImageData(width, height);
  let count = 0, most = 0;
  for (let at = 0; at < mine.data.length; at += 4) {
    const difference = Math.max(...[0, 1, 2, 3].map(part => Math.abs(mine.data[at + part] - other.data[at + part])));
    most = Math.max(most, difference);
    if (difference) { count += 1; result.data.set([220, 0, 90, Math.max(90, difference)], at); } else result.data.set([128, 128, 128, 24], at);
  }
  Object.assign($('difference'), { width, height }).getContext('2d').putImageData(result, 0, 0);
  const sizes = $('picture').naturalWidth === reference.width && $('picture').naturalHeight === reference.height ? '' : ` The sizes differ: the reference has ${reference.width} × ${reference.height} px.`;
  $('compare-result').hidden = false;
  $('compare-result').textContent = count
    ? `${count.toLocaleString('en')} pixels (${(100 * count / (width * height)).toFixed(2)}%) differ from the reference, by ${most} of 255 at most.${sizes}` : `The image is equal to the reference.${sizes}`;
}

$('compare').addEventListener('change', event => setReference(event.target.files[0]));
for (const kind of ['dragenter', 'dragover']) $('stage').addEventListener(kind, event => { event.preventDefault(); $('stage').classList.add('drop'); });
for (const kind of ['dragleave', 'drop']) $('stage').addEventListener(kind, () => $('stage').classList.remove('drop'));
$('stage').addEventListener('drop', event => { event.preventDefault(); setReference(event.dataTransfer.files[0]); });

/** Fills in the example of the chosen template. */
function fillExample() {
  const chosen = template();
  const body = chosen && chosen.attributes.find(a => a.name === 'body');
  if (chosen && takesBody()) $('html').value = body && body.example ? body.example : $('html').value;
  showAttributes(chosen ? texts(specimen(chosen)) : {});
}

const drawSoon = debounced(150, draw);
$('job').addEventListener('input', event => { if (event.target.id === 'template') fillExample(); drawSoon(); });
$('job').addEventListener('submit', event => { event.preventDefault(); draw(); });
$('html').addEventListener('keydown', event => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) draw(); });

async function copy(text, what) {
  try { await navigator.clipboard.writeText(text); toast(`${what} copied.`); } catch (error) { window.prompt(what, text); }
}

$('copy-curl').addEventListener('click', () => {
  const quoted = text => `'${text.replaceAll("'", "'\\''")}'`;
  const authorization = token ? ' -H "Authorization: Bearer $TOKEN"' : '';
  const made = job();
  copy(`curl ${quoted(new URL('render', location.href).href)} -H 'Content-Type: application/json'${authorization} --data ${quoted(JSON.stringify(made))} -o image.${made.format || 'png'}`, 'Command');
});

/** The URL of an image without a template: it is stored, and has its key in place of its attributes. */
async function copyImageURL(made) {
  try { copy(new URL((await postJSON('render?return=url', made)).url, location.href).href, 'URL'); } catch (error) { toast(error.message); }
}

$('copy-url').addEventListener('click', async () => {
  const made = job();
  if (!made.template) return copyImageURL(made);
  const address = new URL(`render/${encodeURIComponent(made.template)}.png`, location.href);
  address.hash = '';
  for (const [name, value] of Object.entries(made.set)) address.searchParams.append(`set.${name}`, value);
  if (made.html) address.searchParams.append('html', made.html);
  if (made.format) address.pathname = address.pathname.replace(/png$/, made.format);
  for (const name of ['width', 'height', 'scale', 'background', 'color-scheme', 'quality', 'viewport-height', 'at', 'selector', 'css', 'animate']) if (made[name] !== undefined) address.searchParams.append(name, made[name]);
  let url = address.href;
  try { url = (await postJSON('sign', { url })).url; } catch (error) { toast('Not signed: the service has no key.'); }
  copy(url, 'URL');
});

// Templates.

async function imageURL(request) {
  const answer = await ask('render', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(request) });
  return URL.createObjectURL(await answer.blob());
}

/** The data that a template is previewed with. */
const specimen = t => Object.fromEntries(t.attributes.filter(a => a.example !== undefined && a.name !== 'body').map(a => [a.name, a.example]));
const texts = values => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]));

async function showTemplates() {
  await loadTemplates();
  $('template-list').replaceChildren(...templates.map(t => {
    const image = element('img', { alt: `Specimen of ${t.name}`, hidden: true });
    const body = t.attributes.find(a => a.name === 'body');
    imageURL({ template: t.name, data: body && body.example ? { ...specimen(t), body: body.example } : specimen(t) })
      .then(url => Object.assign(image, { src: url, hidden: false }), () => image.replaceWith(element('p', { className: 'hint', textContent: 'Requires attributes.' })));
    const use = element('button', { type: 'button', textContent: `Use ${t.name}` });
    use.addEventListener('click', () => {
      $('template').value = t.name;
      fillExample();
      select('preview', true); });
    return element('li', {}, element('h3', { textContent: t.name }), element('p', { textContent: t.description }),
      element('p', { className: 'hint', textContent: t.attributes.length ? t.attributes.map(a => a.name).join(', ') : 'any attributes' }), image, use);
  }));
}

// Fonts.

let faces = [];
const seen = new IntersectionObserver(entries => {
  for (const entry of entries.filter(e => e.isIntersecting)) {
    seen.unobserve(entry.target);
    const face = entry.target.dataset.face;
    const text = element('span', { textContent: $('font-text').value }).innerHTML;
    imageURL({ html: `<body style="margin:0"><p style="margin:0;white-space:nowrap;font:28px/40px '${face}'">${text}</p>`, width: 'auto', 'max-width': 2000, height: 40, 'no-cache': true })
      .then(url => entry.target.append(element('img', { src: url, alt: $('font-text').value })), () => {});
  }
});

async function showFonts() {
  try { if (!faces.length) faces = await askJSON('fonts'); } catch (error) { return toast(error.message); }
  const wanted = $('font-search').value.toLowerCase();
  const found = faces.filter(f => [f.family, f.fullName, f.postScriptName].some(name => name.toLowerCase().includes(wanted)));
  $('font-count').textContent = `${found.length} of ${faces.length} faces`;
  seen.disconnect();
  $('font-list').replaceChildren(...found.map(f => {
    const row = element('li', {}, element('div', { className: 'name', textContent: `${f.family} · ${f.style} · ${f.weight} · ${f.postScriptName}` }));
    row.dataset.face = f.postScriptName;
    seen.observe(row);
    return row;
  }));
}
$('font-search').addEventListener('input', debounced(150, showFonts));
$('font-text').addEventListener('input', debounced(300, showFonts));

// The cache.

const cacheQuery = () => new URLSearchParams(Object.entries({
  search: $('cache-search').value, where: $('cache-where').value, sort: $('cache-sort').value, group: $('cache-group').value,
}).filter(([, value]) => value));

let cacheShows = 0;
async function showCache() {
  // If two requests are in progress, the response to the later one is used, whichever arrives first.
  const number = ++cacheShows, query = cacheQuery(), isGrouped = query.has('group');
  try {
    const [stats, rows] = await Promise.all([askJSON('cache/stats'), askJSON(`cache/list?${query}`)]);
    if (number !== cacheShows) return;
    $('cache-stats').textContent = `${stats.entries} images, ${bytes(stats.bytes)}; ${stats.hits} hits saved ${(stats.savedMilliseconds / 1000).toFixed(1)} s.`;
    const columns = isGrouped ? ['Group', 'Images', 'Bytes', 'Hits'] : ['Image', 'Name', 'Size', 'Bytes', 'Hits', 'Last used', 'Action'];
    const [head, body] = $('cache-table').children;
    head.replaceChildren(element('tr', {}, ...columns.map(c => element('th', { scope: 'col', textContent: c }))));
    body.replaceChildren(...rows.map(isGrouped ? groupRow : entryRow));
  } catch (error) { if (number === cacheShows) $('cache-stats').textContent = error.message; }
}

const groupRow = group => element('tr', {}, ...[group.value || 'none', group.entries, bytes(group.bytes), group.hits].map(text => element('td', { textContent: text })));

function entryRow(entry) {
  const name = entry.identifiers[0] || entry.source || entry.key.slice(0, 12);
  const image = element('img', { alt: name, loading: 'lazy' });
  ask(`i/${entry.key}`).then(answer => answer.blob()).then(blob => { image.src = URL.createObjectURL(blob); }, () => {});
  const forget = element('button', { type: 'button', className: 'danger', textContent: 'Remove', ariaLabel: `Remove ${name}` });
  forget.addEventListener('click', async () => {
    try { await ask(`i/${entry.key}`, { method: 'DELETE' }); toast('Removed.'); showCache(); } catch (error) { toast(error.message); }
  });
  const text = value => element('td', { className: 'nowrap', textContent: value });
  return element('tr', {}, element('td', {}, image), element('td', {}, name, element('br'), element('code', { textContent: entry.key.slice(0, 12) })),
    text(`${entry.width} × ${entry.height}`), text(bytes(entry.bytes)), text(entry.hits), text(entry.lastUsed.replace('T', ' ').replace('Z', '')), element('td', {}, forget));
}

$('cache-form').addEventListener('submit', event => { event.preventDefault(); showCache(); });
$('cache-form').addEventListener('change', showCache);
$('cache-search').addEventListener('input', debounced(200, showCache));
$('cache-purge').addEventListener('click', () => {
  const where = $('cache-where').value.trim();
  $('purge-text').textContent = where ? `All images that match “${where}” will be removed.` : 'There is no filter: all images will be removed.';
  $('purge-dialog').showModal();
});
$('purge-dialog').addEventListener('close', async () => {
  if ($('purge-dialog').returnValue !== 'purge') return;
  try {
    const removal = await askJSON(`cache?where=${encodeURIComponent($('cache-where').value.trim() || 'all')}`, { method: 'DELETE' });
    toast(`${removal.entries} images removed, ${bytes(removal.bytes)}.`);
    showCache();
  } catch (error) { toast(error.message); }
});

// Backgrounds.

async function showBackground() {
  const query = new URLSearchParams({ alpha: $('background-alpha').value, pixel: $('background-pixel').value });
  const path = `background/${encodeURIComponent($('background-color').value)}.png?${query}`;
  try {
    const url = URL.createObjectURL(await (await ask(path)).blob());
    $('stretch').style.borderImage = `url(${url}) 2 fill`;
    $('background-link').href = path;
  } catch (error) { toast(error.message); }
  stretch();
}

function stretch() {
  $('stretch').style.width = `${$('stretch-width').value}px`;
  $('stretch').style.height = `${$('stretch-height').value}px`;
  $('stretch-size').textContent = `${$('stretch-width').value} × ${$('stretch-height').value}`;
}

$('background-form').addEventListener('input', event => event.target.type === 'range' ? stretch() : showBackground());
$('stretch-handle').addEventListener('pointerdown', event => {
  $('stretch-handle').setPointerCapture(event.pointerId);
  event.preventDefault();
});
$('stretch-handle').addEventListener('pointermove', event => {
  if (!$('stretch-handle').hasPointerCapture(event.pointerId)) return;
  const box = $('stretch').getBoundingClientRect();
  $('stretch-width').value = Math.round(event.clientX - box.left);
  $('stretch-height').value = Math.round(event.clientY - box.top);
  stretch();
});

// Startup.

$('html').value = `<style>
  .card {
    font: 18px/1.4 'Liberation Sans';
    padding: 32px;
    color: #16324f;
    border-radius: 16px;
    background:
      linear-gradient(135deg, #e8f1fb, #fdf3e4);
  }
  h1 { margin: 0 0 8px; font-size: 34px; }
</style>
<div class="card">
  <h1>Hello from Offprint</h1>
  Edit the page: the image is updated.
</div>`;
loadTemplates().then(() => select(loaders[location.hash.slice(1)] ? location.hash.slice(1) : 'preview'));
