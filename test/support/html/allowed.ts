// The allow-list is written here again, on purpose: tests must not take it from the cleaner.
const ELEMENTS_WITHOUT_ATTRIBUTES =
  'h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd blockquote hr br figure figcaption table caption thead ' +
  'tbody tfoot tr details summary strong em b i u s del ins sub sup small mark kbd samp var cite ' +
  'q dfn';

/** Every allowed element except `iframe`, with the attributes that it may have besides `id`. */
export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(ELEMENTS_WITHOUT_ATTRIBUTES.split(' ').map((element) => [element, []])),
  span: [],
  pre: ['class'],
  code: ['class'],
  a: ['href', 'title'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  abbr: ['title'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope'],
};

const SITE = 'https://blog.example';

const SCHEMES: Readonly<Record<string, readonly string[]>> = {
  href: ['http:', 'https:', 'mailto:'],
  src: ['http:', 'https:'],
};

const VALUE_CHECKS: Readonly<Record<string, (value: string) => boolean>> = {
  id: (value) => /^h-[\p{L}\p{M}\p{N}_.:-]{1,80}$/u.test(value),
  class: (value) => /^language-[\w+#.-]+$/.test(value),
  width: isNumber,
  height: isNumber,
  colspan: isNumber,
  rowspan: isNumber,
  scope: (value) => ['row', 'col', 'rowgroup', 'colgroup'].includes(value),
  href: (value) => value.startsWith('#') || isAllowedUrl(value, 'href'),
  src: (value) => isAllowedUrl(value, 'src'),
};

/** Whether an allowed attribute may have this value. */
export function isAllowedValue(name: string, value: string): boolean {
  return VALUE_CHECKS[name]?.(value) ?? true;
}

function isNumber(value: string): boolean {
  return /^\d+$/.test(value);
}

/** Whether a browser reads the URL as a path on SITE, or the URL begins with an allowed scheme. */
function isAllowedUrl(value: string, attribute: 'href' | 'src'): boolean {
  if (!URL.canParse(value, SITE)) {
    // A browser does not follow such a URL, so its beginning is enough.
    return /^https?:\/\//i.test(value);
  }
  const { origin, protocol } = new URL(value, SITE);
  return value.startsWith('/')
    ? origin === SITE
    : (SCHEMES[attribute] ?? []).includes(protocol) && value.toLowerCase().startsWith(protocol);
}
