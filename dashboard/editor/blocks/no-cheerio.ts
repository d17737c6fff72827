// In the place of `cheerio`, which MJML takes for two of its elements that our mails never have:
// `mj-html-attributes`, and styles to be written into elements.

export function load(): never {
  throw new Error('this element of MJML is not supported');
}
