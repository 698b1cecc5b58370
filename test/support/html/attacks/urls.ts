import type { Attacks } from '../attack-classes.js';
import { put } from './product.js';
import { CHARACTER_REFERENCES, SCHEME_SPELLINGS } from './spellings.js';

/** Attributes whose value browsers, or scripts of a page, may use as a URL, each with its element. */
const URL_ATTRIBUTES = (
  'a[href] a[ping] a[xlink:href] a[data-href] area[href] area[ping] img[src] img[srcset] ' +
  'img[lowsrc] img[dynsrc] img[longdesc] img[usemap] img[data-src] image[src] image[href] ' +
  'source[srcset] input[src] input[formaction] button[formaction] form[action] isindex[action] ' +
  'bgsound[src] iframe[src] iframe[longdesc] frame[src] embed[src] embed[code] portal[src] ' +
  'object[data] object[codebase] object[classid] applet[code] param[value] fencedframe[src] ' +
  'video[src] video[poster] audio[src] track[src] layer[src] xml[src] body[background] ' +
  'table[background] td[background] th[background] menuitem[icon] html[manifest] head[profile] ' +
  'link[href] base[href] script[src] script[xlink:href] blockquote[cite] q[cite] del[cite] ' +
  'ins[cite] div[datasrc] command[icon] math[href] math[xlink:href]'
).split(' ');

const LINK = '<a href="*">x</a>';
const PICTURE = '<img src="*" alt="x">';
/** Files to play, and pictures in several sizes. */
const FILES = [
  '<video src="*"></video>',
  '<video src="https://x.example/a" poster="*"></video>',
  '<audio><source src="*"></audio>',
  '<video src="https://x.example/a"><track src="*"></video>',
  '<img src="/a" srcset="*">',
  '<picture><source srcset="/a 1x, * 2x"><img src="/a"></picture>',
];
const WITHOUT_DOUBLE_QUOTES = ['<a href=*>x</a>', "<img src='*'>"];

/** `*` stands for the URL. */
const URL_CONTEXTS = [
  LINK,
  PICTURE,
  ...WITHOUT_DOUBLE_QUOTES,
  ...FILES,
  '<a href="/a" href="*">x</a>',
  '<picture><source srcset="*"><img src="/a"></picture>',
  '<table><td background="*">x</table>',
  '<svg><a xlink:href="*"><text>x</text></a></svg>',
  '<svg><use href="*"></use></svg>',
  '<math><mtext><a href="*">x</a></mtext></math>',
  '<math><maction xlink:href="*">x</maction></math>',
  ...URL_ATTRIBUTES.map((url) => `<${url.replace('[', ' ').replace(']', '="*"')}>x`),
];

const SCRIPT = 'javascript:alert(1)';

const ODD_URLS = (
  "javascript: javascript:alert('XSS') javascript:alert(String.fromCharCode(88,83,83)) " +
  'javascript://%0aalert(1) javascript://https://x.example/%0aalert(1) vbscript:msgbox(1) ' +
  'livescript:x mocha:x x-javascript:x feed:javascript:alert(1) view-source:javascript:alert(1) ' +
  'jar:https://x.example!/a about:blank blob:https://x.example/a file:///etc/passwd res://x ' +
  'ms-calculator: x.y:z x+y:z x1:z intent://x#Intent;end ftp://x.example tel: tel:javascript:x mailto https http: ' +
  'https:/x.example https:x.example https:\\\\x.example http:///x.example http:/\\x.example ' +
  'relative ./x ../x ?x : :x \\x'
).split(' ');

const FOREIGN_HOSTS = [
  '//x.example',
  '/\\x.example',
  '\\\\x.example',
  '/\t/x.example',
  '\t//x.example',
  '\0//x',
  '/&Tab;/x.example',
  '&#x2f;&#x2f;x.example',
  '&#47&#47x.example',
  '/&bsol;x.example',
  '&#1;//x',
  '//x@y',
  '//\uff58.example',
  '\u00a0//x',
  '//',
  '\uff0f\uff0fx.example',
];

