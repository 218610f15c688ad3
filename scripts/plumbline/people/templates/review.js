"use strict";
// Whatever comes from a pair reaches the page as text or as a field's value, never as markup.

const FIELDS = ["instruction", "first", "second"];
const REASONS = ["no objective preference", "both outputs are right", "both outputs are wrong", "the instruction is unclear", "harmful or private"];
const PAUSE = 600; // milliseconds without a keystroke after which an edit is saved
const at = (id) => document.getElementById(id);

let overview = null;
let number = 0;
let pair = null;
let gold = "first";
let timer = null;
let saving = Promise.resolve();

async function call(path, body) {
  const options = body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {};
  const response = await fetch(path, options);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

function fail(error) {
  at("error").textContent = error.message === "Failed to fetch" ? "Not saved: plumbline no longer answers. Start it again and reload this page." : error.message;
  at("error").hidden = false;
  at("saved").textContent = "not saved";
}

// Requests go out one after the other, so that the last decision made is the last one written.
function decide(decision, place = number) {
  clearTimeout(timer);
  timer = null;
  at("saved").textContent = "saving…";
  saving = saving.then(async () => {
    try {
      overview = await call(`pair/${place}`, decision);
      at("error").hidden = true;
      at("saved").textContent = "saved";
      drawProgress();
      return true;
    } catch (error) {
      fail(error);
      return false;
    }
  });
  return saving;
}

// A field turns every line break into \n: a text nobody touched goes back as it came.
function fieldNow(name) {
  const untouched = at(name).value === pair.original[name].replace(/\r\n?/g, "\n");
  return untouched ? pair.original[name] : at(name).value;
}

function accepted() {
  return { action: "accept", fields: { ...Object.fromEntries(FIELDS.map((name) => [name, fieldNow(name)])), gold } };
}

async function accept() {
  if (await decide(accepted())) drawState(overview.states[number]);
}

// What was typed but not saved yet is saved before anything else happens to the pair.
async function saveNow() {
  if (timer !== null) return decide(accepted());
  return saving;
}

async function go(place) {
  if (place < 0 || place >= overview.states.length) return;
  if ((await saveNow()) === false) return;
  try {
    pair = await call(`pair/${place}`);
  } catch (error) {
    fail(error);
    return;
  }
  number = place;
  history.replaceState(null, "", `#${number + 1}`);
  draw();
}

function nextOpen(from) {
  const states = overview.states;
  for (let step = 1; step <= states.length; step++) {
    const place = (from + step) % states.length;
    if (states[place] === "unreviewed") return place;
  }
  return -1;
}

async function goOn() {
  const open = nextOpen(number);
  await go(open >= 0 ? open : number);
  if (open < 0) at("saved").textContent = "saved; every pair is decided";
}

function draw() {
  document.activeElement.blur();
  FIELDS.forEach((name) => { at(name).value = pair.fields[name]; at(name).readOnly = overview.blind; });
  gold = pair.fields.gold;
  at("place").textContent = `Pair ${number + 1} of ${overview.states.length}`;
  at("subset").textContent = pair.subset;
  at("reason-shown").textContent = pair.reason || "";
  at("error").hidden = true;
  drawState(pair.state);
  drawFields();
  drawNotes();
  at("main").hidden = false;
  FIELDS.forEach(fit);
  window.scrollTo(0, 0);
}

function drawState(state) {
  at("state").textContent = state;
  at("state").dataset.state = state;
  if (overview.blind) {
    for (const choice of ["first", "second", "tie"]) at(`prefer-${choice}`).classList.toggle("chosen", pair.choice === choice);
  }
}

function drawFields() {
  for (const name of FIELDS) at(name).classList.toggle("changed", !overview.blind && fieldNow(name) !== pair.original[name]);
  for (const side of ["first", "second"]) at(`${side}-side`).classList.toggle("better", !overview.blind && gold === side);
}

function drawNotes() {
  const notes = Object.entries(pair.notes || {});
  at("notes").hidden = notes.length === 0;
  at("notes-list").replaceChildren(...notes.flatMap(([name, text]) => [made("dt", name), made("dd", text)]));
}

function drawProgress() {
  const total = overview.states.length;
  const open = overview.counts.unreviewed || 0;
  at("progress").max = Math.max(total, 1);
  at("progress").value = total - open;
  const counts = Object.entries(overview.counts).sort().map(([state, count]) => `${count} ${state}`);
  at("counts").textContent = `${total - open} of ${total} decided` + (overview.blind ? "" : ` (${counts.join(", ")})`);
}

function made(kind, text) {
  const element = document.createElement(kind);
  element.textContent = text;
  return element;
}

function fit(name) {
  const area = at(name);
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight + 2}px`;
}

function typed(event) {
  fit(event.target.id);
  drawFields();
  at("saved").textContent = "…";
  clearTimeout(timer);
  timer = setTimeout(accept, PAUSE);
}

async function keep() {
  if (await decide(accepted())) await goOn();
}

async function swap() {
  if (gold === "tie") return;
  gold = gold === "first" ? "second" : "first";
  drawFields();
  await accept();
}

async function takeBack() {
  if (await decide({ action: "clear" })) await go(number);
}

async function prefer(choice) {
  if (await decide({ action: "prefer", choice })) await goOn();
}

function askReason() {
  const known = [...new Set([...REASONS, ...overview.reasons])].slice(0, 9);
  at("reasons").replaceChildren(...known.map((text) => {
    const item = document.createElement("li");
    const button = made("button", text);
    button.type = "button";
    button.addEventListener("click", () => discard(text));
    item.append(button);
    return item;
  }));
  at("reason").value = pair.reason || "";
  at("discard-dialog").showModal();
  at("reason").focus();
}

async function discard(reason) {
  at("discard-dialog").close();
  clearTimeout(timer);
  timer = null;
  if (await decide({ action: "discard", reason })) await goOn();
}

function reasonKey(event) {
  if (event.key === "Enter") {
    event.preventDefault();
    if (at("reason").value.trim()) discard(at("reason").value);
  } else if (/^[1-9]$/.test(event.key) && at("reason").value === "") {
    const button = at("reasons").querySelectorAll("button")[Number(event.key) - 1];
    if (button) { event.preventDefault(); discard(button.textContent); }
  }
}

const ALWAYS = {
  ArrowLeft: () => go(number - 1),
  ArrowRight: () => go(number + 1),
  n: goOn,
  u: takeBack,
  "?": () => at("help").showModal(),
};
const REVIEW = { k: keep, e: () => at("instruction").focus(), s: swap, d: askReason };
const BLIND = { 1: () => prefer("first"), 2: () => prefer("second"), 0: () => prefer("tie") };

async function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.matches("textarea") && !overview.blind) {
    if (event.key === "Escape") { event.target.blur(); await saveNow(); }
    return;
  }
  const action = ALWAYS[event.key] || (overview.blind ? BLIND : REVIEW)[event.key];
  if (!action) return;
  event.preventDefault();
  await action();
}

function listen() {
  document.addEventListener("keydown", key);
  FIELDS.forEach((name) => at(name).addEventListener("input", typed));
  at("reason").addEventListener("keydown", reasonKey);
  const clicks = {
    previous: ALWAYS.ArrowLeft, next: ALWAYS.ArrowRight, "help-button": ALWAYS["?"], clear: takeBack, "clear-blind": takeBack,
    keep, swap, edit: REVIEW.e, discard: askReason,
    "prefer-first": BLIND[1], "prefer-second": BLIND[2], "prefer-tie": BLIND[0],
    "discard-cancel": () => at("discard-dialog").close(),
    "discard-confirm": () => at("reason").value.trim() && discard(at("reason").value),
  };
  for (const [id, action] of Object.entries(clicks)) at(id).addEventListener("click", action);
  window.addEventListener("beforeunload", (event) => { if (timer !== null) { accept(); event.preventDefault(); } });
}

async function start() {
  try {
    overview = await call("queue");
  } catch (error) {
    fail(error);
    return;
  }
  at("reviewer").textContent = overview.reviewer + (overview.blind ? ", second pass (blind)" : "");
  at("question").hidden = !overview.blind;
  at("review-actions").hidden = overview.blind;
  at("blind-actions").hidden = !overview.blind;
  document.querySelectorAll(".only-review").forEach((part) => { part.hidden = overview.blind; });
  document.querySelectorAll(".only-blind").forEach((part) => { part.hidden = !overview.blind; });
  drawProgress();
  at("empty").hidden = overview.states.length > 0;
  if (overview.states.length === 0) return;
  listen();
  const asked = Number(location.hash.slice(1)) - 1;
  const open = nextOpen(overview.states.length - 1);
  await go(overview.states[asked] !== undefined ? asked : Math.max(open, 0));
}

start();
