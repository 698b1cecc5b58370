import type { Attacks } from '../attack-classes.js';
import { product } from './product.js';
import { CHARACTER_REFERENCES, SCHEME_SPELLINGS } from './spellings.js';

/** Every element and attribute that some browser takes a URL from; `*` stands for the URL. */
const URL_CONTEXTS = [
  ...[
    '<a href="*">x</a>',
    '<a href=* >x</a>',
    '<a ping="*" href="/a">x</a>',
    '<a xlink:href="*">x</a>',
  ],
  ...[
    '<a href="/a" href="*">x</a>',
    '<a data-href="*">x</a>',
    '<area href="*">',
    '<area ping="*">',
  ],
  ...['<img src="*">', "<img src='*' alt>", '<img src=* >', '<img srcset="* 1x, * 2x">'],
  ...[
    '<img lowsrc="*">',
    '<img dynsrc="*">',
    '<img longdesc="*">',
    '<img usemap="*">',
    '<image src="*">',
  ],
  ...[
    '<img data-src="*">',
    '<image href="*">',
    '<picture><source srcset="*"><img src="/a"></picture>',
  ],
  ...['<input type=image src="*">', '<input formaction="*">', '<button formaction="*">x</button>'],
  ...['<form action="*"><button>x</button></form>', '<isindex action="*">', '<bgsound src="*">'],
  ...['<iframe src="*"></iframe>', '<iframe longdesc="*"></iframe>', '<frame src="*">'],
  ...[
    '<frameset><frame src="*"></frameset>',
    '<embed src="*">',
    '<embed code="*">',
    '<portal src="*">',
  ],
  ...['<object data="*"></object>', '<object codebase="*"></object>', '<applet code="*"></applet>'],
  ...['<object classid="*"></object>', '<param name=movie value="*">', '<fencedframe src="*">'],
  ...['<video src="*"></video>', '<video poster="*"></video>', '<audio src="*"></audio>'],
  ...[
    '<video><source src="*"></video>',
    '<track src="*">',
    '<layer src="*"></layer>',
    '<xml src="*">',
  ],
  ...['<body background="*">', '<table background="*"><tr><td>x</table>', '<menuitem icon="*">'],
  ...['<table><td background="*">x</table>', '<table><th background="*">x</table>'],
  ...[
    '<html manifest="*">',
    '<head profile="*">',
    '<link rel=stylesheet href="*">',
    '<base href="*">',
  ],
  ...[
    '<link rel=import href="*">',
    '<script src="*"></script>',
    '<script xlink:href="*"></script>',
  ],
  ...['<blockquote cite="*">x</blockquote>', '<q cite="*">x</q>', '<del cite="*">x</del>'],
  ...['<ins cite="*">x</ins>', '<div datasrc="*">x</div>', '<command icon="*">'],
  ...[
    '<svg><a href="*"><text>x</text></a></svg>',
    '<svg><a xlink:href="*"><text>x</text></a></svg>',
  ],
  ...['<svg><use href="*"></use></svg>', '<svg><image href="*"></image></svg>'],
  ...[
    '<svg><script href="*"></script></svg>',
    '<math href="*">x</math>',
    '<math xlink:href="*">x</math>',
  ],
  ...[
    '<math><mtext><a href="*">x</a></mtext></math>',
    '<math><maction xlink:href="*">x</maction></math>',
  ],
];

const SCRIPT = 'javascript:alert(1)';
const LINK = '<a href="*">x</a>';
const PICTURE = '<img src="*" alt="x">';

const SCHEMES = [
  ...[SCRIPT, "javascript:alert('XSS')", 'javascript:alert(String.fromCharCode(88,83,83))'],
  ...['javascript://%0aalert(1)', 'javascript://https://x.example/%0aalert(1)', 'javascript:'],
  ...[
    'vbscript:msgbox(1)',
    'livescript:x',
    'mocha:x',
    'jscript:x',
    'ecmascript:x',
    'x-javascript:x',
  ],
  ...['feed:javascript:alert(1)', 'feed:data:text/html,x', 'view-source:javascript:alert(1)'],
  ...['jar:javascript:alert(1)', 'jar:https://x.example!/a', 'pcast:javascript:x', 'about:blank'],
  ...[
    'blob:https://x.example/a',
    'filesystem:https://x.example/a',
    'file:///etc/passwd',
    'res://x',
  ],
  ...[
    'mhtml:http://x.example/a',
    'ms-its:a',
    'ms-calculator:',
    'ms-help:x',
    'x.y:z',
    'x+y:z',
    'x1:z',
  ],
  ...[
    'intent://x#Intent;end',
    'itms-services://?x',
    'ftp://x.example',
    'ws://x.example',
    'tel:1',
    'sms:1',
  ],
  ...['chrome://settings', 'resource://x', 'wyciwyg://x', 'keyword:XSS', 'magnet:?x', 'steam://x'],
  ...['mailto', 'https', 'http:', 'https:/x.example', 'https:x.example', 'https:\\\\x.example'],
  ...['http:///x.example', 'http:/\\x.example', 'relative', './x', '../x', '?x', ':', ':x', '\\x'],
];

