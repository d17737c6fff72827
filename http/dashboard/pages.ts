// The page of an address. A browser that brings a session gets the frame drawn into it, so that it
// shows something before any script is there, and the names of the files that its screen needs. All
// others get a page that only loads the scripts: they see the sign-in.

import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { BuiltFile } from './built-file.ts';

/** What the build drew and found out (`dashboard/build.mjs`). Screens by id. */
export interface FirstPaints {
  /** The script that asks for the session and the first answers. */
  readonly early: string | undefined;
  /** Markup of the frame; `''` is an address without a screen. */
  readonly frames: Readonly<Record<string, string>>;
  /** Markup of what stands above the frame in sandbox mode. */
  readonly band: string;
  /** Scripts by screen, `campaigns`, or by what it opens, `campaigns/*`. */
  readonly files: Readonly<Record<string, readonly string[]>>;
}

export const nothingDrawn: FirstPaints = { early: undefined, frames: {}, band: '', files: {} };

interface Visitor {
  readonly hasSession: boolean;
  readonly isSandbox: boolean;
}

const folder = '/dashboard/a/';
const type = 'text/html; charset=utf-8';
/** A page of 12 kB in a millisecond; each is made once. */
const brotliQuality = 5;

export class Pages {
  readonly #template: string;
  readonly #drawn: FirstPaints;
  /** As many as there are screens, by three. */
  readonly #made = new Map<string, BuiltFile>();

  constructor(template: string, drawn: FirstPaints) {
    this.#template = template;
    this.#drawn = drawn;
  }

  at(path: string, { hasSession, isSandbox }: Visitor): BuiltFile {
    const screen = hasSession ? screenOf(path, this.#drawn) : undefined;
    const key = screen === undefined ? '' : `${screen.id} ${screen.files} ${isSandbox}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = packed(this.#filled(screen, isSandbox));
    this.#made.set(key, made);
    return made;
  }

  #filled(screen: ShownScreen | undefined, isSandbox: boolean): string {
    const { early, frames, band, files } = this.#drawn;
    const names = screen === undefined ? [] : (files[screen.files] ?? []);
    const frame = screen === undefined ? '' : (frames[screen.id] ?? '');
    const texts: Readonly<Record<string, string>> = {
      early:
        early === undefined || screen === undefined
          ? ''
          : `<script async src="${folder}${early}"></script>`,
      preloads: names
        .map((name) => `<link rel="modulepreload" fetchpriority="low" href="${folder}${name}">`)
        .join(''),
      frame: frame.replace('{{band}}', isSandbox ? band : ''),
    };
    return this.#template.replace(/\{\{(early|preloads|frame)\}\}/g, (_all, name: string) => {
      return texts[name] ?? '';
    });
  }
}

interface ShownScreen {
  /** Of a drawn frame; empty for an address without a screen. */
  readonly id: string;
  /** Which files it needs. */
  readonly files: string;
}

/** Of `/dashboard/<app>/<screen>/<what it opens>`; an app alone is its home. */
function screenOf(path: string, { frames, files }: FirstPaints): ShownScreen {
  const [, , , id = '', opened = ''] = path.split('/');
  const screen = id === '' ? 'home' : id;
  if (!Object.hasOwn(frames, screen)) return { id: '', files: '' };
  const part = `${screen}/*`;
  const isPart = opened !== '' && opened !== 'new' && Object.hasOwn(files, part);
  return { id: screen, files: isPart ? part : screen };
}

function packed(page: string): BuiltFile {
  const plain = Buffer.from(page);
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
  return {
    type,
    plain,
    packed: new Map([
      ['br', brotliCompressSync(plain, { params })],
      ['gzip', gzipSync(plain)],
    ]),
  };
}
