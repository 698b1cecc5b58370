import type { Attacks } from '../attack-classes.js';
import { product } from './product.js';

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

const METADATA = [
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1);">',
  '<meta http-equiv="refresh" content="0;url=data:text/html base64,PHNjcmlwdD4K">',
  '<meta http-equiv="refresh" content="0; URL=http://;URL=javascript:alert(1);">',
  '<meta content="&NewLine; 1 &NewLine;; JAVASCRIPT&colon; alert(1)" http-equiv="refresh"/>',
  '<meta http-equiv="Link" content="<https://x.example/a.css>; REL=stylesheet">',
  '<meta http-equiv="Set-Cookie" content="a=<script>alert(1)</script>">',
  '<meta http-equiv="Content-Security-Policy" content="script-src *">',
  '<meta http-equiv="Content-Type" content="text/html; charset=utf-7">',
  '<meta name="referrer" content="unsafe-url">',
  '<meta charset="utf-7">',
  '<base href="javascript:alert(1);//">',
  '<base href="//x.example/" target="x">',
  '<link rel="stylesheet" href="javascript:alert(1);">',
  '<link rel="stylesheet" href="https://x.example/a.css">',
  '<link rel=import href="data:text/html,x">',
  '<link rel=prefetch href="//x.example">',
  '<link rel=preload as=script href="//x.example" onload=alert(1)>',
  '<title onclick=x>y</title>',
  '<html onclick=alert(1) manifest="//x.example">',
  '<body onload=alert(1) background=javascript:x style="x:y" id=z>',
  '<head><base href=//x.example></head>',
];

/** URLs like those of a host that may be embedded (HOST_SETTINGS), most of which are not of that host. */
const EMBED_URLS = [
  ...['https://x.example', 'HTTPS://X.EXAMPLE/a', ' https://x.example:443/"onload=alert(1) x="'],
  ...['http://x.example/', '//x.example/', '/\\x.example/', 'https:/x.example/', 'https:x.example'],
  ...['https://x.example.evil.com/', 'https://evil-x.example/', 'https://a.x.example/'],
  ...['https://x.example@evil.com/', 'https://a:b@x.example/', 'https://x.example:8443/'],
  ...['https://x.example\\@evil.com/', 'https://x.example\\.evil.com/', 'https://x.example./'],
  ...[
    'ht\ttps://x.example/',
    'https://x.exa\tmple/',
    'https:&Tab;//x.example/',
    '\u0001https://x.example/',
  ],
  ...['https://x.example%2Fevil.com/', 'https://x.example%00.evil.com/', 'https://x%2Eexample/'],
  ...[
    'https://\uff58.example/',
    'https://x\u3002example/',
    'https://\u0445.example/',
    'https://x\u00ad.example/',
  ],
  ...['https://evil.com/#https://x.example/', 'https://evil.com?x.example', 'https://[x.example]/'],
  ...[
    'javascript://x.example/%0aalert(1)',
    'data:text/html,https://x.example/',
    'blob:https://x.example/a',
  ],
  ...[
    'https://',
    'https:///x.example/',
    'https://x.example/<script>alert(1)</script>',
    'https:// x.example/',
  ],
];

const EMBEDDED = [
  '<iframe src="javascript:alert(1);"></iframe>',
  '<iframe src="data:text/html,<script>alert(1)</script>"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe src="//x.example" sandbox="allow-scripts allow-same-origin"></iframe>',
  '<iframe src="https://www.youtube.com@x.example/"></iframe>',
  '<iframe src="https://www.youtube.com%2Fx.example/"></iframe>',
  '<iframe src="https://www.\uff59outube.com/"></iframe>',
  '<iframe src="/\\x.example"></iframe>',
  '<iframe><img src=x onerror=alert(1)></iframe>',
  ...product(
    ['<iframe src="*"></iframe>', '<iframe src="*" allowfullscreen sandbox="" onload=alert(1)>x'],
    EMBED_URLS,
  ).map(([context, url]) => context.replace('*', () => url)),
  '<frameset onload=alert(1)><frame src="javascript:alert(1);"></frameset>',
  '<frame src="//x.example">',
  '<noframes><img src=x onerror=alert(1)></noframes>',
  '<object data="javascript:alert(1)"></object>',
  '<object type="text/x-scriptlet" data="https://x.example/s.html"></object>',
  '<object classid="clsid:333C7BC4-460F-11D0-BC04-0080C7055A83"><param name="DataURL" value="javascript:alert(1)"></object>',
  '<object><img src=x onerror=alert(1)></object>',
  '<embed src="https://x.example/a.swf" AllowScriptAccess="always">',
  '<applet code="javascript:confirm(1);"></applet>',
  '<portal src="javascript:alert(1)" onload=alert(1)></portal>',
  '<fencedframe src="https://x.example"></fencedframe>',
  '<video><source onerror="alert(1)"></video>',
  '<video poster="javascript:alert(1)" src=x onerror=alert(1)></video>',
  '<audio src=x onerror=alert(1) autoplay></audio>',
  '<canvas onclick=alert(1)><img src=x onerror=alert(1)></canvas>',
  '<layer src="https://x.example/a.html"></layer>',
  '<bgsound src="javascript:alert(1);">',
  '<webview src="https://x.example" preload="x"></webview>',
];

const FORMS = [
  '<form action="https://x.example"><input name=password></form>',
  '<form><button formaction="javascript:alert(1)">x</button></form>',
  '<form id=x></form><button form=x formaction=javascript:alert(1)>y</button>',
  '<form><input type=submit formaction=//x.example></form>',
  '<form><input type="image" src="javascript:alert(1);"></form>',
  '<input/onmouseover="javaSCRIPT&colon;confirm&lpar;1&rpar;"',
  '<input autofocus onfocus=alert(1)>',
  '<input value="XSS" type=text>',
  '<isindex type=image src=1 onerror=alert(1)>',
  '<isindex x="javascript:" onmouseover="alert(1)">',
  '<keygen autofocus onfocus=alert(1)>',
  '<button onclick=alert(1)>x</button>',
  '<button popovertarget=x command=show-modal commandfor=y>z</button>',
  '<textarea autofocus onfocus=alert(1)>x</textarea>',
  '<fieldset onclick=alert(1)><legend>x</legend></fieldset>',
  '<label onclick=alert(1)>x<input></label>',
  '<output name=x onclick=alert(1)>y</output>',
  '<meter onmouseover=alert(1)>x</meter><progress onclick=x>y</progress>',
  '<form><form><form action=javascript:alert(1)><input type=submit>',
  '<form><a href="javascript:\\u0061lert(1)">X',
];

export const DOCUMENT_ATTACKS: Attacks = {
  'document metadata': inContexts(METADATA),
  'frame or plug-in': inContexts(EMBEDDED),
  form: inContexts(FORMS),
};