const DATA_URLS = [
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:text/html;charset=utf-7,+ADw-script+AD4-',
  'data:image/svg+xml,%3Csvg onload=alert(1)%3E',
  'DATA:text/html,x',
  'data:image/png;base64,iVBORw0KGgo=',
  'data&colon;text/html,x',
  'data\t:text/html,x',
];

/** URLs within values that are not URLs themselves. */
const URLS_WITHIN_VALUES = [
  '<img srcset="/a 1x, javascript:alert(1) 2x">',
  '<img src="/a" srcset=",,javascript:alert(1)" sizes="1px">',
  '<img src="/a" srcset="/b,javascript:alert(1) 2x,//x.example 3x">',
  '<img srcset="/b 1x,//x.example 2x,/\\x.example 3x, /a">',
  '<img srcset="https://x.example/a 1w 2h,javascript:alert(1) .5x">',
  '<img src="/a" srcset="/b 1x , data:image/svg+xml,%3Csvg/onload=alert(1)%3E 2x">',
  '<video><source src="https://x.example/a"><source src="javascript:alert(1)" onerror="alert(1)"></video>',
  '<a href="/a" rel="nofollow javascript:alert(1) opener">x</a>',
  '<a href="tel:javascript:alert(1)">x</a><a href="tel:+1;x=javascript:alert(1)">y</a>',
  '<a href="/a" ping="/b javascript:alert(1)">x</a>',
  '<meta http-equiv=refresh content="0; URL=http://;URL=javascript:alert(1)">',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe srcdoc="&lt;img src=x onerror=alert(1)&gt;"></iframe>',
  '<svg><animate attributeName=href values="javascript:alert(1);x"></svg>',
  '<div style="background:url(javascript:alert(1))">x</div>',
];

const MARKUP_TO_ENCODE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
];

export const URL_ATTACKS: Attacks = {
  'scheme in a URL attribute': [
    ...put(URL_CONTEXTS, [SCRIPT, 'vbscript:msgbox(1)', 'JaVaScRiPt:alert`1`']),
    ...put([LINK, PICTURE, ...FILES], ODD_URLS),
  ],
  'spelling of a scheme': put(
    [
      LINK,
      PICTURE,
      ...FILES,
      ...WITHOUT_DOUBLE_QUOTES,
      '<form action="*">',
      '<svg><a xlink:href="*"></svg>',
    ],
    SCHEME_SPELLINGS.flatMap((spell) => [spell(SCRIPT), spell('vbscript:alert(1)')]),
  ),
  'protocol-relative URL': put(
    [
      LINK,
      PICTURE,
      ...FILES,
      ...WITHOUT_DOUBLE_QUOTES,
      '<iframe src="*"></iframe>',
      '<base href="*">',
    ],
    FOREIGN_HOSTS,
  ),
  'data URL': put(URL_CONTEXTS, DATA_URLS),
  'URL within a value': put(
    ['*', '<p>*</p>', '<table><td>*</table>', '<ul><li>*', '<b>*', '<pre>*', '<h1>*'],
    URLS_WITHIN_VALUES,
  ),
  'character reference': CHARACTER_REFERENCES.flatMap((write) => [
    ...put(URL_CONTEXTS.slice(0, 16), [write(SCRIPT)]),
    ...MARKUP_TO_ENCODE.flatMap((markup) => [
      write(markup),
      `<p title="${write(markup)}">x</p>`,
      `<abbr title="${write(`">${markup}`)}">x</abbr>`,
      `<img src=x alt='${write(`'>${markup}`)}'>`,
      `<pre><code>${write(markup)}</code></pre>`,
      `<textarea>${write(`</textarea>${markup}`)}</textarea>`,
      `<noscript>${write(markup)}</noscript>`,
    ]),
    `<img src=x onerror="${write('alert(1)')}">`,
    `<a href="${write('//x.example')}">x</a>`,
  ]),
};
