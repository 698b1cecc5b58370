// The allow-list is written here again, on purpose: tests must not take it from the cleaner.
const ELEMENTS_WITHOUT_ATTRIBUTES =
  'h1 h2 h3 h4 h5 h6 p ul dl dt dd blockquote hr br figure figcaption table caption thead ' +
  'tbody tfoot tr details summary strong em b i u s del ins sub sup small mark kbd samp var cite ' +
  'q dfn bdi bdo ruby rt rp picture';

/** Every allowed element except `iframe`, with the attributes that it may have besides `id`, `dir` and `lang`. */
export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(ELEMENTS_WITHOUT_ATTRIBUTES.split(' ').map((element) => [element, []])),
  span: [],
  pre: ['class'],
  code: ['class'],
  a: ['href', 'title', 'rel'],
  img: ['src', 'srcset', 'sizes', 'alt', 'title', 'width', 'height'],
  video: ['src', 'controls', 'poster', 'width', 'height'],
  audio: ['src', 'controls'],
  source: ['src', 'srcset', 'sizes', 'media', 'type', 'width', 'height'],
  track: ['src', 'kind', 'srclang', 'label', 'default'],
  input: ['type', 'checked', 'disabled'],
  abbr: ['title'],
  ol: ['start', 'reversed', 'type'],
  li: ['value'],
  col: ['span'],
  colgroup: ['span'],
  td: ['colspan', 'rowspan', 'headers'],
  th: ['colspan', 'rowspan', 'scope', 'abbr', 'headers'],
};

/** Attributes that an element must have; `|` stands between those of which one is enough. */
export const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  img: ['src|srcset'],
  source: ['src|srcset'],
  video: ['controls'],
  audio: ['controls'],
  track: ['src'],
  input: ['type', 'disabled'],
};

const SITE = 'https://blog.example';

const ID = '[\\p{L}\\p{M}\\p{N}_.:-]{1,80}';

const VALUES: Readonly<Record<string, RegExp>> = {
  id: new RegExp(`^h-${ID}$`, 'u'),
  headers: new RegExp(`^h-${ID}(?: h-${ID})*$`, 'u'),
  dir: /^(?:ltr|rtl|auto)$/i,
  lang: /^[a-z\d-]+$/i,
  srclang: /^[a-z\d-]+$/i,
  class: /^language-[\w+#.-]+$/,
  width: /^\d+$/,
  height: /^\d+$/,
  colspan: /^\d+$/,
  rowspan: /^\d+$/,
  span: /^\d+$/,
  start: /^-?\d+$/,
  value: /^-?\d+$/,
  scope: /^(?:row|col|rowgroup|colgroup)$/,
  rel: /^(?:(?:sponsored|nofollow|ugc) ?)+$/,
  controls: /^controls$/,
  reversed: /^reversed$/,
  default: /^default$/,
  checked: /^checked$/,
  disabled: /^disabled$/,
  kind: /^(?:subtitles|captions|descriptions|chapters|metadata)$/i,
  sizes: /^[\w\s().,:%+*/<>=-]+$/,
  media: /^[\w\s().,:%+*/<>=-]+$/,
};

/** The attributes of which each element has values of its own. */
const VALUES_BY_ELEMENT: Readonly<Record<string, RegExp>> = {
  'ol type': /^[1aAiI]$/,
  'input type': /^checkbox$/,
  'source type': /^(?:image|video|audio)\//i,
};

/** The attributes with a URL, each with the schemes that it may have. */
const SCHEMES: Readonly<Record<string, readonly string[]>> = {
  'a href': ['http:', 'https:', 'mailto:', 'tel:'],
  'img src': ['http:', 'https:'],
  ...Object.fromEntries(
    ['video src', 'video poster', 'audio src', 'source src', 'track src'].map((name) => [
      name,
      ['https:'],
    ]),
  ),
};

/** Whether an allowed attribute of an element may have this value. */
export function isAllowedValue(element: string, name: string, value: string): boolean {
  const attribute = `${element} ${name}`;
  const schemes = SCHEMES[attribute];
  if (schemes !== undefined) return isAllowedUrl(value, schemes);
  if (name === 'srcset') return value.split(', ').every(isPicture);
  return (VALUES_BY_ELEMENT[attribute] ?? VALUES[name])?.test(value) ?? true;
}

function isPicture(candidate: string): boolean {
  const [address = '', descriptor = '1x', ...others] = candidate.split(' ');
  const schemes = SCHEMES['img src'] ?? [];
  return others.length === 0 && /^[\d.]+[wx]$/.test(descriptor) && isAllowedUrl(address, schemes);
}

/** Whether a browser reads the URL as a path on SITE, or the URL begins with an allowed scheme. */
function isAllowedUrl(value: string, schemes: readonly string[]): boolean {
  if (value.startsWith('#')) return schemes.includes('mailto:');
  if (!URL.canParse(value, SITE)) {
    // A browser does not follow such a URL, so its beginning is enough.
    return (
      /^https?:\/\//i.test(value) &&
      schemes.includes(/^[^:]*:/.exec(value.toLowerCase())?.[0] ?? '')
    );
  }
  const { origin, protocol } = new URL(value, SITE);
  return value.startsWith('/')
    ? origin === SITE && schemes.includes('http:')
    : schemes.includes(protocol) && value.toLowerCase().startsWith(protocol);
}
