// Builds elements without markup, so nothing in a message can add HTML to the page.

/**
 * Makes an element. `properties` with a dash, `role` and `for` become attributes,
 * `on…` functions listeners, the rest properties. Skips `undefined` ones and empty children
 * (elements or text).
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'data') Object.assign(element.dataset, value);
    else if (name.includes('-') || name === 'role' || name === 'for')
      element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.flat(2).filter((child) => child !== undefined && child !== ''));
  return element;
}

/** A line drawing of 24 by 24 units; decoration, so hidden from assistive technology. */
export function lineArt(path, className = 'icon') {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', className);
  const drawn = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  drawn.setAttribute('d', path);
  svg.append(drawn);
  return svg;
}

/** `undefined` for all but web addresses. */
export function safeLink(url) {
  return /^https?:\/\//i.test(url ?? '') ? url : undefined;
}
