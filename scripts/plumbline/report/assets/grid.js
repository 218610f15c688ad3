// A table that can be sorted, filtered and paged with the keyboard; only one page of it is in the document.
"use strict";
const PAGE = 25;

// columns: [{title, text(row), sort?(row), numeric?}]; open(row) is called for the row that is chosen.
function grid({ columns, rows, caption, open, filters = [], href }) {
  const state = { text: "", column: null, down: false, page: 0, chosen: filters.map(() => "") };
  const status = el("p", { role: "status", class: "soft" });
  const body = el("tbody");
  const heads = columns.map((column, number) => el("th", { scope: "col", "aria-sort": "none", class: column.numeric ? "numeric" : "" },
    el("button", { type: "button", onclick: () => { state.down = state.column === number && !state.down; state.column = number; state.page = 0; draw(); } }, column.title)));
  const search = el("input", { type: "search", placeholder: "filter by text", "aria-label": "Filter by text",
    oninput: (event) => { state.text = event.target.value.toLowerCase(); state.page = 0; draw(); } });
  const selects = filters.map((filter, number) => el("select", { "aria-label": filter.title,
    onchange: (event) => { state.chosen[number] = event.target.value; state.page = 0; draw(); } },
    el("option", { value: "" }, filter.title), filter.options.map((option) => el("option", { value: option }, option))));
  const turn = (by) => el("button", { type: "button", onclick: () => { state.page += by; draw(); } }, by < 0 ? "← Previous" : "Next →");
  const [previous, next] = [turn(-1), turn(1)];

  function kept() {
    const matching = rows.filter((row) => (!state.text || columns.some((column) => column.text(row).toLowerCase().includes(state.text)))
      && filters.every((filter, number) => !state.chosen[number] || filter.of(row) === state.chosen[number]));
    if (state.column !== null) {
      const column = columns[state.column];
      const value = column.sort ?? column.text;
      const order = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en"));
      matching.sort((a, b) => order(value(a), value(b)) * (state.down ? -1 : 1));
    }
    return matching;
  }

  function draw() {
    const matching = kept();
    const last = Math.max(0, Math.ceil(matching.length / PAGE) - 1);
    state.page = Math.min(Math.max(state.page, 0), last);
    const start = state.page * PAGE;
    body.replaceChildren(...matching.slice(start, start + PAGE).map((row) => el("tr", {},
      columns.map((column, number) => {
        const text = column.text(row);
        return number === 0
          ? el("th", { scope: "row" }, el("a", { href: href(row), onclick: (event) => { event.preventDefault(); open(row); } }, text))
          : el("td", { class: column.numeric ? "numeric" : column.long ? "long" : "", dir: "auto" }, text);
      }))));
    heads.forEach((head, number) => head.setAttribute("aria-sort", number !== state.column ? "none" : state.down ? "descending" : "ascending"));
    status.textContent = matching.length ? `${start + 1} to ${Math.min(start + PAGE, matching.length)} of ${many(matching.length, "row")}` : "no rows";
    previous.disabled = state.page === 0;
    next.disabled = state.page === last;
  }

  draw();
  return el("div", { class: "grid" },
    el("div", { class: "line" }, search, selects, status, previous, next),
    el("div", { class: "wide" }, el("table", {}, el("caption", {}, caption), el("thead", {}, el("tr", {}, heads)), body)));
}
