import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import layers from './layers.cjs'

// Each check takes the sources ([{ path, text }], paths from the root) and returns its findings as lines.

const isTest = (path) => /\.test\.\w+$|\/test-[\w-]+\.tsx?$|^server\/test\/|^web\/test\/|^e2e\//.test(path)
const isWeb = (path) => /^(web|demo\/phones)\/.*\.(tsx?|css)$/.test(path) && !path.startsWith('web/vite')

export function readSources(root) {
  return ['contract', 'server', 'web', 'demo', 'e2e', 'scripts', 'bench', 'drills']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
    .filter((path) => /\.(tsx?|mjs|cjs|css|json|sql)$/.test(path) && !/node_modules|\/migrations\//.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

export function longFiles(sources) {
  return sources
    .filter(({ path }) => !path.endsWith('.json'))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1, limit: isTest(path) ? 400 : 300 }))
    .filter(({ lines, limit }) => lines > limit)
    .map(({ path, lines, limit }) => `${path} has ${lines} lines (${limit} at most)`)
}

export function rawColours(sources) {
  const colour =
    /(?<!href=.)(?<=['"`(:,\s[])#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})(?![\w-])|\b(?:rgba?|hsla?|oklch|oklab|lab|lch)\(/i
  return search(sources, (path) => isWeb(path) && !isTest(path) && path !== 'web/app/styles/tokens.css', colour)
}

export function physicalSides(sources) {
  const css =
    /(?<![\w-])(?:(?:margin|padding|border|inset|scroll-\w+)-(?:left|right)|(?:left|right)\s*:|text-align\s*:\s*(?:left|right)|float\s*:\s*(?:left|right))/
  const classes =
    /(?<!href=.)(?<=["'`\s:!-])(?:-?(?:m|p|scroll-m|scroll-p)[lr]-[\w[]|-?(?:left|right)-[\w[]|border-[lr](?!\w)|rounded-(?:[tb][lr](?!\w)|[lr]-)|(?:text|float|clear)-(?:left|right)(?!\w))/
  return [
    ...search(sources, (path) => isWeb(path) && path.endsWith('.css'), css),
    ...search(sources, (path) => isWeb(path) && path.endsWith('.tsx') && !isTest(path), classes),
  ]
}

/** Font sizes in px ignore the browser's text size setting. */
export function fixedType(sources) {
  return search(
    sources,
    (path) => isWeb(path) && !isTest(path),
    /(?<![\w-])(?:text-\[[\d.]+px\]|(?:font-size|--t-[a-z]+)\s*:\s*[\d.]+px|fontSize:\s*['"]?[\d.]+(?:px)?['"]?\s*[,}])/,
  )
}

/** Numbers, money and dates are formatted in one module per side, so that all pages format them alike. */
export function strayFormats(sources) {
  const allowed = /^(contract|scripts|bench|drills|e2e)\/|^web\/vite/
  return search(
    sources,
    (path) => /\.tsx?$/.test(path) && !isTest(path) && !allowed.test(path),
    /\.toLocale\w*String\(|new Intl\./,
  )
}

/** Money is rounded and written by contract/lib/money.ts alone. */
export function strayRounding(sources) {
  return search(
    sources,
    (path) => /^(server|web)\/.*\.tsx?$/.test(path) && !isTest(path),
    /\.toFixed\(3\)|Math\.round\([^\n]*\* 1_?000\) \/ 1_?000\b/,
  )
}

/** Browser storage can be blocked. Only one module accesses it, and handles that; service workers run only where it is not. */
export function straySiteData(sources) {
  const allowed = /^web\/lib\/site-data\.ts$|-worker\.ts$|^web\/lib\/page-cache\.ts$|^web\/vite/
  return search(
    sources,
    (path) => isWeb(path) && !isTest(path) && !allowed.test(path),
    /(?<!`)\b(?:localStorage|sessionStorage|indexedDB|BroadcastChannel\(|document\.cookie|navigator\.(?:locks|serviceWorker|storage)\b|cookieStore|caches\.)(?!`)/,
  )
}

/** Values are parameters; an identifier in the SQL text goes through escapeIdentifier. */
export function builtSql(sources) {
  const isServer = (path) => /^(server|demo)\/.*\.ts$/.test(path) && !isTest(path)
  const built = [
    /\bsql\.raw\(|\.query(?:<[^(]*>)?\(\s*(?:`[^`]*\$\{(?!(?:pg\.)?escapeIdentifier\()|'[^'\n]*'\s*\+|"[^"\n]*"\s*\+)/,
    // A prepared statement that is made while a request is answered, and text that a query takes by name.
    /\brun(?:<[^(]*>)?\([^()]*\bstatement\(|\btext:\s*(?:`[^`]*\$\{|'[^'\n]*'\s*\+)/,
  ]
  return built.flatMap((pattern) => search(sources, isServer, pattern))
}

/**
 * Only `authenticate` reads the session cookie and the session: a second reader would be a second set of rules. Open
 * event streams read the rights of their sessions again.
 */
export function straySessions(sources) {
  const reading = /^server\/(?:http\/(?:\w+\/)?(?:authenticate|session-cookie|event-streams)\.ts$)/
  const composing = /^server\/(?:app|device)\.ts$/
  const isMeant = (path) => /^server\/.*\.ts$/.test(path) && !isTest(path) && !reading.test(path)
  return [
    ...search(
      sources,
      isMeant,
      /\b(?:readCookie|parseCookie)\(|\bheaders\.cookie\b|\bcookie\b[^\n]*\}: IncomingHttpHeaders|\bsessions\.(?:find|readMany)\b/,
    ),
    ...search(sources, (path) => isMeant(path) && !composing.test(path), /\/session-reader\.ts'/),
  ]
}

/** Visible texts belong in contract/messages; Arabic letters in a page's code reveal one that is not there. */
export function strayWords(sources) {
  return search(sources, (path) => isWeb(path) && !isTest(path), /[\u0620-\u064a]{3}/)
}

/** Rule 7: a feature writes only its own tables, in TypeScript and in its functions and triggers. */
export function foreignWrites(sources) {
  const owners = tableOwners(sources)
  return sources.flatMap(({ path, text: whole }) => {
    const feature = featureOf(path)
    if (!feature || isTest(path) || feature === 'seed') return []
    const text = path.endsWith('.sql') ? withoutSqlComments(whole) : whole
    const writes = [
      ...text.matchAll(/\.(?:insert|update|delete)(\(\s*\w+)/g),
      ...text.matchAll(/\b(?:insert into|update|delete from)\s+"?(\$\{\w+\}|\w+)/gi),
    ]
    return writes
      .map((match) => ({ match, owner: owners.get(match[1].replace(/\s/g, '')) }))
      .filter(({ owner }) => owner !== undefined && owner !== feature)
      .map(
        ({ match, owner }) => `${path}:${lineOf(text, match.index)} writes a table of ${owner}: ${firstLine(match[0])}`,
      )
  })
}

/** A trigger is beside the feature of its table or beside a higher one, as an import would be. */
export function triggersUpwards(sources) {
  const owners = tableOwners(sources)
  return sources.flatMap(({ path, text }) => {
    const feature = featureOf(path)
    if (!feature || !path.endsWith('.sql')) return []
    return [...withoutSqlComments(text).matchAll(/\btrigger (\w+) (?:before|after)\b[^;]*? on (\w+)/g)]
      .filter(([, , table]) => layers.server.indexOf(owners.get(table)) > layers.server.indexOf(feature))
      .map(([, name, table]) => `${path}: the trigger ${name} is on a table of ${owners.get(table)}`)
  })
}

const featureOf = (path) => /^server\/([\w-]+)\//.exec(path)?.[1]

function tableOwners(sources) {
  const owners = new Map()
  for (const { path, text } of sources) {
    const feature = featureOf(path)
    if (!feature || !/\btables\.ts$/.test(path)) continue
    for (const [, local, name] of text.matchAll(/const (\w+) = \w*[tT]able\(\s*'(\w+)'/g)) {
      owners.set(name, feature)
      owners.set(`\${${local}}`, feature)
      owners.set(`(${local}`, feature)
    }
  }
  return owners
}

/** Both languages have the same keys and placeholders, and Arabic has all six plural forms. */
export function unevenMessages(sources) {
  const files = new Map(
    sources.filter(({ path }) => path.startsWith('contract/messages/')).map(({ path, text }) => [path, text]),
  )
  const findings = []
  for (const path of files.keys()) {
    const [, feature, lang] = /([\w-]+)\.(ar|en)\.json$/.exec(path) ?? []
    if (!feature) {
      findings.push(`${path} is no <feature>.<ar|en>.json`)
      continue
    }
    const other = path.replace(/\.(ar|en)\.json$/, lang === 'ar' ? '.en.json' : '.ar.json')
    if (!files.has(other)) {
      findings.push(`${other} is missing`)
      continue
    }
    const words = JSON.parse(files.get(path))
    const otherWords = JSON.parse(files.get(other))
    for (const [key, message] of Object.entries(words)) {
      if (typeof message !== 'string' || message.trim() === '') findings.push(`${path}: ${key} is empty`)
      else if (!(key in otherWords)) findings.push(`${other}: ${key} is missing`)
      else if (lang === 'ar') findings.push(...unevenMessage(path, key, message, otherWords[key]))
    }
  }
  return findings
}

function unevenMessage(path, key, arabic, english) {
  const findings = []
  const plural = /\{\s*(\w+)\s*,\s*plural\s*,/g
  for (const match of arabic.matchAll(plural)) {
    const forms = formsOf(arabic, match.index + match[0].length)
    const missing = ['zero', 'one', 'two', 'few', 'many', 'other'].filter((form) => !forms.has(form))
    if (missing.length > 0) findings.push(`${path}: ${key} lacks the plural ${missing.join(', ')}`)
  }
  // A case of a choice can begin with a word and a comma too.
  const filled = /\{\s*(\w+)\s*(?:\}|,\s*(?:plural|select|selectordinal|number|date|time)\b)/g
  const blanks = (message) => [...new Set([...message.matchAll(filled)].map(([, name]) => name))].sort()
  const [here, there] = [blanks(arabic), blanks(english)]
  if (String(here) !== String(there)) findings.push(`${path}: ${key} fills {${here}}, the English one {${there}}`)
  return findings
}

/** The selectors of one plural block, read to its closing brace. */
function formsOf(message, start) {
  const forms = new Set()
  let depth = 0
  let word = ''
  for (let at = start; at < message.length && depth >= 0; at++) {
    const letter = message[at]
    if (letter === '{') {
      if (depth === 0) forms.add(word.trim())
      depth++
      word = ''
    } else if (letter === '}') {
      depth--
      word = ''
    } else if (depth === 0) word += letter
  }
  return forms
}

function search(sources, isMeant, pattern) {
  const every = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`)
  return sources
    .filter(({ path }) => isMeant(path))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text)
      return [...code.matchAll(every)].map((match) => `${path}:${lineOf(code, match.index)} ${firstLine(match[0])}`)
    })
}

/** Comments become blanks, so that lines keep their numbers. */
function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<![:\w'"`])\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ' '))
}

function withoutSqlComments(text) {
  return text.replace(/--[^\n]*/g, '')
}

function lineOf(text, index) {
  return text.slice(0, index).split('\n').length
}

function firstLine(text) {
  return text.split('\n')[0].trim()
}
