// Reads the XML of an aggregate report (RFC 7489, appendix C) piece by piece, within bounds on
// length, depth, records, tags and text. Strangers write it: a document type, and so any entity of
// its own, is refused. Members that are missing have the value that says nothing.

import { isIP } from 'node:net';
import sax from 'sax';
import {
  type AuthResult,
  addSource,
  type DmarcReport,
  type DmarcSource,
  dispositions,
  largestSources,
  reportSourcesMax,
} from '../../actors/tenants/dmarc/aggregate.ts';
import type { Millis } from '../../engine/base/brand.ts';

const depthMax = 16;
const recordsMax = 20_000;
/** Of all records; those of real reports have about 25 each, and attributes at the root alone. */
const tagsMax = 640_000;
const attributesMax = 40_000;
const textCharsMax = 300;
/** Longer text between two tags is no report's. */
const textCharsReadMax = 4_096;
/** Of a whole report, so that sums of all that are kept stay exact. */
const countMax = 1_000_000_000;
/** A report covers a day, or less. */
const spanMsMax = 8 * 86_400_000;
/** Characters until others have their turn, which is three times as long. */
const pieceChars = 64 * 1_024;

let reading: Promise<DmarcReport | undefined> = Promise.resolve(undefined);

/** The report; `undefined` for what is none. One after the other, as strangers send them. */
export function readDmarcXml(xml: string): Promise<DmarcReport | undefined> {
  reading = reading.catch(() => undefined).then(() => read(xml));
  return reading;
}

async function read(xml: string): Promise<DmarcReport | undefined> {
  const reader = new DmarcReader();
  for (let from = 0; from < xml.length && reader.isReadable; from += pieceChars) {
    const startedMs = performance.now();
    reader.write(xml.slice(from, from + pieceChars));
    if (from + pieceChars < xml.length) await rest(3 * (performance.now() - startedMs));
  }
  return reader.end();
}

function rest(ms: Millis): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

class DmarcReader {
  readonly #parser = sax.parser(true, { trim: true });
  readonly #path: string[] = [];
  readonly #head = new Map<string, string>();
  readonly #sources = new Map<string, DmarcSource>();
  #text = '';
  #record = new Map<string, string>();
  #auth = { dkim: [] as string[], spf: [] as string[] };
  #records = 0;
  #tags = 0;
  #attributes = 0;
  #count = 0;
  isReadable = true;

  constructor() {
    const fail = () => {
      this.isReadable = false;
    };
    this.#parser.onerror = fail;
    this.#parser.ondoctype = fail;
    this.#parser.onattribute = () => {
      if (++this.#attributes > attributesMax) fail();
    };
    this.#parser.onopentag = ({ name }) => this.#open(name);
    this.#parser.onclosetag = () => this.#close();
    this.#parser.ontext = (text) => this.#add(text);
    this.#parser.oncdata = (text) => this.#add(text);
  }

  write(piece: string): void {
    try {
      this.#parser.write(piece);
    } catch {
      this.isReadable = false; // an error that was told already
    }
  }

  end(): DmarcReport | undefined {
    this.write('');
    if (!this.isReadable || this.#path.length > 0 || this.#records === 0) return undefined;
    if (this.#count > countMax) return undefined;
    const at = (name: string) => this.#head.get(name) ?? '';
    const fromMs = Number(at('report_metadata/date_range/begin')) * 1_000;
    const toMs = Number(at('report_metadata/date_range/end')) * 1_000;
    const isSpan = fromMs > 0 && toMs >= fromMs && toMs - fromMs <= spanMsMax;
    const org = at('report_metadata/org_name');
    const domain = domainIn(at('policy_published/domain'));
    if (!isSpan || org === '' || domain === '') return undefined;
    return {
      org: org.slice(0, 100),
      reportId: at('report_metadata/report_id'),
      fromMs,
      toMs,
      domain,
      sources: largestSources(this.#sources.values(), reportSourcesMax),
    };
  }

  #open(name: string): void {
    const local = name.slice(name.indexOf(':') + 1).toLowerCase();
    this.#path.push(local);
    this.#text = '';
    if (++this.#tags > tagsMax || this.#path.length > depthMax) this.isReadable = false;
    if (this.#path.length === 1 && local !== 'feedback') this.isReadable = false;
    if (this.#path.length === 2 && local === 'record') {
      this.#record = new Map();
      this.#auth = { dkim: [], spf: [] };
    }
  }

  #add(text: string): void {
    if (text.length > textCharsReadMax) this.isReadable = false;
    if (this.#text.length < textCharsMax) this.#text += text.slice(0, textCharsMax);
  }

  #close(): void {
    const [, section, ...rest] = this.#path;
    const text = this.#text.trim();
    this.#text = '';
    this.#path.pop();
    if (section === undefined) return;
    if (section !== 'record') {
      const name = [section, ...rest].join('/');
      if (rest.length > 0 && text !== '' && this.#head.size < 64 && !this.#head.has(name))
        this.#head.set(name, text);
      return;
    }
    if (rest.length === 0) this.#end();
    else this.#member(rest.join('/'), text.toLowerCase());
  }

  #member(name: string, text: string): void {
    if (name === 'auth_results/dkim/result') this.#auth.dkim.push(text);
    else if (name === 'auth_results/spf/result') this.#auth.spf.push(text);
    else if (this.#record.size < 64) this.#record.set(name, text);
  }

  #end(): void {
    if (++this.#records > recordsMax) {
      this.isReadable = false;
      return;
    }
    const at = (name: string) => this.#record.get(name) ?? '';
    const ip = at('row/source_ip');
    const count = Number(at('row/count'));
    if (!Number.isSafeInteger(count) || count < 1 || count > countMax) return;
    this.#count += count;
    const told = at('row/policy_evaluated/disposition');
    addSource(this.#sources, {
      ip: isIP(ip) !== 0 ? ip : null,
      headerFrom: domainIn(at('identifiers/header_from')) || null,
      dkim: resultOf(this.#auth.dkim),
      spf: resultOf(this.#auth.spf),
      dkimAligned: at('row/policy_evaluated/dkim') === 'pass',
      spfAligned: at('row/policy_evaluated/spf') === 'pass',
      disposition: dispositions.find((one) => one === told) ?? 'none',
      count,
    });
  }
}

/** Of several signatures one that passes is enough. */
function resultOf(results: readonly string[]): AuthResult {
  if (results.includes('pass')) return 'pass';
  return results.some((one) => one !== 'none' && one !== '') ? 'fail' : 'none';
}

/** A domain in lower case, or an empty text. */
function domainIn(text: string): string {
  const name = text.toLowerCase().replace(/\.$/, '');
  return /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){1,20}$/.test(name) ? name : '';
}
