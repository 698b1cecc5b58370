/** The part of turndown that is used here. The published types need the DOM types of a browser. */
declare module 'turndown' {
  /** An element of the DOM that turndown brings. */
  export interface MarkupElement {
    readonly nodeName: string;
    readonly outerHTML: string;
    readonly innerHTML: string;
    readonly parentNode: MarkupElement | null;
    readonly childNodes: { readonly length: number };
    readonly firstChild: MarkupElement | null;
    hasAttribute(name: string): boolean;
  }

  export default class TurndownService {
    constructor(options: Readonly<Record<string, string>>);
    /** Escapes a text, so that no character of it is Markdown. */
    escape(text: string): string;
    use(plugin: (service: TurndownService) => void): this;
    addRule(
      name: string,
      rule: {
        readonly filter: (node: MarkupElement) => boolean;
        readonly replacement: (content: string, node: MarkupElement) => string;
      },
    ): this;
    turndown(html: string): string;
  }
}

declare module '@joplin/turndown-plugin-gfm' {
  import type TurndownService from 'turndown';

  export function gfm(service: TurndownService): void;
}
