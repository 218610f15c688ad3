// How long verdicts took, out of files beside the logs of ask jobs: measured once, in no number and no digest.
"use strict";
const THOUSAND = 1000;
const took = (seconds) => (seconds < 100 ? `${seconds.toPrecision(2)} s` : seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`);

async function timed(place) {
  const files = await Promise.all(place.dataset.times.split(" ").filter(Boolean).map((name) => plumbline.get(name).catch(() => null)));
  const known = files.filter(Boolean);
  const sum = (of) => known.reduce((total, file) => total + of(file), 0);
  const [answers, seconds] = [sum((file) => file.answers), sum((file) => file.seconds)];
  const each = Number(place.dataset.answers);
  if (!answers || !each) return;
  const needed = (THOUSAND * each * seconds) / answers;
  place.textContent = "short" in place.dataset ? needed.toFixed(needed < 10 ? 1 : 0)
    : `${took(needed)} for 1,000 verdicts, at the mean of this model's ${many(answers, "answer")} in ${took(seconds)} (all protocols in one session, loading included), as measured on the machine that asked`;
}

for (const place of document.querySelectorAll("[data-times]")) timed(place);
