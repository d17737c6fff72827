// Draws one in-app message: in a shadow root, so that the site's styles and ours do not meet, as
// text nodes, and without inline styles or markup from texts, which strict policies refuse.

import type { FeedMessage } from '../feed.ts';
import { webAddress } from '../web-address.ts';
import { look, textOn } from './look.ts';

interface Drawing {
  readonly message: FeedMessage;
  /** `#rrggbb`. */
  readonly accent: string;
  /** Half of it was in view for half a second. */
  viewed(): void;
  /** Undefined for the message itself. */
  clicked(button: string | undefined): void;
  dismissed(): void;
  /** It is gone, whatever the reason. */
  closed(): void;
}

const viewedMs = 500;
/** To close a message, and to agree to a prompt that has no button of its own. */
const words: Readonly<Record<string, readonly [close: string, allow: string]>> = {
  en: ['Close', 'Allow'],
  de: ['Schließen', 'Erlauben'],
  es: ['Cerrar', 'Permitir'],
  fr: ['Fermer', 'Autoriser'],
  it: ['Chiudi', 'Consenti'],
  pt: ['Fechar', 'Permitir'],
  id: ['Tutup', 'Izinkan'],
  th: ['ปิด', 'อนุญาต'],
  vi: ['Đóng', 'Cho phép'],
  ja: ['閉じる', '許可'],
  ko: ['닫기', '허용'],
  zh: ['关闭', '允许'],
  ar: ['إغلاق', 'السماح'],
  he: ['סגירה', 'אישור'],
};

/** Returns how to remove it. */
export function draw(drawing: Drawing): () => void {
  const { message, accent } = drawing;
  const { kind = 'modal', position = 'bottom', dismissible = true } = message.display ?? {};
  const host = document.createElement('engage-in-app');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(look);
  root.adoptedStyleSheets = [sheet];
  host.style.setProperty('--accent', `var(--engage-accent, ${accent})`);
  host.style.setProperty('--on-accent', `var(--engage-on-accent, ${textOn(accent)})`);
  let isClosed = false;
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    stopLooking();
    host.remove();
    drawing.closed();
  };
  const dismiss = () => {
    drawing.dismissed();
    close();
  };
  const box = kind === 'modal' ? modal(dismissible, dismiss) : region(kind, position);
  fill(box, drawing, dismissible ? dismiss : undefined, close);
  const stopLooking = whenViewed(box, drawing.viewed);
  // A live region that is there before its content is read out, and takes no focus.
  if (kind === 'modal') root.append(box);
  document.body.append(host);
  if (kind === 'modal') (box as HTMLDialogElement).showModal();
  else requestAnimationFrame(() => root.append(live(box)));
  return close;
}

function live(box: HTMLElement): HTMLElement {
  const region = element('div');
  region.setAttribute('role', 'status');
  requestAnimationFrame(() => region.append(box));
  return region;
}

function modal(isDismissible: boolean, dismiss: () => void): HTMLElement {
  const dialog = element('dialog', 'box modal');
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    if (isDismissible) dismiss();
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog && isDismissible) dismiss();
  });
  dialog.setAttribute('aria-labelledby', 'title');
  return dialog;
}

function region(kind: string, position: string): HTMLElement {
  return element('div', `box ${kind} ${position === 'top' ? position : 'bottom'}`);
}

function fill(
  box: HTMLElement,
  { message, clicked }: Drawing,
  dismiss: (() => void) | undefined,
  close: () => void,
): void {
  const { title, body, image, deepLink } = message;
  const buttons = buttonsOf(message);
  box.part.add('box');
  const picture = webAddress(image);
  if (picture !== undefined) {
    const shown = element('img');
    shown.part.add('image');
    shown.alt = '';
    shown.src = picture;
    box.append(shown);
  }
  const target = buttons.length === 0 ? webAddress(deepLink) : undefined;
  const texts = element(target === undefined ? 'div' : 'a', 'texts');
  if (target !== undefined) {
    (texts as HTMLAnchorElement).href = target;
    texts.addEventListener('click', () => {
      clicked(undefined);
      close();
    });
  }
  const heading = element('h2');
  heading.id = 'title';
  heading.dir = 'auto';
  heading.part.add('title');
  heading.textContent = title ?? body;
  texts.append(heading);
  if (title !== null) {
    const text = element('p');
    text.dir = 'auto';
    text.part.add('body');
    text.textContent = body;
    texts.append(text);
  }
  box.append(texts);
  if (buttons.length > 0) box.append(actions(buttons, message, clicked, close));
  if (dismiss !== undefined) box.append(closeButton(dismiss));
}

function buttonsOf({ buttons, display }: FeedMessage): FeedMessage['buttons'] {
  const isPrompt = display?.kind === 'push-prompt';
  return isPrompt && buttons.length === 0 ? [{ label: wordsOfPage()[1] }] : buttons;
}

function actions(
  buttons: FeedMessage['buttons'],
  { display, deepLink }: FeedMessage,
  clicked: Drawing['clicked'],
  close: () => void,
): HTMLElement {
  const row = element('div', 'buttons');
  for (const [at, { id, label, url }] of buttons.entries()) {
    const button = element('button', 'action');
    // Another page would end the question whether notifications are allowed.
    const isYes = at === 0 && display?.kind === 'push-prompt';
    const address = isYes ? undefined : webAddress(url ?? (at === 0 ? deepLink : null));
    button.type = 'button';
    button.part.add('button');
    button.textContent = label;
    button.addEventListener('click', () => {
      clicked(id ?? `button-${at + 1}`);
      close();
      if (address !== undefined) location.assign(address);
    });
    row.append(button);
  }
  return row;
}

function wordsOfPage(): readonly [close: string, allow: string] {
  const language = document.documentElement.lang || navigator.language;
  return words[language.slice(0, 2)] ?? ['Close', 'Allow'];
}

function closeButton(dismiss: () => void): HTMLElement {
  const button = element('button', 'close');
  button.type = 'button';
  button.part.add('close');
  button.textContent = '×';
  button.setAttribute('aria-label', wordsOfPage()[0]);
  button.addEventListener('click', dismiss);
  return button;
}

/** Returns how to stop looking. */
function whenViewed(box: HTMLElement, viewed: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new IntersectionObserver(
    ([seen]) => {
      clearTimeout(timer);
      if (seen === undefined || seen.intersectionRatio < 0.5) return;
      timer = setTimeout(() => {
        observer.disconnect();
        viewed();
      }, viewedMs);
    },
    { threshold: [0, 0.5] },
  );
  observer.observe(box);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  classes = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (classes !== '') made.className = classes;
  return made;
}
