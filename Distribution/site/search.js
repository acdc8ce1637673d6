// Search over the sections of all pages. The index is a script (search-index.js), so that it also works from file: URLs.
(function () {
  "use strict";
  var form = document.querySelector("form.search");
  if (!form || typeof searchIndex === "undefined") return;
  var input = form.querySelector("input"), list = form.querySelector("ol");
  var root = form.getAttribute("action").replace(/docs\/index\.html$/, "");
  // Punctuation separates words; a space before each word lets it be found at its start.
  function normal(text) { return " " + text.toLowerCase().replace(/[^a-z0-9\u00c0-\uffff]+/g, " ").trim(); }
  var entries = searchIndex.map(function (row) {
    return { page: row[0], heading: row[1], url: row[2], text: row[3], keys: [normal(row[1]), normal(row[0]), normal(row[3])] };
  });

  // All words have to occur. Words in a heading weigh more than in the page's title, and those more than in the text.
  function score(entry, words) {
    var sum = 0;
    for (var i = 0; i < words.length; i++) {
      var word = words[i], best = 0;
      if (entry.keys[0] === word) best = 100;
      else if (entry.keys[0].indexOf(word) === 0) best = 40;
      else if (entry.keys[0].indexOf(word) >= 0) best = 25;
      else if (word.length > 4 && entry.keys[0].indexOf(word.slice(1)) >= 0) best = 12;
      else if (entry.keys[1].indexOf(word) >= 0) best = 6;
      else if (entry.keys[2].indexOf(word) >= 0) best = 3;
      if (!best) return 0;
      sum += best;
    }
    return sum + (entry.url.indexOf("#") < 0 ? 5 : 0);
  }

  function excerpt(text, words) {
    var lower = text.toLowerCase(), at = -1;
    words.forEach(function (word) { if (at < 0) at = lower.indexOf(word.trim()); });
    var start = Math.max(0, at - 40);
    return (start > 0 ? "…" : "") + text.slice(start, start + 110);
  }

  function item(entry, words) {
    var link = document.createElement("a"), title = document.createElement("b"), note = document.createElement("small");
    link.href = root + entry.url;
    title.textContent = entry.heading;
    note.textContent = (entry.page === entry.heading ? "" : entry.page + " · ") + excerpt(entry.text, words);
    link.append(title, note);
    var row = document.createElement("li");
    row.append(link);
    return row;
  }

  function show() {
    var words = input.value.split(/\s+/).map(normal).filter(function (word) { return word.length > 1; });
    list.textContent = "";
    list.hidden = !words.length;
    if (!words.length) return;
    var found = entries.map(function (entry) { return { entry: entry, score: score(entry, words) }; })
      .filter(function (hit) { return hit.score > 0; })
      .sort(function (a, b) { return b.score - a.score; }).slice(0, 12);
    found.forEach(function (hit) { list.append(item(hit.entry, words)); });
    if (!found.length) {
      var none = document.createElement("li");
      none.className = "none";
      none.textContent = "No results for “" + input.value + "”";
      list.append(none);
    }
  }

  function move(step) {
    var links = Array.prototype.slice.call(list.querySelectorAll("a"));
    if (!links.length) return;
    var at = links.indexOf(document.activeElement) + step;
    if (at < 0) input.focus(); else links[Math.min(at, links.length - 1)].focus();
  }

  input.addEventListener("input", show);
  input.addEventListener("focus", show);
  form.addEventListener("submit", function (event) {
    var first = list.querySelector("a");
    event.preventDefault();
    if (first) location.href = first.href;
  });
  form.addEventListener("keydown", function (event) {
    if (event.key === "ArrowDown") { move(1); event.preventDefault(); }
    if (event.key === "ArrowUp") { move(-1); event.preventDefault(); }
    if (event.key === "Escape") { list.hidden = true; input.blur(); }
  });
  document.addEventListener("click", function (event) { if (!form.contains(event.target)) list.hidden = true; });
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && !/input|textarea/i.test(document.activeElement.tagName)) { input.focus(); event.preventDefault(); }
  });
  var query = new URLSearchParams(location.search).get("q");
  if (query) { input.value = query; input.focus(); }
})();
