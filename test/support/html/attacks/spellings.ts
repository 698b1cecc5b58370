const mixedCase = (text: string) =>
  [...text].map((char, index) => (index % 2 ? char.toUpperCase() : char)).join('');
const decimal = (text: string, end: string, digits = 0) =>
  map(text, (code) => `&#${String(code).padStart(digits, '0')}${end}`);
const hex = (text: string, end: string, digits = 0) =>
  map(text, (code) => `&#x${code.toString(16).padStart(digits, '0')}${end}`);

function map(text: string, spell: (code: number) => string): string {
  return [...text].map((char) => spell(char.codePointAt(0) ?? 0)).join('');
}

const INSERTIONS =
  '\t|\n|\r\n|\0|\x01|&#x09;|&#x0A;|&Tab;|&NewLine;|&#0;|&ZeroWidthSpace;|&shy;|\u00ad|\u200b|' +
  '\ufeff|\u202e|<!-- -->|/**/|\\|%00|&NotExisting;';
const PREFIXES =
  ' |\t|\n|\f|\v|\0|\x01|\x1f|\x7f| &#14; |&#1;|\u00a0|\u2028|\u3000|\ufeff|&nbsp;|&lrm;|%20|/|./|' +
  '#\n|url(|\'|"|`|\\|x:|URL=';
const COLONS = ' :|\t:|::|%3a|&#58|&#x3A;|\uff1a|\u02d0|&colon;';

/** Ways to write a text with HTML character references. */
export const CHARACTER_REFERENCES: readonly ((text: string) => string)[] = [
  (text) => decimal(text, ';'),
  (text) => decimal(text, ''),
  (text) => decimal(text, ';', 12),
  (text) => hex(text, ';'),
  (text) => hex(text, ''),
  (text) => hex(text, ';').replaceAll('&#x', '&#X'),
  (text) => `${decimal(text.slice(0, 1), ';')}${text.slice(1)}`,
  (text) => decimal(text, ';').replaceAll('&', '&amp;'),
  (text) => text.replaceAll('(', '&lpar;').replaceAll(')', '&rpar;').replace(':', '&colon;'),
];

/** Spellings of a scheme, most of them altered, that browsers or filters have taken for the scheme. */
export const SCHEME_SPELLINGS: readonly ((url: string) => string)[] = [
  (url) => url,
  (url) => url.toUpperCase(),
  mixedCase,
  ...INSERTIONS.split('|').map(
    (text) => (url: string) => `${url.slice(0, 4)}${text}${url.slice(4)}`,
  ),
  ...PREFIXES.split('|').map((text) => (url: string) => `${text}${url}`),
  ...COLONS.split('|').map((text) => (url: string) => url.replace(':', text)),
  (url) => url.replace('s', '\u017f'),
  (url) => url.replaceAll('i', '\u0131'),
  (url) => map(url, (code) => String.fromCodePoint(code > 32 && code < 127 ? code + 0xfee0 : code)),
  (url) => url.replace('a', '\\u0061'),
  (url) => encodeURIComponent(url),
];

/** Valid and malformed syntaxes of an attribute. */
export const ATTRIBUTE_SYNTAXES: readonly ((name: string, value: string) => string)[] = [
  (name, value) => ` ${name}="${value}"`,
  (name, value) => ` ${name}=${value}`,
  (name, value) => ` ${name.toUpperCase()} = "${value}"`,
  (name, value) => `/${name}="${value}"`,
  (name, value) => `\t${name}\n=\r"${value}"`,
  (name, value) => `\f${name}=${value}`,
  (name, value) => ` ${name}=\`${value}\``,
  (name, value) => ` ${name}="${value}`,
  (name, value) => ` x=">" ${name}="${value}"`,
  (name, value) => ` ="${name}" ${name}="${value}"`,
  (name, value) => ` """ ${name}="${value}"`,
  (name, value) => ` x=y${name}="${value}"`,
  (name, value) => ` ${name}="/a" ${name}="${value}"`,
  (name, value) => ` ${name}=x ${name.toUpperCase()}="${value}"`,
  (name, value) => ` title='"${name}="${value}"'`,
  (name, value) => `\0${name}="${value}"`,
  (name, value) => ` ${name.slice(0, 2)}\0${name.slice(2)}="${value}"`,
  (name, value) => ` \u00a0${name}="${value}"`,
  (name, value) => ` xlink:${name}="${value}"`,
  (name, value) => ` ${name}=="${value}"`,
  (name, value) => ` ${name}=&quot;${value}&quot;`,
  (name, value) => ` <${name}="${value}"`,
  (name, value) => ` /*%00/${name}="${value}"/%00*/`,
];

/** `*` stands for the name of the tag. */
const TAG_NAME_PATTERNS =
  '*/|*/x|*\t|*\n|*\f|*\v|*\0|\0*| *|/*|!*|?*|<*|%*|x:*|*:x|*\u00a0|*x|* x=">" y|*"|*\\';

/** Altered spellings of a tag name that browsers or filters have taken for the name. */
export const TAG_SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name.toUpperCase(),
  mixedCase,
  ...TAG_NAME_PATTERNS.split('|').map((spelling) => (name: string) => spelling.replace('*', name)),
  (name) => name.replace('s', '\u017f').replace('k', '\u212a').replace('i', '\u0131'),
  ...['\0', '<!-- -->'].map(
    (text) => (name: string) => `${name.slice(0, 2)}${text}${name.slice(2)}`,
  ),
  (name) => `${name.slice(0, 2)}<${name}>${name.slice(2)}`,
];
