import type { Attacks } from '../attack-classes.js';
import { HARMFUL, product } from './product.js';

const NAMES = [
  ...[
    'id',
    'name',
    'body',
    'head',
    'forms',
    'cookie',
    'domain',
    'location',
    'attributes',
    'nodeName',
  ],
  ...['childNodes', 'parentNode', 'innerHTML', 'getElementById', 'createElement', 'currentScript'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'defaultView', 'self', 'config'],
];

const CLOBBERED = [
  ...[
    '<a id="*">x</a>',
    '<a id="*"></a><a id="*" name="y" href="cid:x">y</a>',
    '<img name="*" src="/a">',
  ],
  ...[
    '<form id="*"><input name="*"></form>',
    '<form name="*"><img name="*" src="/a">',
    '<p id=* name=*>x</p>',
  ],
  ...[
    '<iframe name="*" srcdoc="x"></iframe>',
    '<object id="*"></object>',
    '<embed name="*">',
    '<h1 id="*">x</h1>',
  ],
  ...[
    '<input form="*">',
    '<td headers="*" id="*">x</td>',
    '<label for="*">x</label>',
    '<map name="*"></map>',
  ],
];

/** Ids that are kept, because a link leads to them. */
const LINKED = [
  '<p id="*">x</p><a href="#*">y</a>',
  '<a href="#*">x</a><a name="*">y</a><img id="*" src="/a">',
  '<div id="*"><span id="*">x</span></div><a href="#*" id="*">y</a>',
  '<a href="#*"><form id="*"><input name="*" id="*"></form></a>',
];
const ODD_NAMES = [
  ...[
    'h-',
    'h-x',
    'h-h-x',
    'h-__proto__',
    'section',
    '-',
    '#',
    '%',
    '%41',
    '%E9',
    'a b',
    ' a ',
    '*',
  ],
  ...['"', "'", '"><img src=x onerror=alert(1)>', '&quot; onclick=alert(1) ', '&#x41;', 'a\nb'],
  ...['\u00e9', '\u65e5\u672c', '\u202e', '\ud83d\ude00', '\ud800', '\u0301', 'h-\ud83d\ude00'],
  ...[
    'x'.repeat(5_000),
    'h-'.repeat(100),
    '\ud835\udd35'.repeat(200),
    '1',
    'h-1',
    '.',
    ':',
    'fn:1',
  ],
];

const PROTOTYPE = [
  ...[
    '<*>x</*>',
    '<* onclick=alert(1)>x</*>',
    '<p *="x">y</p>',
    '<a *="javascript:alert(1)">x</a>',
  ],
  ...[
    '<img * src=x onerror=alert(1)>',
    '<img src="/a" *.src="x">',
    '<td *="1">x</td>',
    '<a href="*:x">y</a>',
  ],
  ...[
    '<p class="*">x</p>',
    '<code class="*">x</code>',
    '<code class="language-*">x</code>',
    '<*:a *:href="x">y</*:a>',
  ],
];
const PROPERTIES = [
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'valueOf',
    'hasOwnProperty',
    'isPrototypeOf',
  ],
  ...['__defineGetter__', '__lookupSetter__', 'toLocaleString', 'propertyIsEnumerable', 'length'],
];

const MIXED_CASE_MARKUP = [
  ...[
    'ScRiPt',
    'SCRIPT',
    'scr\u0131pt',
    '\u017fcript',
    'sCRIPT',
    'IMG',
    'iMg',
    'SvG',
    'STYLE',
    '\u017ftyle',
    'IFRAME',
    '\u0130frame',
    'ifr\u00e2me',
    'MATH',
    'lin\u212a',
    'BASE',
    'FORM',
  ],
];
const MIXED_CASE_ATTRIBUTES = [
  ...[
    'ONERROR=alert(1)',
    'OnErRoR=alert(1)',
    'onLOAD=alert(1)',
    '\u1d52nload=x',
    'onclic\u212a=alert(1)',
    'HREF=JAVASCRIPT:x',
    'hRef=jAvAsCrIpT:x',
    'SRC=JaVaScRiPt:x',
    'STYLE=x:y',
    '\u017ftyle=x:y',
    '\u017frc=javascript:x',
  ],
];

export const NAME_ATTACKS: Attacks = {
  'clobbered name': [
    ...product(CLOBBERED, NAMES),
    ...product([...LINKED, ...CLOBBERED], ODD_NAMES),
    ...product(LINKED, NAMES),
  ].map(([context, name]) => context.replaceAll('*', () => name)),
  'prototype property': product(PROTOTYPE, PROPERTIES).map(([context, name]) =>
    context.replaceAll('*', name),
  ),
  'letter case': [
    ...product(MIXED_CASE_MARKUP, MIXED_CASE_ATTRIBUTES).map(
      ([name, attribute]) => `<${name} ${attribute}>x</${name}>`,
    ),
    ...HARMFUL.map((markup) => markup.toUpperCase()),
  ],
};
