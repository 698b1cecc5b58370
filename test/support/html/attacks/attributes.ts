import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Attacks } from '../attack-classes.js';
import { product } from './product.js';
import { ATTRIBUTE_SYNTAXES } from './spellings.js';

/** Event handlers of former browsers, HTML+TIME and SVG animation, which current lists lack. */
const FORMER_HANDLERS = (
  'onactivate onafterscriptexecute onafterupdate onbeforeactivate onbeforecopy onbeforecut ' +
  'onbeforedeactivate onbeforeeditfocus onbeforepaste onbeforescriptexecute onbeforeupdate ' +
  'onbegin onbounce oncellchange oncontrolselect ondataavailable ondatasetchanged ' +
  'ondatasetcomplete ondeactivate ondragexit onend onerrorupdate onfilterchange onfinish ' +
  'onfocusin onfocusout onhelp onlayoutcomplete onlocation onlosecapture onmediacomplete ' +
  'onmediaerror onmousewheel onmove onmoveend onmovestart onoutofsync onpropertychange ' +
  'onreadystatechange onrepeat onresizeend onresizestart onresume onreverse onrowdelete ' +
  'onrowenter onrowexit onrowinserted onrowsdelete onsearch onseek onshow onstart onstop ' +
  'onsyncrestored ontimeerror ontrackchange onundo onunload onurlflip onwebkitanimationend ' +
  'onwebkitmouseforcechanged onwebkitplaybacktargetavailabilitychanged fscommand seeksegmenttime'
).split(' ');

/** Every event handler in the DOM types of the installed TypeScript. */
function currentHandlers(): string[] {
  const compiler = createRequire(import.meta.url).resolve('typescript');
  const browser = readFileSync(join(dirname(compiler), 'lib.dom.d.ts'), 'utf8');
  return [...browser.matchAll(/^ {4}(on[a-z]+): \(/gm)].map(([, name = '']) => name);
}

export const HANDLERS = [...new Set([...currentHandlers(), ...FORMER_HANDLERS])].sort();

/** Elements: the markup before and after an attribute. */
const ATTRIBUTE_CONTEXTS = [
  ['<img src=x', '>'],
  ['<img src="/a.png"', ' />'],
  ['<a href="/a"', '>x</a>'],
  ['<p', '>x</p>'],
  ['<td', '>x</td>'],
  ['<pre class="language-js"', '>x</pre>'],
  ['<details open', '><summary>x</summary></details>'],
  ['<svg', '></svg>'],
  ['<body', '>'],
  ['<x-y autofocus tabindex=1', '>x</x-y>'],
  ['<iframe src=#', '></iframe>'],
  ['<input autofocus', '>'],
] as const;

const SCRIPT = 'javascript:alert(1)';

/** Attributes that are allowed, but not with any value. */
const ALLOWED_ATTRIBUTES = [
  '<img src="/a" width="*">',
  '<img src="/a" height="*">',
  '<pre class="*">x</pre>',
  '<code class="*">x</code>',
  '<code class="language-*">x</code>',
  '<p class="language-*">x</p>',
  ...['<td colspan="*">', '<td rowspan="*">', '<th scope="*">'].map(
    (cell) => `<table><tr>${cell}x</table>`,
  ),
];

const ODD_VALUES = [
  '1e3',
  '-1',
  '1%',
  '1px;x:expression(alert(1))',
  '0x10',
  '\uff11',
  '1 onerror=alert(1)',
  'modal overlay',
  'language-x admin',
  'x&quot; onerror=&quot;alert(1)',
  '&#49;&#10;',
  '<b>',
];

export const ATTRIBUTE_ATTACKS: Attacks = {
  'event handler': [
    ...HANDLERS.flatMap((handler) =>
      ATTRIBUTE_CONTEXTS.map(([start, end]) => `${start} ${handler}="alert(1)"${end}`),
    ),
    ...ATTRIBUTE_SYNTAXES.flatMap((written) =>
      ATTRIBUTE_CONTEXTS.map(
        ([start, end]) => `${start}${written('onmouseover', 'alert(1)')}${end}`,
      ),
    ),
  ],
  'attribute syntax': [
    ...product(ALLOWED_ATTRIBUTES, ODD_VALUES).map(([context, value]) =>
      context.replace('*', value),
    ),
    ...ATTRIBUTE_SYNTAXES.flatMap((written) => [
      `<a${written('href', SCRIPT)}>x</a>`,
      `<a ${written('href', SCRIPT)} title="y">x</a>`,
      `<img${written('src', SCRIPT)}>`,
      `<img${written('onerror', 'alert(1)')} src=x>`,
      `<img src=x${written('onerror', 'alert(1)')}>`,
      `<script${written('src', 'https://x.example/a.js')}></script>`,
      `<td${written('background', SCRIPT)}>x</td>`,
      `<svg${written('onload', 'alert(1)')}>`,
      `<form><button${written('formaction', SCRIPT)}>x`,
      `<p${written('style', 'width:expression(alert(1))')}>x</p>`,
    ]),
  ],
};
