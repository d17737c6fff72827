// `<engage-inbox>`: a bell with the number of unread messages, and a panel with the inbox. It finds
// the page's Engage by itself. Attributes: `preferences`, the address of the site's page about
// them; `lang`. A message that is opened is an event `engage-open`, which a site may cancel to go
// there in its own way.

import { webAddress } from '../web-address.ts';
import type { WebEngage } from '../web-engage.ts';
import { bellIcon, button, closeIcon, drawItem, part } from './draw.ts';
import type { InboxItem, InboxView } from './inbox-calls.ts';
import { inboxLook } from './look.ts';
import { type InboxWords, wordsOf } from './words.ts';

type Inbox = WebEngage['inbox'];

const countMax = 99;
const place = Symbol.for('engage');
const page = globalThis as { readonly [place]?: WebEngage };

class EngageInbox extends HTMLElement {
  readonly #root = this.attachShadow({ mode: 'open' });
  readonly #bell = button('bell');
  readonly #count = part('span', 'count');
  /** Tells how many are unread, once that changes. */
  readonly #live = part('span', 'unseen');
  readonly #panel = part('div', 'panel');
  readonly #heading = part('h2', 'heading');
  readonly #allRead = button('quiet');
  readonly #list = part('ul', 'list');
  readonly #note = part('p', 'note');
  readonly #again = button('more');
  readonly #more = button('more');
  readonly #footer = part('footer', 'footer');
  readonly #preferences = part('a', 'preferences');
  #inbox: Inbox | undefined;
  #stop: (() => void)[] = [];
  #view: InboxView | undefined;
  /** Pages that the person asked for beside the first. */
  #pages = 0;
  #drawn = 0;

  connectedCallback(): void {
    this.#build();
    const found = () => {
      const inbox = page[place]?.inbox;
      if (inbox === undefined || this.#inbox !== undefined) return;
      this.#inbox = inbox;
      this.#stop.push(inbox.on('change', (view) => void this.#changed(view)));
      void this.#load();
    };
    const outside = (event: Event) => {
      if (!event.composedPath().includes(this)) this.#close(false);
    };
    addEventListener('engage', found);
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    this.#stop.push(
      () => removeEventListener('engage', found),
      () => document.removeEventListener('pointerdown', outside),
      () => document.removeEventListener('focusin', outside),
    );
    found();
  }

  disconnectedCallback(): void {
    for (const stop of this.#stop.splice(0)) stop();
    this.#inbox = undefined;
    this.#close(false);
  }

  get #language(): string {
    const near = this.closest('[lang]')?.getAttribute('lang');
    return near || navigator.language || 'en';
  }

  get #words(): InboxWords {
    return wordsOf(this.#language);
  }

  #build(): void {
    if (this.#root.firstChild !== null) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(inboxLook);
    this.#root.adoptedStyleSheets = [sheet];
    const words = this.#words;
    this.#bell.append(bellIcon(), this.#count);
    this.#bell.setAttribute('aria-haspopup', 'dialog');
    this.#bell.addEventListener('click', () => (this.#isOpen ? this.#close() : this.#open()));
    this.#count.hidden = this.#panel.hidden = true;
    this.#live.role = 'status';
    this.#panel.role = 'dialog';
    this.#panel.setAttribute('aria-labelledby', 'heading');
    this.#heading.id = 'heading';
    this.#heading.tabIndex = -1;
    this.#heading.textContent = words.title;
    this.#allRead.textContent = words.allRead;
    this.#allRead.addEventListener('click', () => this.#try(this.#inbox?.markAllRead()));
    this.#again.textContent = words.again;
    this.#again.addEventListener('click', () => void this.#load());
    this.#more.textContent = words.more;
    this.#more.addEventListener('click', () => {
      this.#pages++;
      if (this.#view !== undefined) void this.#changed(this.#view);
    });
    const header = part('header', 'header');
    const close = button('close');
    close.append(closeIcon());
    close.ariaLabel = words.close;
    close.addEventListener('click', () => this.#close());
    header.append(this.#heading, this.#allRead, close);
    const scroll = part('div', 'scroll');
    scroll.append(this.#list, this.#note, this.#again, this.#more);
    this.#footer.append(this.#preferences);
    this.#panel.append(header, scroll, this.#footer);
    this.#root.addEventListener('keydown', (event) => this.#pressed(event as KeyboardEvent));
    this.#root.append(this.#bell, this.#live, this.#panel);
    this.#draw([], null);
    this.#note.hidden = true;
  }

  get #isOpen(): boolean {
    return !this.#panel.hidden;
  }

  #open(): void {
    const address = webAddress(this.getAttribute('preferences'));
    this.#footer.hidden = address === undefined;
    if (address !== undefined) this.#preferences.href = address;
    this.#preferences.textContent = this.#words.preferences;
    this.#panel.hidden = false;
    this.#panel.classList.remove('start');
    const { left, right, top } = this.#panel.getBoundingClientRect();
    this.#panel.style.setProperty('--room', `${Math.max(240, innerHeight - top - 12)}px`);
    this.#panel.classList.toggle('start', left < 0 || right > innerWidth);
    this.#bell.ariaExpanded = 'true';
    this.#heading.focus();
    void this.#inbox?.refresh();
  }

