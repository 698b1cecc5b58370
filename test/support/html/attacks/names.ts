import type { Attacks } from '../attack-classes.js';
import { HARMFUL, product, put } from './product.js';

const NAMES = (
  'id name body forms cookie location attributes nodeName parentNode innerHTML getElementById ' +
  'currentScript __proto__ constructor toString hasOwnProperty defaultView'
).split(' ');

const CLOBBER_CONTEXTS = [
  '<a id="*"></a><a id="*" name="y" href="cid:x">y</a>',
  '<img name="*" src="/a">',
  '<form id="*"><input name="*"></form>',
  '<iframe name="*" srcdoc="x"></iframe>',
  '<h1 id="*">x</h1>',
  '<td headers="*" id="*">x</td>',
];

/** Markup in which a link leads to the id, so that the cleaner keeps an id. */
const LINKED_CONTEXTS = [
  '<p id="*">x</p><a href="#*">y</a>',
  '<a href="#*">x</a><a name="*">y</a><img id="*" src="/a">',
  '<div id="*"><span id="*">x</span></div><a href="#*" id="*">y</a>',
  '<table><tr><th id="*">x</th><td headers="* x *" id="*">y</td></tr></table>',
  '<table><tr><td headers="*">x</td></tr></table><p id="*">y</p><a name="*">z</a>',
  '<a href="#*"><form id="*"><input name="*" id="*"></form></a>',
];
const ODD_NAMES = [
  ...`h- h-x h-h-x h-__proto__ h-1 - # % %41 %E9 * " ' 1 . : fn:1`.split(' '),
  ...'&#x41; \u00e9 \u65e5\u672c \u202e \ud83d\ude00 \ud800 \u0301'.split(' '),
  '"><img src=x onerror=alert(1)>',
  '&quot; onclick=alert(1) ',
  ' a ',
  'a b',
  'a\nb',
  'x'.repeat(5_000),
  '\ud835\udd35'.repeat(200),
];

const PROPERTY_CONTEXTS = [
  '<* onclick=alert(1)>x</*>',
  '<p *="x">y</p>',
  '<a *="javascript:alert(1)">x</a>',
  '<img * src=x onerror=alert(1)>',
  '<a href="*:x">y</a>',
  '<code class="*">x</code>',
  '<*:a *:href="x">y</*:a>',
];
const PROPERTIES =
  '__proto__ constructor prototype toString valueOf hasOwnProperty __defineGetter__ length'.split(
    ' ',
  );

const MIXED_CASE_TAGS =
  'ScRiPt SCRIPT scr\u0131pt \u017fcript iMg SvG STYLE \u017ftyle IFRAME \u0130frame lin\u212a FORM'.split(
    ' ',
  );
const MIXED_CASE_ATTRIBUTES = (
  'ONERROR=alert(1) OnErRoR=alert(1) \u1d52nload=x onclic\u212a=alert(1) HREF=JAVASCRIPT:x ' +
  'SRC=JaVaScRiPt:x STYLE=x:y \u017ftyle=x:y \u017frc=javascript:x'
).split(' ');

export const NAME_ATTACKS: Attacks = {
  'clobbered name': put([...CLOBBER_CONTEXTS, ...LINKED_CONTEXTS], [...NAMES, ...ODD_NAMES]),
  'prototype property': put(PROPERTY_CONTEXTS, PROPERTIES),
  'letter case': [
    ...product(MIXED_CASE_TAGS, MIXED_CASE_ATTRIBUTES).map(
      ([name, attribute]) => `<${name} ${attribute}>x</${name}>`,
    ),
    ...HARMFUL.map((markup) => markup.toUpperCase()),
  ],
};
