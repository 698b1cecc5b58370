import { escapeHtml } from '../../../platform/text/escape-html.js';
import { cardHtml, type CardData } from './ghost-cards.js';

/** Greatest depth of nodes within each other. */
const DEPTH_MAX = 100;

/** The elements for the bits of the format of a text, the outermost first. */
const FORMATS = ['strong', 'em', 's', 'u', 'code', 'sub', 'sup', 'mark'];

/** The elements of nodes with further nodes in them. */
const CONTAINERS: Readonly<Record<string, string>> = {
  paragraph: 'p',
  quote: 'blockquote',
  'extended-quote': 'blockquote',
  aside: 'blockquote',
  listitem: 'li',
};

/** The HTML of a document of the present editor; '' for one that cannot be read. */
export function lexicalHtml(json: string): string {
  const { root } = Object(parsed(json)) as CardData;
  return nodeHtml(root, 0);
}

function nodeHtml(given: unknown, depth: number): string {
  const node = Object(given) as CardData;
  const type = typeof node['type'] === 'string' ? node['type'] : '';
  if (depth > DEPTH_MAX) return '';
  if (type === 'linebreak') return '<br>';
  if (type === 'text' || type === 'extended-text') return formatted(node);
  const children = Array.isArray(node['children']) ? (node['children'] as unknown[]) : null;
  if (children === null) return cardHtml(type, node);
  const content = children.map((child) => nodeHtml(child, depth + 1)).join('');
  const { tag, url, listType } = node;
  if (/heading$/.test(type) && /^h[1-6]$/.test(String(tag)))
    return `<${String(tag)}>${content}</${String(tag)}>`;
  if (type === 'list') return listType === 'number' ? `<ol>${content}</ol>` : `<ul>${content}</ul>`;
  if (/link$/.test(type) && typeof url === 'string')
    return `<a href="${escapeHtml(url)}">${content}</a>`;
  const element = CONTAINERS[type];
  return element === undefined ? content : `<${element}>${content}</${element}>`;
}

function formatted({ text, format }: CardData): string {
  const bits = Number(format ?? 0);
  const html = escapeHtml(typeof text === 'string' ? text : '');
  return FORMATS.reduceRight(
    (inner, tag, bit) => (bits & (1 << bit) ? `<${tag}>${inner}</${tag}>` : inner),
    html,
  );
}

/** The names that cards had in the former editor, where they differ from the present ones. */
const FORMER_CARDS: Readonly<Record<string, string>> = {
  'card-markdown': 'markdown',
  code: 'codeblock',
  hr: 'horizontalrule',
};

interface Mobiledoc {
  readonly markups: readonly (readonly [tag: string, attributes?: readonly string[]])[];
  readonly atoms: readonly (readonly [name: string, text: string])[];
  readonly cards: readonly (readonly [name: string, data: CardData])[];
}

/** The HTML of a document of the former editor; '' for one that cannot be read. */
export function mobiledocHtml(json: string): string {
  const document = Object(parsed(json)) as CardData;
  const list = (name: string): unknown[] => {
    const value = document[name];
    return Array.isArray(value) ? (value as unknown[]) : [];
  };
  const parts = {
    markups: list('markups'),
    atoms: list('atoms'),
    cards: list('cards'),
  } as unknown as Mobiledoc;
  return list('sections')
    .map((section) => sectionHtml(section as readonly unknown[], parts))
    .join('\n');
}

function sectionHtml([type, first, second]: readonly unknown[], parts: Mobiledoc): string {
  if (type === 10) {
    const [name = '', data] = parts.cards[Number(first)] ?? [];
    return cardHtml(FORMER_CARDS[name] ?? name, Object(data) as CardData);
  }
  if (type === 2) return cardHtml('image', { src: first });
  const tag = /^(?:p|h[1-6]|blockquote|aside|ul|ol)$/.test(String(first)) ? String(first) : 'p';
  const rows = (type === 3 ? second : [second]) as readonly unknown[];
  const contents = rows.map((row) => markersHtml(row, parts));
  if (type === 3) return `<${tag}>${contents.map((item) => `<li>${item}</li>`).join('')}</${tag}>`;
  return `<${tag}>${contents.join('')}</${tag}>`;
}

/** The text of a section: each marker opens some elements before its text, and closes some after it. */
function markersHtml(markers: unknown, { markups, atoms }: Mobiledoc): string {
  const open: string[] = [];
  let html = '';
  for (const marker of Array.isArray(markers) ? (markers as unknown[]) : []) {
    const [type, opened, closed, value] = marker as [number, number[], number, string | number];
    for (const index of opened) {
      const [tag = 'span', attributes = []] = markups[index] ?? [];
      const href = attributes[attributes.indexOf('href') + 1];
      html += tag === 'a' && href !== undefined ? `<a href="${escapeHtml(href)}">` : `<${tag}>`;
      open.push(tag);
    }
    const [name, text = ''] = type === 1 ? (atoms[Number(value)] ?? []) : [];
    if (name === 'soft-return') html += '<br>';
    else html += escapeHtml(type === 1 ? text : String(value));
    for (let count = 0; count < closed; count += 1) html += `</${open.pop() ?? 'span'}>`;
  }
  return html;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}
