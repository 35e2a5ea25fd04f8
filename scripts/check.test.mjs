import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { root } from './bootstrap.mjs'
import * as codeChecks from './code-checks.mjs'
import { slowPatterns } from './regex-checks.mjs'

// A check that never fails proves nothing: each rule is shown one violation, and must report that one and no other.

const folder = mkdtempSync(join(tmpdir(), 'qatra-rules-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A tree that breaks no rule; a violation is laid over it. */
const lawful = {
  'node_modules/zod/package.json': '{ "name": "zod", "main": "index.js" }',
  'node_modules/zod/index.js': 'exports.z = 1',
  'node_modules/pg/package.json': '{ "name": "pg", "main": "index.js" }',
  'node_modules/pg/index.js': 'exports.pg = 1',
  'contract/cart/cart.ts': "import { z } from 'zod'\nexport const cart = z",
  'server/database/db.ts': "import { pg } from 'pg'\nexport const db = pg",
  'server/cart/tables.ts': 'export const carts = 1',
  'server/cart/policy.ts': "import { carts } from './tables.ts'\nexport const policy = carts",
  'server/cart/queries.ts': "import { carts } from './tables.ts'\nexport const readCart = carts",
  'server/cart/commands.ts': "import { readCart } from './queries.ts'\nexport const addToCart = readCart",
  'server/cart/gateway.ts': 'export const telephone = 1',
  'server/cart/jobs.ts': "import { telephone } from './gateway.ts'\nexport const job = telephone",
  'server/cart/routes.ts': "import { addToCart } from './commands.ts'\nexport const routes = addToCart",
  'server/cart/cart.test.ts': "import { carts } from './tables.ts'\nexport const test = carts",
  'demo/simulators/simulators.ts': "import { db } from '../../server/database/db.ts'\nexport const simulators = db",
  'demo/phones/Phone.tsx': "import { Button } from '../../web/ui/Button.tsx'\nexport const Phone = () => <Button />",
  'server/demo.ts': "export const load = () => import('../demo/simulators/simulators.ts')",
  'server/app.ts': "import { routes } from './cart/routes.ts'\nexport const app = routes",
  'web/ui/Button.tsx': 'export const Button = () => <b />',
  'web/app/i18n.ts': 'export const t = 1',
  'web/cart/CartPage.tsx': "import { Button } from '../ui/Button.tsx'\nexport const CartPage = () => <Button />",
  'web/app/routes/routes.tsx':
    "export const route = () => [import('../../cart/CartPage.tsx'), import('../../orders/admin/Page.tsx')]",
  'web/orders/Steps.tsx': 'export const Steps = () => <p />',
  'web/orders/admin/Page.tsx': 'export const Page = () => <p />',
}

const violations = [
  ['1-no-cycles', 'server/cart/pricing.ts', "import { vat } from './vat.ts'\nexport const price = vat"],
  ['2-contract-imports-itself-and-zod', 'contract/orders/orders.ts', "import { pg } from 'pg'\nexport const x = pg"],
  [
    '2-contract-imports-itself-and-zod',
    'contract/orders/orders.ts',
    "import { readFileSync } from 'node:fs'\nexport const x = readFileSync",
  ],
  [
    '2-contract-lib-imports-no-feature',
    'contract/lib/fit.ts',
    "import { cart } from '../cart/cart.ts'\nexport const x = cart",
  ],
  [
    '3-web-and-server-do-not-import-each-other',
    'web/cart/api.ts',
    "import { db } from '../../server/database/db.ts'\nexport const x = db",
  ],
  [
    '3-web-and-server-do-not-import-each-other',
    'server/cart/vat.ts',
    "import { CartPage } from '../../web/cart/CartPage.tsx'\nexport const x = CartPage",
  ],
  [
    '3-web-and-server-do-not-import-each-other',
    'web/cart/api.ts',
    "import type { db } from '../../server/database/db.ts'\nexport type X = db",
  ],
  [
    'layers-import-downwards',
    'server/http/event-streams.ts',
    "import { readCart } from '../cart/queries.ts'\nexport const x = readCart",
  ],
  ['layers-import-downwards', 'server/lib/csv.ts', "import { db } from '../database/db.ts'\nexport const x = db"],
  [
    'layers-import-downwards',
    'server/products/queries.ts',
    "import { readCart } from '../cart/queries.ts'\nexport const x = readCart",
  ],
  [
    'layers-list-every-folder',
    'server/vouchers/queries.ts',
    "import { db } from '../database/db.ts'\nexport const x = db",
  ],
  ['web-layers-import-downwards', 'web/lib/use-form.ts', "import { t } from '../app/i18n.ts'\nexport const x = t"],
  [
    'web-layers-import-downwards',
    'web/lib/shown.ts',
    "import { CartPage } from '../cart/CartPage.tsx'\nexport const x = CartPage",
  ],
  ['web-layers-import-downwards', 'web/ui/Foot.tsx', "import { t } from '../app/i18n.ts'\nexport const x = t"],
  [
    'web-layers-import-downwards',
    'web/ui/Bad.tsx',
    "import { CartPage } from '../cart/CartPage.tsx'\nexport const x = () => <CartPage />",
  ],
  [
    'web-layers-import-downwards',
    'web/app/Layout.tsx',
    "import { CartPage } from '../cart/CartPage.tsx'\nexport const x = CartPage",
  ],
  [
    'web-layers-import-downwards',
    'web/cart/Row.tsx',
    "import { Steps } from '../orders/Steps.tsx'\nexport const x = () => <Steps />",
  ],
  [
    'layers-list-every-folder',
    'web/vouchers/Voucher.tsx',
    "import { Button } from '../ui/Button.tsx'\nexport const x = () => <Button />",
  ],
  [
    '6-tables-are-read-by-queries-and-commands',
    'server/cart/jobs.ts',
    "import { carts } from './tables.ts'\nexport const x = carts",
  ],
  [
    '6-tables-are-read-by-queries-and-commands',
    'server/orders/routes.ts',
    "import { carts } from '../cart/tables.ts'\nexport const x = carts",
  ],
  [
    '8-queries-do-not-import-commands',
    'server/orders/queries.ts',
    "import { addToCart } from '../cart/commands.ts'\nexport const x = addToCart",
  ],
  [
    '8-queries-do-not-import-commands',
    'server/orders/policy.ts',
    "import { job } from '../cart/jobs.ts'\nexport const x = job",
  ],
  [
    '9-gateways-are-not-called-in-a-transaction',
    'server/orders/commands.ts',
    "import { telephone } from '../cart/gateway.ts'\nexport const x = telephone",
  ],
  [
    'demo-is-loaded-in-two-places',
    'server/app.ts',
    "import { simulators } from '../demo/simulators/simulators.ts'\nexport const x = simulators",
  ],
  [
    'demo-is-loaded-in-two-places',
    'server/telegram/queries.ts',
    "export const x = () => import('../../demo/simulators/simulators.ts')",
  ],
  [
    'demo-is-loaded-in-two-places',
    'web/cart/Row.tsx',
    "import { Phone } from '../../demo/phones/Phone.tsx'\nexport const x = () => <Phone />",
  ],
  [
    'demo-is-loaded-at-run-time',
    'server/demo.ts',
    "import { simulators } from '../demo/simulators/simulators.ts'\nexport const x = simulators",
  ],
  [
    'demo-has-two-sides',
    'demo/phones/Chat.tsx',
    "import { simulators } from '../simulators/simulators.ts'\nexport const x = () => <b>{simulators}</b>",
  ],
  [
    '10-admin-pages-load-lazily',
    'web/orders/Menu.tsx',
    "import { Page } from './admin/Page.tsx'\nexport const x = Page",
  ],
  [
    'tests-are-not-imported',
    'server/orders/vat.ts',
    "import { test } from '../cart/cart.test.ts'\nexport const x = test",
  ],
  ['unresolvable', 'server/orders/vat.ts', "import { x } from './gone.ts'\nexport const y = x"],
]

describe('the import rules', () => {
  it('accept a valid tree and read every module of it', () => {
    const { violated, modules } = cruise({})
    expect(violated).toEqual([])
    expect(modules).toBe(Object.keys(lawful).filter((path) => /^(contract|server|web|demo)/.test(path)).length)
  })

  it.each(violations)('report %s: %s', (rule, path, text) => {
    const circle = { 'server/cart/vat.ts': "import { price } from './pricing.ts'\nexport const vat = price" }
    const { violated } = cruise({ [path]: text, ...(rule === '1-no-cycles' ? circle : {}) })
    expect(violated).toEqual([rule])
  })
})

describe('the layers', () => {
  it('reject one of two imports if features import each other', () => {
    const { imports } = cruise({
      'server/orders/pricing.ts': "import { readCart } from '../cart/queries.ts'\nexport const price = readCart",
      'server/orders/vat.ts': 'export const vat = 1',
      'server/cart/totals.ts': "import { vat } from '../orders/vat.ts'\nexport const total = vat",
    })
    expect(imports).toEqual([
      { rule: 'layers-import-downwards', from: 'server/cart/totals.ts', to: 'server/orders/vat.ts' },
    ])
  })
})

describe('the code checks', () => {
  const line = 'const x = 1\n'
  const table = { path: 'server/cart/tables.ts', text: "export const carts = pgTable('carts', {})" }
  const cases = [
    ['longFiles', 'server/cart/queries.ts', line.repeat(301), line.repeat(300)],
    ['longFiles', 'server/cart/cart.test.ts', line.repeat(401), line.repeat(400)],
    ['rawColours', 'web/ui/Chip.tsx', 'style={{ color: "#1b6ca8" }}', 'style={{ color: "var(--ink)" }} href="#add"'],
    ['rawColours', 'web/app/styles/base.css', 'a { color: rgb(1 2 3) }', '/* #fff */ a { color: var(--ink) }'],
    ['physicalSides', 'web/ui/Chip.tsx', '<i className="p-2 ml-4" />', '<i className="ms-4 rounded-l text-start" />'],
    ['physicalSides', 'web/ui/Chip.tsx', '<i className="md:text-left" />', '<i className="md:text-start" />'],
    ['physicalSides', 'web/app/styles/base.css', 'a { margin-left: 1px }', 'a { margin-inline-start: 1px }'],
    ['fixedType', 'web/ui/Chip.tsx', '<i className="md:text-[15px]" />', '<i className="text-[0.9375rem] w-[15px]" />'],
    ['fixedType', 'web/app/styles/tokens.css', '--t-body: 16px;', '--t-body: 1rem; --s-1: 4px;'],
    ['fixedType', 'web/map/map.css', 'a { font-size: 14px }', 'a { font-size: 0.875rem }'],
    ['straySiteData', 'web/cart/kept.ts', "localStorage.getItem('cart')", "localStore.getItem('cart')"],
    ['straySiteData', 'web/cart/tabs.ts', "new BroadcastChannel('cart')", "openChannel('cart')"],
    ['strayFormats', 'web/ui/Price.tsx', 'amount.toLocaleString()', 'money(amount)'],
    ['strayRounding', 'web/cart/Total.tsx', 'Math.round(sum * 1000) / 1000', 'toBhd(nearestFils(sum))'],
    ['strayRounding', 'server/cart/queries.ts', 'total.toFixed(3)', 'plainAmount(total)'],
    ['builtSql', 'server/cart/queries.ts', 'db.query(`select ${name}`)', 'db.query(`select $1`, [name])'],
    ['builtSql', 'server/cart/queries.ts', 'sql.raw(name)', 'sql`select ${name}`'],
    [
      'builtSql',
      'server/cart/queries.ts',
      "run<Row>(ctx.db, statement('x', `select ${name}`))",
      "const nameSql = statement('x', `select ${columns}`)\nrun<Row>(ctx.db, nameSql, [name])",
    ],
    [
      'builtSql',
      'server/cart/queries.ts',
      'db.query({ text: `select ${name}`, values: [] })',
      "db.query({ text: 'select $1', values: [`${name}`] })",
    ],
    [
      'builtSql',
      'server/cart/queries.ts',
      "db.query('select ' + name)",
      'db.query(`listen ${escapeIdentifier(name)}`)',
    ],
    [
      'straySessions',
      'server/http/uploads.ts',
      'readCookie(headers, app.cookies.session)',
      'readCredentials(app, request)',
    ],
    ['straySessions', 'server/cart/routes.ts', 'parseCookie(text).sid', 'readCredentials(app, request)'],
    ['straySessions', 'server/cart/routes.ts', 'request.headers.cookie', "request.headers['user-agent']"],
    ['straySessions', 'server/cart/routes.ts', 'app.sessions.find(db, id)', 'authenticate(app, db, credentials)'],
    [
      'straySessions',
      'server/orders/queries.ts',
      "import { readSessions } from '../auth/session-reader.ts'",
      "import { endSessionsOf } from '../auth/sessions.commands.ts'",
    ],
    ['strayWords', 'web/cart/CartPage.tsx', '<p>السلة</p>', "<p>{t('cart.title')}</p>"],
    ['foreignWrites', 'server/orders/commands.ts', 'db.update(carts)', 'db.select().from(carts)'],
    ['foreignWrites', 'server/orders/commands.ts', 'sql`delete from carts where id = 1`', 'sql`select * from carts`'],
    ['foreignWrites', 'server/orders/commands.ts', 'sql`insert into ${carts} values (1)`', 'addToCart(ctx)'],
    ['foreignWrites', 'server/orders/orders.sql', 'update carts set x = 1;', '-- update carts\nselect from carts;'],
    [
      'triggersUpwards',
      'server/areas/areas.sql',
      'create or replace trigger t after insert or update on carts for each row',
      'create or replace function t() returns trigger language plpgsql as',
    ],
    [
      'triggersUpwards',
      'server/areas/areas.sql',
      'create or replace trigger t after update of status on carts for each row',
      '-- trigger t after insert on carts',
    ],
  ]

  it.each(cases)('%s reports the violation in %s and accepts the corrected text', (check, path, wrong, right) => {
    const findings = codeChecks[check]([table, { path, text: wrong }])
    expect(findings).toHaveLength(1)
    expect(findings[0]).toContain(path)
    expect(codeChecks[check]([table, { path, text: right }])).toEqual([])
  })

  it('report messages that differ between the languages, and missing plural forms', () => {
    const ask = (ar, en) =>
      codeChecks.unevenMessages([
        { path: 'contract/messages/cart.ar.json', text: JSON.stringify(ar) },
        { path: 'contract/messages/cart.en.json', text: JSON.stringify(en) },
      ])
    const six = '{n, plural, zero {لا} one {واحد} two {اثنان} few {#} many {#} other {#}}'
    expect(ask({ a: six }, { a: '{n, plural, one {#} other {#}}' })).toEqual([])
    expect(ask({ a: six.replace('few {#} ', '') }, { a: '{n}' })[0]).toMatch(/a lacks the plural few/)
    expect(ask({ a: 'ا', b: 'ب' }, { a: 'a' })[0]).toMatch(/cart\.en\.json: b is missing/)
    expect(ask({ a: 'ا' }, { a: 'a', b: 'b' })[0]).toMatch(/cart\.ar\.json: b is missing/)
    expect(ask({ a: 'ا {name}' }, { a: 'a {phone}' })[0]).toMatch(/fills \{name\}/)
    expect(ask({ a: '{n, select, b {ا {c}} other {ا}}' }, { a: '{n, select, b {a, {c}} other {a, b}}' })).toEqual([])
    expect(ask({ a: ' ' }, { a: 'a' })[0]).toMatch(/a is empty/)
    expect(codeChecks.unevenMessages([{ path: 'contract/messages/x.ar.json', text: '{}' }])[0]).toMatch(
      /x\.en\.json is missing/,
    )
  })

  it('report regular expressions with exponential time and accept linear ones', async () => {
    const text =
      "const name = /^([A-Za-z]+[ .'-]?)+$/\nconst other = new RegExp('^\\\\s+|\\\\s+$')\nconst fine = /^[A-Z]{1,16}$/"
    const { findings, count } = await slowPatterns([{ path: 'contract/users/users.ts', text }])
    expect(count).toBe(3)
    expect(findings).toHaveLength(2)
    expect(findings.join()).toMatch(/exponential.*polynomial/s)
  })
})

function cruise(changes) {
  rmSync(folder, { recursive: true, force: true })
  for (const [path, text] of Object.entries({ ...lawful, ...changes })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      ...[
        '--config',
        join(root, '.dependency-cruiser.cjs'),
        '--output-type',
        'json',
        'contract',
        'server',
        'web',
        'demo',
      ],
    ],
    { cwd: folder, encoding: 'utf8' },
  )
  if (!stdout) throw new Error(stderr)
  const { modules, summary } = JSON.parse(stdout)
  return {
    violated: [...new Set(summary.violations.map(({ rule }) => rule.name))],
    imports: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
    modules: modules.filter(({ source }) => /^(contract|server|web|demo)/.test(source)).length,
  }
}
