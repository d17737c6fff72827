// As much of a browser's document as the looks use. It keeps markup out of reach: there is no
// innerHTML, so all that a look draws is elements, attributes and text.

export class FakeElement {
  readonly tag: string;
  readonly children: (FakeElement | string)[] = [];
  readonly attributes = new Map<string, string>();
  readonly dataset: Record<string, string> = {};
  className = '';

  constructor(tag: string) {
    this.tag = tag;
  }

  append(...children: (FakeElement | string)[]): void {
    this.children.push(...children);
  }

  prepend(...children: (FakeElement | string)[]): void {
    this.children.unshift(...children);
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  addEventListener(): void {}

  set innerHTML(_: string) {
    throw new Error('a look writes markup');
  }

  /** This element and all in it. */
  *all(): Generator<FakeElement> {
    yield this;
    for (const child of this.children) if (child instanceof FakeElement) yield* child.all();
  }

  /** All text in it, separated by blanks. */
  get words(): string {
    return this.children
      .map((child) => (typeof child === 'string' ? child : child.words))
      .join(' ');
  }
}

export const fakeDocument = {
  createElement: (tag: string) => new FakeElement(tag),
  createElementNS: (_: string, tag: string) => new FakeElement(tag),
};
