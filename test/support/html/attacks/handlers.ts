import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Attacks } from '../attack-classes.js';
import { ATTRIBUTE_SYNTAXES } from './spellings.js';

/** Handlers of former browsers, of HTML+TIME and of SVG animation, which no current list has. */
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

/** Every handler that the installed TypeScript knows of a browser's elements and windows. */
function currentHandlers(): string[] {
  const compiler = createRequire(import.meta.url).resolve('typescript');
  const browser = readFileSync(join(dirname(compiler), 'lib.dom.d.ts'), 'utf8');
  return [...browser.matchAll(/^ {4}(on[a-z]+): \(/gm)].map(([, name = '']) => name);
}

export const HANDLERS = [...new Set([...currentHandlers(), ...FORMER_HANDLERS])].sort();

/** The element, before its attributes, and what follows them. */
const CARRIERS = [
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

export const HANDLER_ATTACKS: Attacks = {
  'event handler': [
    ...HANDLERS.flatMap((handler) =>
      CARRIERS.map(([start, end]) => `${start} ${handler}="alert(1)"${end}`),
    ),
    ...ATTRIBUTE_SYNTAXES.flatMap((written) =>
      CARRIERS.map(([start, end]) => `${start}${written('onmouseover', 'alert(1)')}${end}`),
    ),
  ],
};
