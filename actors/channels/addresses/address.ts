// What all kinds of addresses share. Pure. Anyone with an app id can register a device, so length
// checks come first and no expression backtracks. Problems complete "endpoint: …".

/** An address in its normal form, or what is wrong with it. */
export type Checked = { readonly value: string } | { readonly problem: string };

/** Whether the text contains a control character (C0, DEL, C1) or a line or paragraph separator. */
export function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || (code >= 127 && code < 160) || code === 0x2028 || code === 0x2029) return true;
  }
  return false;
}
