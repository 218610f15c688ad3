"""How a page looks: on which screen, in which theme, and whether it can be read."""

from __future__ import annotations

from browser.label_page import LabelPage

ENOUGH = 4.5
"""Of contrast, for text (WCAG 2.2, 1.4.3)."""
CONTRAST = """
const channel = (value) => { const c = value / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
const parse = (text) => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const ratio = (one, other) => {
  const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
};
const ground = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const colour = parse(getComputedStyle(at).backgroundColor);
    if (colour.length === 3 || colour[3] === 1) return colour;
  }
  return [255, 255, 255];
};
const written = [...document.querySelectorAll('body *')].filter((element) => element.checkVisibility()
  && (element.matches('textarea, input') || [...element.childNodes].some((node) => node.data?.trim())));
const colour = (element) => parse(getComputedStyle(element).color);
const found = written.map((element) => [ratio(colour(element), ground(element)), element.outerHTML.slice(0, 90)]);
const text = document.querySelector('.text');
for (const name of text ? ['shared', 'other', 'picked'] : []) {
  const style = getComputedStyle(text, `::highlight(${name})`);
  found.push([ratio(parse(style.color), parse(style.backgroundColor)), name]);
}
return found;
"""


def contrasts(page: LabelPage) -> list[tuple[float, str]]:
    """Of each text that is seen, and of each kind of highlighted word."""
    return [(ratio, text) for ratio, text in page.run(CONTRAST)]


def unreadable(page: LabelPage) -> list[tuple[float, str]]:
    return [(ratio, text) for ratio, text in contrasts(page) if ratio < ENOUGH]
