// Whatever comes from data reaches the page as text or as a field's value, never as markup.

export const at = (id) => document.getElementById(id);

// An element with this text, and what else it has.
export function made(kind, text, attributes = {}) {
  const element = document.createElement(kind);
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// Letters that would move, hide or turn what stands around them are shown by their numbers.
const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function visible(text) {
  return text.replace(/\r\n/g, "\n").replace(UNSEEN, (letter) => {
    const code = letter.charCodeAt(0);
    return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

export function show(element, shown) {
  element.hidden = !shown;
}
