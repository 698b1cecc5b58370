import type { Attacks } from '../attack-classes.js';
import { product } from './product.js';

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

export const NAME_ATTACKS: Attacks = {
  'clobbered name': product(CLOBBERED, NAMES).map(([place, name]) => place.replaceAll('*', name)),
  'prototype property': product(PROTOTYPE, PROPERTIES).map(([place, name]) =>
    place.replaceAll('*', name),
  ),
};
