const mixedCase = (text: string) =>
  [...text].map((char, at) => (at % 2 ? char.toUpperCase() : char)).join('');
const decimal = (text: string, end: string, digits = 0) =>
  map(text, (code) => `&#${String(code).padStart(digits, '0')}${end}`);
const hex = (text: string, end: string, digits = 0) =>
  map(text, (code) => `&#x${code.toString(16).padStart(digits, '0')}${end}`);

function map(text: string, spell: (code: number) => string): string {
  return [...text].map((char) => spell(char.codePointAt(0) ?? 0)).join('');
}

const within = (inserted: string) => (text: string) =>
  `${text.slice(0, 4)}${inserted}${text.slice(4)}`;
const before = (inserted: string) => (text: string) => `${inserted}${text}`;
const colon = (inserted: string) => (text: string) => text.replace(':', inserted);

/** Ways to write the same characters as HTML character references. */
export const CHARACTER_REFERENCES: readonly ((text: string) => string)[] = [
  (text) => decimal(text, ';'),
  (text) => decimal(text, ''),
  (text) => decimal(text, '', 7),
  (text) => decimal(text, ';', 12),
  (text) => hex(text, ';'),
  (text) => hex(text, ''),
  (text) => hex(text, ';', 8).toUpperCase().replaceAll('&#X', '&#x'),
  (text) => hex(text, ';').replaceAll('&#x', '&#X'),
  (text) => `${decimal(text.slice(0, 1), ';')}${text.slice(1)}`,
  (text) => decimal(text, ';').replaceAll('&', '&amp;'),
  colon('&colon;'),
  colon('&colon'),
  (text) => text.replaceAll('(', '&lpar;').replaceAll(')', '&rpar;').replace(':', '&colon;'),
];

/** Altered spellings of a scheme that browsers or filters have taken for the scheme. */
export const SCHEME_SPELLINGS: readonly ((url: string) => string)[] = [
  (url) => url,
  (url) => url.toUpperCase(),
  mixedCase,
  ...[
    '\t',
    '\n',
    '\r',
    '\r\n',
    '\0',
    '\x01',
    '&#x09;',
    '&#x0A;',
    '&#x0D;',
    '&Tab;',
    '&NewLine;',
  ].map(within),
  ...[
    '&#0;',
    '&ZeroWidthSpace;',
    '&shy;',
    '\u00ad',
    '\u200b',
    '\ufeff',
    '\u202e',
    '<!-- -->',
    '/**/',
  ].map(within),
  ...['\\', '%00', '%0a', '&NotExisting;'].map(within),
  ...[' ', '\t', '\n', '\f', '\v', '\0', '\x01', '\x1f', '\x7f', ' &#14; ', '&#1;', '&#x1f;'].map(
    before,
  ),
  ...[
    '\u00a0',
    '\u2028',
    '\u3000',
    '\ufeff',
    '\u202a',
    '&nbsp;',
    '&lrm;',
    '%20',
    '/',
    './',
    '#\n',
  ].map(before),
  ...['url(', "'", '"', '`', '\\', 'x:', 'URL='].map(before),
  ...[' :', '\t:', '\n:', '::', '%3a', '&#58', '&#x3A;', '\uff1a', '\u02d0', '&colon;'].map(colon),
  (url) => url.replace('s', '\u017f'),
  (url) => url.replaceAll('i', '\u0131'),
  (url) => map(url, (code) => String.fromCodePoint(code > 32 && code < 127 ? code + 0xfee0 : code)),
  (url) => url.replace('a', '\\u0061'),
  (url) => url.replace('a', '%61'),
  (url) => encodeURIComponent(url),
];

/** Valid and malformed syntaxes of an attribute. */
export const ATTRIBUTE_SYNTAXES: readonly ((name: string, value: string) => string)[] = [
  (name, value) => ` ${name}="${value}"`,
  (name, value) => ` ${name}='${value}'`,
  (name, value) => ` ${name}=${value}`,
  (name, value) => ` ${name.toUpperCase()} = "${value}"`,
  (name, value) => `/${name}="${value}"`,
  (name, value) => `\t${name}\n=\r"${value}"`,
  (name, value) => `\f${name}=${value}`,
  (name, value) => ` ${name}=\`${value}\``,
  (name, value) => ` ${name}="${value}`,
  (name, value) => ` ${name}=${value}"`,
  (name, value) => ` x=">" ${name}="${value}"`,
  (name, value) => ` x='>'${name}="${value}"`,
  (name, value) => ` ="${name}" ${name}="${value}"`,
  (name, value) => ` """ ${name}="${value}"`,
  (name, value) => ` '' ${name}="${value}"`,
  (name, value) => ` x=y${name}="${value}"`,
  (name, value) => ` ${name}="/a" ${name}="${value}"`,
  (name, value) => ` ${name}="${value}" ${name}="/a"`,
  (name, value) => ` ${name}=x ${name.toUpperCase()}="${value}"`,
  (name, value) => ` title="${name}='${value}'"`,
  (name, value) => ` title='"${name}="${value}"'`,
  (name, value) => ` src= ${name}="${value}"`,
  (name, value) => ` alt= ${name}="${value}"`,
  (name, value) => `\0${name}="${value}"`,
  (name, value) => ` ${name.slice(0, 2)}\0${name.slice(2)}="${value}"`,
  (name, value) => ` ${name}\x01="${value}"`,
  (name, value) => ` \u00a0${name}="${value}"`,
  (name, value) => ` xml:${name}="${value}"`,
  (name, value) => ` xlink:${name}="${value}"`,
  (name, value) => ` data-${name}="${value}" ${name}='${value}'`,
  (name, value) => ` ${name}=="${value}"`,
  (name, value) => ` ${name}"="${value}"`,
  (name, value) => ` ${name}=&quot;${value}&quot;`,
  (name, value) => ` <${name}="${value}"`,
  (name, value) => ` /*%00/${name}="${value}"/%00*/`,
];

/** Altered spellings of a tag name that browsers or filters have taken for the name. */
export const TAG_SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name.toUpperCase(),
  mixedCase,
  (name) => `${name}/`,
  (name) => `${name}/x`,
  (name) => `${name}\t`,
  (name) => `${name}\n`,
  (name) => `${name}\f`,
  (name) => `${name}\v`,
  (name) => `${name}\0`,
  (name) => `\0${name}`,
  (name) => `${name.slice(0, 2)}\0${name.slice(2)}`,
  (name) => ` ${name}`,
  (name) => `/${name}`,
  (name) => `!${name}`,
  (name) => `?${name}`,
  (name) => `<${name}`,
  (name) => `%${name}`,
  (name) => `x:${name}`,
  (name) => `svg:${name}`,
  (name) => `${name}:x`,
  (name) => `${name}\u00a0`,
  (name) => `${name}x`,
  (name) => name.replace('s', '\u017f').replace('k', '\u212a').replace('i', '\u0131'),
  (name) => `${name.slice(0, 2)}<${name}>${name.slice(2)}`,
  (name) => `${name.slice(0, 2)}<!-- -->${name.slice(2)}`,
  (name) => `${name} x=">" y`,
  (name) => `${name}"`,
  (name) => `${name}\\`,
];
