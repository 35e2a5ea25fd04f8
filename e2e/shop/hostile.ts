const run = 'alert(1)'
const tags = [
  'img',
  'svg',
  'video',
  'audio',
  'input',
  'details',
  'body',
  'iframe',
  'object',
  'embed',
  'marquee',
  'math',
]
const events = ['onerror', 'onload', 'onfocus', 'onmouseover', 'ontoggle', 'onanimationstart', 'onpointerenter']
const urls = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
]

/** Texts that are markup, code or URLs if not escaped. */
export const hostileWords: readonly string[] = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "';alert(1)//",
  '</script><script>alert(1)</script>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<a href="javascript:alert(1)">x</a>',
  '{{constructor.constructor("alert(1)")()}}',
  '<!--<script>',
  ']]><script>alert(1)</script>',
  '\u2028alert(1)\u2029',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<style>*{background:url(https://evil.example/x)}</style>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '</title><script>alert(1)</script>',
  '</textarea><img src=x onerror=alert(1)>',
  '<link rel=stylesheet href=https://evil.example/x.css>',
  '<form action=https://evil.example/><button>x</button></form>',
  `\${${run}}`,
  `"-${run}-"`,
  '<scr<script>ipt>alert(1)</script>',
  '<p style="position:fixed;inset:0;z-index:9999">x</p>',
  '&#x6a;avascript:alert(1)',
  ...tags.map((tag, n) => `<${tag} src=x autofocus ${events[n % events.length]}=${run}>`),
  ...events.flatMap((event) => [`" ${event}="${run}" x="`, `' ${event}='${run}' x='`]),
  ...urls.flatMap((url) => [url, `<a href='${url}'>x</a>`, `[x](${url})`]),
]
