import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ready, startServer } from '../bench/lib/server-process.mjs'
import { signIn } from '../bench/lib/sign-in.mjs'
import { openSandbox } from './sandbox.mjs'

/**
 * Opens the exports of the admin area in a spreadsheet: every cell has the customers' text unchanged, and no cell
 * is a formula. A control file that only quotes the same texts must contain formulas.
 * Needs LibreOffice (on Debian: apt install libreoffice-calc). `node drills/spreadsheet.mjs`
 */
const evil = [
  '=HYPERLINK("http://evil.example","x")',
  "=cmd|'/C calc'!A0",
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  ' =1+1',
  '"=1+1"',
  'a","=1+1',
  'a;=1+1',
  '＝1+1',
  "'=1+1",
]
if (spawnSync('soffice', ['--version']).status !== 0) {
  console.error('LibreOffice is not installed (on Debian: apt install libreoffice-calc)')
  process.exit(1)
}
const port = Number(process.env.BENCH_PORT ?? 3146)
const { database, folder, db, close } = await openSandbox('spreadsheet', port + 1)
const server = startServer({
  port,
  dataDir: folder,
  settings: { DATABASE_URL: database.url, SEED_DEMO: 'true', SECRET_KEY: randomBytes(32).toString('base64') },
})

/** Number of cells that LibreOffice reads as formulas, and of all cells. */
function opened(name, bytes) {
  const file = join(folder, name)
  writeFileSync(file, bytes)
  const done = spawnSync(
    'soffice',
    [`-env:UserInstallation=file://${folder}/profile`, '--headless', '--convert-to', 'fods', '--outdir', folder, file],
    { encoding: 'utf8', timeout: 120_000 },
  )
  if (done.status !== 0) throw new Error(`LibreOffice did not open ${name}: ${done.stderr}`)
  const sheet = readFileSync(file.replace(/csv$/, 'fods'), 'utf8')
  const count = (pattern) => sheet.match(pattern)?.length ?? 0
  return { formulas: count(/table:formula=/g), cells: count(/<table:table-cell\b[^>]*office:value-type=/g) }
}

try {
  await ready(server.address)
  const { rows: orders } = await db.query('select id from orders order by created_at')
  for (const [at, { id }] of orders.entries()) {
    const words = evil[at % evil.length]
    await db.query('update users set name = $2 where id = (select user_id from orders where id = $1)', [id, words])
    await db.query('update orders set customer_name = $2, address = $2, instructions = $2 where id = $1', [id, words])
  }
  const cookie = `sid=${await signIn(db, ['+97333999001', 'super_admin', null])}`
  let isGood = true
  for (const path of ['orders.csv', 'customers.csv', 'audit.csv']) {
    const answer = await fetch(`${server.address}/api/admin/${path}`, { headers: { cookie } })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
    const { formulas, cells } = opened(path, Buffer.from(await answer.arrayBuffer()))
    console.log(`${path}: ${cells} cells, ${formulas} formulas`)
    isGood &&= formulas === 0 && cells > 0
  }
  const naive = evil.map((words) => `"${words.replaceAll('"', '""')}"`).join('\r\n')
  const { formulas } = opened('quoted-only.csv', naive)
  console.log(`the same words, only quoted: ${formulas} formulas`)
  process.exitCode = isGood && formulas > 0 ? 0 : 1
} finally {
  server.child.kill()
  await server.ended
  await close()
}
