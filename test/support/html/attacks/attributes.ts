import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Attacks } from '../attack-classes.js';
import { put } from './product.js';
import { ATTRIBUTE_SYNTAXES } from './spellings.js';

/** Event handlers of former browsers, HTML+TIME and SVG animation, which current lists lack. */
const FORMER_HANDLERS = (
  'onactivate onafterscriptexecute onbeforecopy onbeforeeditfocus onbegin onbounce oncellchange ' +
  'ondataavailable onend onfilterchange onfinish onfocusin onhelp onlocation onlosecapture ' +
  'onmousewheel onpropertychange onreadystatechange onrepeat onsearch onshow onstart onstop onundo ' +
  'onwebkitplaybacktargetavailabilitychanged fscommand seeksegmenttime'
).split(' ');

/** Every event handler in the DOM types of the installed TypeScript. */
function currentHandlers(): string[] {
  const compiler = createRequire(import.meta.url).resolve('typescript');
  const browser = readFileSync(join(dirname(compiler), 'lib.dom.d.ts'), 'utf8');
  return [...browser.matchAll(/^ {4}(on[a-z]+): \(/gm)].map(([, name = '']) => name);
}

export const HANDLERS = [...new Set([...currentHandlers(), ...FORMER_HANDLERS])].sort();

/** Elements of each kind; `*` stands for an attribute and the blank before it. */
const ELEMENTS = [
  '<img src="/a.png"* />',
  '<a href="/a"*>x</a>',
  '<p*>x</p>',
  '<td*>x</td>',
  '<pre class="language-js"*>x</pre>',
  '<details open*><summary>x</summary></details>',
  '<svg*></svg>',
  '<body*>',
  '<x-y autofocus tabindex=1*>x</x-y>',
  '<iframe src=#*></iframe>',
  '<video src="https://x.example/a"*></video>',
  '<audio*><source src="https://x.example/a"></audio>',
  '<video src="https://x.example/a"><track src="https://x.example/b"*></video>',
  '<picture*><source srcset="/a"><img src="/a"></picture>',
  '<video><source src="https://x.example/a"*></video>',
  '<input type="checkbox" disabled*>',
  '<ol start="1"*><li>x</ol>',
  '<ul><li value="1"*>x</ul>',
  '<bdo dir="rtl"*>x</bdo>',
  '<span lang="en"*>x</span>',
  '<ruby*>x<rt>y</rt></ruby>',
  '<ruby>x<rt*>y</rt></ruby>',
  '<table><colgroup*><col*></table>',
];

const SCRIPT = 'javascript:alert(1)';

/** Attributes that are allowed with certain values only; `*` stands for the value. */
const ALLOWED_ATTRIBUTES = [
  '<img src="/a" width="*" height="*">',
  '<pre class="*">x</pre>',
  '<code class="language-*">x</code>',
  '<table><tr><td colspan="*" rowspan="*">x</table>',
  '<table><tr><th scope="*">x</table>',
  '<table><tr><th abbr="*" id="x">x<td headers="*">y</table>',
  '<table><colgroup span="*"><col span="*"></table>',
  '<ol start="*" type="*" reversed="*"><li value="*">x</ol>',
  '<p dir="*" lang="*">x</p>',
  '<span dir="*" lang="*">x</span>',
  '<a href="/a" rel="*">x</a>',
  '<img src="/a" srcset="/a *, /b 1x" sizes="*">',
  '<picture><source srcset="/a" media="*" type="*" width="*"><img src="/a"></picture>',
  '<video src="https://x.example/a" controls="*" width="*" autoplay="*" preload="*"></video>',
  '<video src="https://x.example/a"><track src="https://x.example/b" kind="*" srclang="*" label="*" default="*"></video>',
  '<input type="checkbox" checked="*" disabled="*" value="*" name="*">',
  '<input type="*" disabled>',
];

const ODD_VALUES = [
  '-1',
  '1px;x:expression(alert(1))',
  '\uff11',
  '1 onerror=alert(1)',
  'language-x admin',
  'x&quot; onerror=&quot;alert(1)',
  '<b>',
  '(width >= 1px) 1px"><script>alert(1)</script>',
];

const inEverySyntax = (name: string, value: string) =>
  ATTRIBUTE_SYNTAXES.map((write) => write(name, value));

export const ATTRIBUTE_ATTACKS: Attacks = {
  'event handler': [
    ...put(
      ELEMENTS,
      HANDLERS.map((handler) => ` ${handler}="alert(1)"`),
    ),
    ...put(ELEMENTS, inEverySyntax('onmouseover', 'alert(1)')),
  ],
  'attribute syntax': [
    ...put(ALLOWED_ATTRIBUTES, ODD_VALUES),
    ...put(['<a*>x</a>', '<a * title="y">x</a>'], inEverySyntax('href', SCRIPT)),
    ...put(['<img*>', '<svg*>'], inEverySyntax('src', SCRIPT)),
    ...put(['<img* src=x>', '<img src=x*>'], inEverySyntax('onerror', 'alert(1)')),
    ...put(['<td*>x</td>', '<p*>x</p>'], inEverySyntax('style', 'width:expression(alert(1))')),
    ...put(['<form><button*>x'], inEverySyntax('formaction', SCRIPT)),
  ],
};
