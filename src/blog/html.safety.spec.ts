import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type DefaultTreeAdapterTypes as Tree,
  html,
  parse,
  parseFragment,
  serialize,
} from 'parse5';
import { cleanHtml } from './html.js';

/** Written down a second time on purpose: the contract, section 8, not the source. */
const ALLOWED: Record<string, string[]> = {
  ...Object.fromEntries(
    (
      'h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd blockquote hr br figure figcaption table caption ' +
      'thead tbody tfoot tr details summary strong em b i u s del ins sub sup small mark kbd ' +
      'samp var cite q dfn'
    )
      .split(' ')
      .map((tag) => [tag, []]),
  ),
  pre: ['class'],
  code: ['class'],
  a: ['href', 'title'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  abbr: ['title'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope'],
};

const SITE = 'https://blog.example';

/** What a browser would find in the text that must not be there, as page and as innerHTML. */
function violations(text: string): string[] {
  const found: string[] = [];
  const visit = (node: Tree.Node): void => {
    if ('tagName' in node) {
      checkElement(node);
    }
    if ('content' in node) {
      found.push('template content');
    }
    if ('childNodes' in node) {
      node.childNodes.forEach(visit);
    }
  };
  const checkElement = ({ tagName, namespaceURI, attrs }: Tree.Element): void => {
    const names = ALLOWED[tagName];
    if (names === undefined || namespaceURI !== html.NS.HTML) {
      found.push(`<${tagName}>`);
    }
    for (const { name, value } of attrs) {
      if (!names?.includes(name) || !isAllowedValue(tagName, name, value)) {
        found.push(`<${tagName} ${name}=${JSON.stringify(value)}>`);
      }
    }
  };
  parseFragment(text).childNodes.forEach(visit);
  const page = parse(`<!doctype html><html><head></head><body>${text}`);
  const root = page.childNodes.find((node) => node.nodeName === 'html');
  (root as Tree.Element).childNodes
    .filter((node) => node.nodeName !== 'head')
    .forEach((body) => (body as Tree.Element).childNodes.forEach(visit));
  return found;
}

function isAllowedValue(tag: string, name: string, value: string): boolean {
  if (name === 'class') {
    return /^language-[\w+#.-]+$/.test(value);
  }
  if (['width', 'height', 'colspan', 'rowspan'].includes(name)) {
    return /^\d+$/.test(value);
  }
  if (name !== 'href' && name !== 'src') {
    return true;
  }
  if (/^(?:https?:\/\/|mailto:)/i.test(value)) {
    return tag === 'a' || !/^mailto:/i.test(value);
  }
  return /^[/#]/.test(value) && new URL(value, SITE).origin === SITE;
}

/** The tree as a browser repairs it, written out, cleaned: until nothing moves any more. */
function expectSafeAndStable(input: string): void {
  const cleaned = cleanHtml(input);
  expect(cleanHtml(cleaned)).toBe(cleaned);
  expect(violations(cleaned)).toEqual([]);
  const rounds = [cleaned];
  do {
    const repaired = serialize(parseFragment(rounds[0] ?? ''));
    expect(violations(repaired)).toEqual([]);
    rounds.unshift(cleanHtml(repaired));
    expect(violations(rounds[0] ?? '')).toEqual([]);
  } while (rounds[0] !== rounds[1] && rounds.length < 8);
  expect(rounds[0]).toBe(rounds[1]);
}

const TEXT_BITS = fc.constantFrom(
  ...['a', ' ', '\n', '\r\n', '<', '>', '&', '"', "'", '&lt;script&gt;', '&#0;', '&#13;', '&#x1;'],
  ...[
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '</p>',
    '</br>',
    '</svg>',
    '</style>',
    '\0',
    '\ud800',
  ],
);
const TAG_NAMES = fc.constantFrom(
  ...Object.keys(ALLOWED),
  ...[
    'div',
    'span',
    'svg',
    'math',
    'mi',
    'foreignObject',
    'annotation-xml',
    'desc',
    'title',
    'x-y',
  ],
  ...['script', 'style', 'template', 'noscript', 'iframe', 'textarea', 'select', 'option', 'form'],
  ...['xmp', 'plaintext', 'noembed', 'button', 'object', 'body', 'html', 'head', 'frameset', 'col'],
);
const ATTRIBUTE_BITS = fc.constantFrom(
  ...['', '', ' href="http://x/"', ' href=javascript:x', ' href="/\\x"', ' href="/a"', ' id=x'],
  ...[' src=/a.png', ' src="data:x"', ' onerror=x', ' style="a:b"', ' title="<b>&quot;</p>"'],
  ...[
    ' class="language-js x"',
    ' width=1e3',
    ' colspan=2',
    ' scope=row',
    ' data-x',
    ' alt=""',
    ' /',
  ],
);
const { node: NODES } = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.oneof(TEXT_BITS, fc.string({ maxLength: 4 })),
    fc
      .tuple(TAG_NAMES, ATTRIBUTE_BITS, fc.array(tie('node'), { maxLength: 5 }), fc.boolean())
      .map(([t, a, inner, closed]) => `<${t}${a}>${inner.join('')}${closed ? `</${t}>` : ''}`),
  ),
}));

describe('cleanHtml against hostile text', () => {
  it.each([
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=x&gt;">',
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<textarea/></textarea/><img src=x onerror=x>',
    '<table><a><table></a><td><a><a>',
    '<b><b><b><b><p></b>x<table><b>y',
  ])('should be safe after a browser has repaired %s', (input) => {
    expectSafeAndStable(input);
  });

  it('should be safe and stable for random text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.string({ unit: fc.constantFrom(...'<>/="\'&;#!-[]? \n\tabpx'), maxLength: 80 }),
      fc.array(TEXT_BITS, { maxLength: 20 }).map((bits) => bits.join('')),
    );
    fc.assert(fc.property(text, expectSafeAndStable), { numRuns: 1_000 });
  });

  it('should be safe and stable for random trees', () => {
    const trees = fc.array(NODES, { maxLength: 4 }).map((nodes) => nodes.join(''));
    fc.assert(fc.property(trees, expectSafeAndStable), { numRuns: 1_000 });
  });

  it.each([
    ...[
      '<b>',
      '<div>',
      '<p>',
      '</p>',
      '<p><x-y>',
      '<li><b>',
      '<table>',
      '<svg>',
      '<noscript>',
      '<form>',
    ],
    ...[
      '<a href=',
      '<a href="',
      '<img alt="x">',
      '<img alt="',
      '<!--',
      '<![CDATA[',
      '<',
      '</',
      '&',
      '&#',
    ],
    ...[
      '<script>',
      '<pre>\n',
      '\r',
      '\0',
      '<div><noscript></div>',
      '<svg><foreignObject>',
      'a="b" ',
    ],
  ])('should clean 100 KB of %j in bounded time, safe and stable', (unit) => {
    const hostile = unit.repeat(100_000 / unit.length);
    const started = performance.now();
    const cleaned = cleanHtml(hostile);
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(cleanHtml(cleaned)).toBe(cleaned);
  });
});
