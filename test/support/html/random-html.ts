import fc from 'fast-check';
import { ALLOWED } from './allowed.js';
import { HARMFUL } from './attacks/product.js';

const TEXT_PIECES = fc.constantFrom(
  ...['a', ' ', '\n', '\r\n', '<', '>', '&', '"', "'", '&lt;script&gt;', '&#0;', '&#13;', '&#x1;'],
  ...['<!--', '-->', '--!>', '<?', '</p>', '</br>', '</svg>', '</style>'],
  ...['<!', '</3', '</string>', '<![CDATA[', ']]>', '<?xml', '<b', "='", '="', '/>', '\n\n'],
  ...['</table>', '</a>', '&nbsp;', '\0', '\f', '\ud800', '\u202e', ...HARMFUL],
);

/** Forbidden elements, and `span` and `iframe`, which the cleaner keeps under certain conditions only. */
const FORBIDDEN =
  'div span svg math mi mtext foreignObject annotation-xml desc title mglyph x-y script style template ' +
  'noscript iframe textarea select option form xmp plaintext noembed button object body html head ' +
  'frameset font nobr rb rtc image center o:p string a<b';

/** Allowed elements for whose wrong nesting parsers have special rules. */
const NESTED_BY_RULES = 'a b p table tr td caption colgroup li dd h1 pre details ruby rt video';

/** Two of three names are allowed elements: only elements that are kept can form an unusual tree. */
const TAG_NAMES = fc.oneof(
  fc.constantFrom(...Object.keys(ALLOWED)),
  fc.constantFrom(...FORBIDDEN.split(' ')),
  fc.constantFrom(...NESTED_BY_RULES.split(' ')),
);

const ATTRIBUTE = fc.constantFrom(
  ...[' id=h-x', ' id="a b"', ' id=""', ' href="#x"', ' href="#h-x"', ' href="#a%20b"', ' name=x'],
  ...[' href="http://x/"', ' href=javascript:x', ' href="/\\x"', ' href="/a"', ' id=x'],
  ...[' src=/a.png', ' src="data:x"', ' onerror=x', ' style="a:b"', ' title="<b>&quot;</p>"'],
  ...[' class="language-js x"', ' width=1e3', ' colspan=2', ' scope=row', ' data-x', ' alt=""'],
  ...[
    ' /',
    ' src="https://x.example/?a&b"',
    ' dir=rtl',
    ' lang=en',
    ' headers="x h-x y"',
    ' controls',
  ],
  ...[
    ' srcset="/a 1x, javascript:x 2x,https://x/a,b 3w"',
    ' type=checkbox',
    ' type=a',
    ' <',
    ' &&',
  ],
);

const ATTRIBUTES = fc.array(ATTRIBUTE, { maxLength: 3 }).map((attributes) => attributes.join(''));

const { node: NODES } = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.oneof(TEXT_PIECES, fc.string({ maxLength: 4 })),
    fc
      .tuple(TAG_NAMES, ATTRIBUTES, fc.array(tie('node'), { maxLength: 5 }), fc.boolean())
      .map(([name, attributes, inner, isClosed]) =>
        [`<${name}${attributes}>`, ...inner, isClosed ? `</${name}>` : ''].join(''),
      ),
  ),
}));

/** Trees of allowed and forbidden elements, half of which have no end tag. */
export const RANDOM_TREES = fc.array(NODES, { maxLength: 4 }).map((nodes) => nodes.join(''));

/** Texts of random characters and pieces of markup. */
export const RANDOM_TEXTS = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: fc.constantFrom(...'<>/="\'&;#!-[]? \n\tabpx'), maxLength: 80 }),
  fc.array(TEXT_PIECES, { maxLength: 20 }).map((bits) => bits.join('')),
);
