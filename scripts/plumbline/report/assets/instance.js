// One instance: its texts with the differences marked, what people said, and all that judges were asked about it.
"use strict";
const PARTS = 8;
const partOf = (id) => Math.floor((parseInt(id[0], 16) * PARTS) / 16);

async function instanceSection(benchmark, id, judges) {
  const [instance, answers] = await Promise.all([
    plumbline.part(`data/instances/${benchmark}`, id),
    Promise.all(judges.map(async ([model, protocol]) => {
      const all = await plumbline.part(`data/calls/${benchmark}/${model}/${partOf(id)}`, id);
      const mine = (list) => (all ? all[list].filter((each) => each.protocol === protocol) : []);
      return { model, protocol, verdicts: mine("verdicts"), calls: mine("calls") };
    })),
  ]);
  return el("article", { class: "instance" },
    el("h3", {}, `Instance ${id}`), el("p", { class: "soft" }, [instance.subset, instance.origin].filter(Boolean).join(" · ")),
    el("h4", {}, "Instruction"), written(instance.instruction),
    Object.entries(instance.context).map(([name, texts]) => el("details", {}, el("summary", {}, name), texts.map(written))),
    outputs(instance), labels(instance.labels), answers.map((each) => judged(benchmark, each)));
}

const written = (text) => el("div", { class: "text", dir: "auto" }, text);

function outputs(instance) {
  const better = instance.labels.filter((label) => label.question === "better").map((label) => label.label);
  const agreed = better.length && better.every((word) => word === better[0]) ? ["first", "second"].indexOf(better[0]) : -1;
  return el("div", { class: "outputs" }, instance.outputs.map((output, number) => el("section", { class: number === agreed ? "better" : "" },
    el("h4", {}, `Output ${number + 1}${output.system ? ` by ${output.system}` : ""}`, number === agreed ? el("span", { class: "badge" }, "✓ labelled better") : null),
    el("div", { class: "text", dir: "auto" }, output.parts.map(([text, same]) => (same ? text : el("mark", {}, text)))))));
}

function labels(labels) {
  if (!labels.length) return el("p", { class: "soft" }, "Nobody labelled it.");
  return el("details", { open: labels.length <= 4 }, el("summary", {}, "What people said"), el("ul", {}, labels.map((label) =>
    el("li", {}, `${label.rater}: ${label.question}${label.about === null ? "" : ` of output ${label.about + 1}`}: ${label.label}`))));
}

function judged(benchmark, { model, protocol, verdicts, calls }) {
  return el("section", { class: "judged" },
    el("h4", {}, `${model} under ${protocol} `, el("a", { href: `${document.body.dataset.root}judges/${benchmark}/${model}.html#${encodeURIComponent(protocol)}` }, "how it judges in general")),
    el("ul", { class: "verdicts" }, verdicts.map((verdict) => el("li", {}, verdictText(verdict)))),
    verdicts.length ? null : el("p", { class: "soft" }, "It gave no verdict on this instance."),
    calls.map((call, number) => callSection(call, number === calls.length - 1)));
}

function verdictText(verdict) {
  const outcome = verdict.strict === verdict.as_published ? verdict.strict
    : `${verdict.as_published} as published, ${verdict.strict} strictly${verdict.why ? ` (${verdict.why})` : ""}`;
  const more = [
    verdict.margin === undefined ? "" : `by ${verdict.margin.toFixed(4)}`,
    ...Object.entries(verdict.flawed ?? {}).map(([name, state]) => `with the ${name} ${state}`),
    verdict.close ? "closer than the arithmetic's noise" : "",
    verdict.derived_from ? `follows from ${verdict.derived_from.join(", ")}` : verdict.step ? `step ${verdict.step}` : "nobody was asked",
  ].filter(Boolean).join("; ");
  return [`${verdict.question}, shown ${verdict.showing}${verdict.sample ? `, sample ${verdict.sample}` : ""}: `, el("b", {}, outcome), el("span", { class: "soft" }, ` (${more})`)];
}

function callSection(call, open) {
  const settings = [`at most ${call.max_tokens} tokens`, `temperature ${call.temperature}`,
    call.prompt_tokens ? `${call.prompt_tokens} + ${call.completion_tokens} tokens` : "", `ended: ${call.finish}`,
    call.bias ? `logit bias ${call.bias.map(([text, added]) => `${JSON.stringify(text)} ${added}`).join(", ")}` : "",
    call.scored !== undefined && call.logprobs ? `log-likelihood ${call.logprobs.map((each) => each.toFixed(3)).join(", ")}` : "",
    call.choices && call.logprobs ? call.choices.map((choice, number) => `${JSON.stringify(choice)} ${call.logprobs[number]?.toFixed(3)}`).join(", ") : ""].filter(Boolean);
  return el("details", { class: "call", open },
    el("summary", {}, `step ${call.step}, shown ${call.showing}${call.sample ? `, sample ${call.sample}` : ""}`),
    el("p", { class: "soft" }, settings.join(" · "), " · request ", el("code", {}, call.key.slice(0, 16))),
    call.messages.map(([role, text]) => [el("h5", {}, role), written(text)]),
    call.scored === undefined ? [el("h5", {}, "answer"), el("div", { class: "text answer", dir: "auto" }, call.text || "(nothing)")]
      : [el("h5", {}, "text whose likelihood was asked"), written(call.scored)]);
}