  #close(isBack = true): void {
    if (!this.#isOpen) return;
    this.#panel.hidden = true;
    this.#bell.ariaExpanded = 'false';
    if (isBack) this.#bell.focus();
  }

  async #load(): Promise<void> {
    try {
      const view = await this.#inbox?.list();
      if (view !== undefined) await this.#changed(view);
    } catch {
      // The change that comes when the network is back draws it again.
      if (this.#view !== undefined) return;
      this.#again.hidden = false;
    }
  }

  /** The core has reported it, and the view is as the server has it. */
  #try(work: Promise<unknown> | undefined): void {
    work?.catch(() => undefined);
  }

  async #changed(view: InboxView): Promise<void> {
    const before = this.#view?.unread;
    this.#view = view;
    const { unread } = view;
    const words = this.#words;
    const told = `${unread > countMax ? `${countMax}+` : unread}`;
    this.#count.textContent = told;
    this.#count.hidden = unread === 0;
    this.#bell.ariaLabel = unread === 0 ? words.title : `${words.title}, ${told} ${words.unread}`;
    if (before !== undefined && before !== unread)
      this.#live.textContent = `${words.title}: ${unread} ${words.unread}`;
    const drawing = ++this.#drawn;
    const items = [...view.items];
    let cursor = view.nextCursor;
    for (let more = 0; more < this.#pages && cursor !== null; more++) {
      const next = await this.#inbox?.list({ cursor }).catch(() => undefined);
      if (next === undefined) break;
      items.push(...next.items);
      cursor = next.nextCursor;
    }
    if (drawing === this.#drawn) this.#draw(items, cursor);
  }

  #draw(items: readonly InboxItem[], cursor: string | null): void {
    const words = this.#words;
    const focused = this.#root.activeElement;
    const acts = {
      opened: (item: InboxItem, pressed?: string) => this.#opened(item, pressed),
      archived: (item: InboxItem) => this.#archive(item),
    };
    this.#list.replaceChildren(...items.map((item) => drawItem(item, acts, words, this.#language)));
    this.#list.hidden = this.#allRead.hidden = items.length === 0;
    this.#note.textContent = words.empty;
    this.#note.hidden = items.length > 0;
    this.#more.hidden = cursor === null;
    this.#again.hidden = true;
    if (!this.#bell.ariaLabel) this.#bell.ariaLabel = words.title;
    this.#bell.ariaExpanded ??= 'false';
    // What had the focus was drawn anew, or is gone.
    if (focused === null || (focused.isConnected && !(focused as HTMLElement).hidden)) return;
    const { id } = (focused as HTMLElement).dataset;
    const again = [...this.#list.querySelectorAll<HTMLElement>(`.${focused.classList[0]}`)];
    (again.find(({ dataset }) => dataset['id'] === id) ?? this.#heading).focus();
  }

  #opened(item: InboxItem, pressed?: string): boolean {
    if (!item.read) this.#try(this.#inbox?.markRead(item.id));
    const detail = { message: item, ...(pressed === undefined ? {} : { button: pressed }) };
    const named = { detail, bubbles: true, composed: true, cancelable: true };
    return this.dispatchEvent(new CustomEvent('engage-open', named));
  }

  #archive(item: InboxItem): void {
    const rows = this.#opens;
    const at = rows.findIndex(({ dataset }) => dataset['id'] === item.id);
    (rows[at + 1] ?? rows[at - 1] ?? this.#heading).focus();
    this.#try(this.#inbox?.archive(item.id));
  }

  get #opens(): readonly HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>('.open')];
  }

  #pressed(event: KeyboardEvent): void {
    if (!this.#isOpen) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      this.#close();
      return;
    }
    const rows = this.#opens;
    const at = rows.findIndex((row) => row.parentElement?.parentElement?.contains(this.#focused));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to === undefined || rows.length === 0) return;
    event.preventDefault();
    (rows[Math.min(Math.max(to, 0), rows.length - 1)] as HTMLElement).focus();
  }

  get #focused(): Element | null {
    return this.#root.activeElement;
  }
}

if (customElements.get('engage-inbox') === undefined)
  customElements.define('engage-inbox', EngageInbox);