const FOREIGN_HOSTS = [
  ...[
    '//x.example',
    '///x.example',
    '////x.example',
    '/\\x.example',
    '\\\\x.example',
    '\\/x.example',
  ],
  ...['/\t/x.example', '/\n/x.example', '/\r/x.example', '\t//x.example', ' //x.example', '\0//x'],
  ...['/&Tab;/x.example', '/&NewLine;/x.example', '&#x2f;&#x2f;x.example', '&sol;&sol;x.example'],
  ...[
    '&#47&#47x.example',
    '/&#92;x.example',
    '/&bsol;x.example',
    '/&#9;&#10;/x',
    '&#1;//x',
    '//x@y',
  ],
  ...[
    '//[::1]',
    '//127.0.0.1',
    '//%78',
    '//\uff58.example',
    '\u00a0//x',
    '/\u0000/x',
    '/\x7f/x',
    '//',
  ],
  ...['/./\\x', '/.//x.example', '/\u2044x.example', '\uff0f\uff0fx.example', '\u3002//x', '/%5cx'],
];

const DATA_URLS = [
  ...[
    'data:text/html,<script>alert(1)</script>',
    'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  ],
  ...[
    'data:text/html;charset=utf-7,+ADw-script+AD4-',
    'data:,alert(1)',
    'data:;base64,YQ==',
    'data:',
  ],
  ...[
    'data:image/svg+xml,%3Csvg onload=alert(1)%3E',
    'data:image/svg+xml;base64,PHN2Zy8+',
    'data:x',
  ],
  ...[
    'data:application/xhtml+xml,x',
    'data:text/xml,x',
    'data:text/javascript,alert(1)',
    'DATA:text/html,x',
  ],
  ...[
    'data:image/png;base64,iVBORw0KGgo=',
    'data:image/gif;base64,R0lGODlh',
    'data&colon;text/html,x',
  ],
  ...['data:text/html,%3C%73%63%72%69%70%74%3E', 'data\t:text/html,x', 'da\nta:text/html,x'],
];

/** URLs within values that are not URLs themselves. */
const WITHIN_VALUES = [
  '<img srcset="/a 1x, javascript:alert(1) 2x">',
  '<img src="/a" srcset=",,javascript:alert(1)" sizes="1px">',
  '<a href="/a" ping="/b javascript:alert(1)">x</a>',
  '<a href="/a" attributionsrc="https://x.example">x</a>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<meta http-equiv=refresh content="0; URL=http://;URL=javascript:alert(1)">',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe srcdoc="&lt;img src=x onerror=alert(1)&gt;"></iframe>',
  '<svg><animate attributeName=href values="javascript:alert(1);x"></svg>',
  '<link rel=preload imagesrcset="javascript:alert(1)">',
  '<object type="text/x-scriptlet" data="https://x.example/s.html"></object>',
  '<param name="url" value="javascript:alert(1)">',
  '<div style="background:url(javascript:alert(1))">x</div>',
  '<body style="background-image:image-set(\'javascript:alert(1)\' 1x)">',
  '<applet archive="javascript:alert(1)" code=x></applet>',
];

const put = (context: string, url: string) => context.replaceAll('*', url.replaceAll('$', '$$$$'));

export const URL_ATTACKS: Attacks = {
  'scheme in a URL attribute': [
    ...product(URL_CONTEXTS, ['javascript:alert(1)', 'vbscript:msgbox(1)', 'JaVaScRiPt:alert`1`']),
    ...product([LINK, PICTURE], SCHEMES),
  ].map(([context, url]) => put(context, url)),
  'spelling of a scheme': SCHEME_SPELLINGS.flatMap((spell) =>
    [...URL_CONTEXTS.slice(0, 16), PICTURE].flatMap((context) =>
      [SCRIPT, 'vbscript:alert(1)'].map((url) => put(context, spell(url))),
    ),
  ),
  'protocol-relative URL': product(
    [
      LINK,
      PICTURE,
      '<a href=*>x</a>',
      "<img src='*'>",
      '<iframe src="*"></iframe>',
      '<base href="*">',
    ],
    FOREIGN_HOSTS,
  ).map(([context, url]) => put(context, url)),
  'data URL': product(URL_CONTEXTS, DATA_URLS)
    .filter((_, index) => index % 2 === 0)
    .map(([context, url]) => put(context, url)),
  'URL within a value': product(
    ['*', '<p>*</p>', '<table><td>*</table>', '<ul><li>*'],
    WITHIN_VALUES,
  ).map(([context, markup]) => context.replace('*', () => markup)),
  'character reference': CHARACTER_REFERENCES.flatMap((write) => [
    ...URL_CONTEXTS.slice(0, 20).map((context) => put(context, write(SCRIPT))),
    ...[
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '<svg/onload=alert(1)>',
    ].flatMap((markup) => [
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
