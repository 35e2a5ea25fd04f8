import { existsSync, readFileSync } from 'node:fs'

/**
 * What the product would need if the tables of orders were distributed by their vendor (docs/decisions/0040): statements
 * that `bench/gulf-day.mjs` recorded, by the shards that they would touch, and keys that do not name the vendor.
 * A spike: it reads texts and the catalog, and asks no Citus. `node bench/cross-shard.mjs`
 */
export const recorded = new URL('../test-results/gulf-day-statements.json', import.meta.url)

/** Rows of one vendor. */
const distributed = new Set(
  `orders order_items order_audit_history receipts credit_notes delivery_attempts driver_runs ledger_entries cash_closings
   customer_totals customer_notes customer_tags order_day_figures order_views legacy_outbox`.split(/\s+/),
)
/** Few rows that are read everywhere: a copy on each machine. */
const reference = new Set(
  `vendors vendor_delivery_areas areas blocks products holidays settings user_roles`.split(/\s+/),
)

const kinds = {
  none: 'no distributed table',
  one: 'one shard: names the vendor',
  mixed: 'one shard and tables that are not distributed',
  order: 'one shard once the vendor of the order is known: names the order alone',
  all: 'all shards',
}

const named = /\b(?:from|join|into|update|using|,)\s+(?:only\s+|lateral\s+)?(?:"?(?:public|pgboss)"?\.)?"?([a-z_]+)"?/gi
const byVendor =
  /"?vendor_id"?\s*=\s*(?:any\s*\()?\s*(?:\$\d+|[a-z_]+\.vendor_id|new\.|old\.)|\$\d+ operator\(pg_catalog\.=\) "vendor_id"/i
const inserting = /insert\s+into\s+"?orders"?\s*\([^)]*vendor_id/i
const byOrder = /\b(?:order_)?id"?\s*(?:=|in\b|operator\(pg_catalog\.=\))\s*(?:any\s*\()?\(?\s*(?:\$\d+|new\.|old\.)/i

function classify(query, tables) {
  const found = new Set([...query.matchAll(named)].map(([, name]) => name.toLowerCase()))
  const known = tables.filter((name) => found.has(name))
  const sharded = known.filter((name) => distributed.has(name))
  const central = known.filter((name) => !distributed.has(name) && !reference.has(name))
  if (sharded.length === 0) return { kind: 'none', sharded, central }
  if (byVendor.test(query) || inserting.test(query))
    return { kind: central.length > 0 ? 'mixed' : 'one', sharded, central }
  return { kind: byOrder.test(query) ? 'order' : 'all', sharded, central }
}

/** The shop's statements since the last reset of `pg_stat_statements`, those of triggers too, tables and their keys. */
export async function readStatements(db) {
  const { rows: statements } = await db.query(
    `select s.query, sum(s.calls)::float8 as calls, bool_or(s.toplevel) as "isSent"
     from pg_stat_statements s join pg_roles r on r.oid = s.userid where r.rolname = 'bench'
       and s.query ~* '^\\s*(select|insert|update|delete|with)'
     group by s.query order by 2 desc`,
  )
  const { rows: tables } = await db.query(
    `select c.relname as name, exists (select from pg_attribute a
       where a.attrelid = c.oid and a.attname = 'vendor_id') as "hasVendor"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p') and not c.relispartition`,
  )
  const { rows: keys } = await db.query(
    `select c.conname as name, c.contype as type, c.conrelid::regclass::text as table, f.relname as target,
       exists (select from pg_attribute a
         where a.attrelid = c.conrelid and a.attnum = any (c.conkey) and a.attname = 'vendor_id') as "hasVendor"
     from pg_constraint c join pg_namespace n on n.oid = c.connamespace left join pg_class f on f.oid = c.confrelid
     where n.nspname = 'public' and c.contype in ('p', 'u', 'f') and c.conparentid = 0`,
  )
  return { statements, tables, keys }
}

const classified = ({ statements, tables }) => {
  const names = tables.map(({ name }) => name)
  return statements.map((one) => ({ ...one, ...classify(one.query, names) }))
}

/** Statements and calls of each kind. */
export function countKinds(record) {
  const all = classified(record)
  const callsOf = (some) => some.reduce((sum, { calls }) => sum + calls, 0)
  return Object.entries(kinds).map(([kind, is]) => {
    const those = all.filter((one) => one.kind === kind)
    const percent = Math.round((callsOf(those) / callsOf(all)) * 1000) / 10
    return { statements: those.length, 'percent of calls': percent, kind: is }
  })
}

function list(record) {
  for (const { kind, query, calls, sharded, central, isSent } of classified(record))
    if (kind !== 'none' && kind !== 'one')
      console.log(
        `${kinds[kind]}\n${String(calls).padStart(8)}  ${isSent ? '' : 'trigger: '}${sharded} ${central.length > 0 ? `+ ${central}` : ''}\n          ${query.replace(/\s+/g, ' ').slice(0, 140)}`,
      )
  console.table(countKinds(record))
  const ours = record.keys.filter(({ table }) => distributed.has(table))
  const names = (keys) => keys.map((key) => key.name ?? key).join(', ')
  const without = record.tables.filter(({ name, hasVendor }) => distributed.has(name) && !hasVendor)
  console.log(`Distributed tables without the vendor, ${without.length} of ${distributed.size}: ${names(without)}`)
  const unique = ours.filter(({ type }) => type !== 'f')
  const short = unique.filter(({ hasVendor }) => !hasVendor)
  console.log(`Unique keys without the vendor, ${short.length} of ${unique.length}: ${names(short)}`)
  const foreign = ours.filter(({ type, target }) => type === 'f' && !reference.has(target))
  const leaving = foreign.filter(({ target }) => !distributed.has(target))
  console.log(`Foreign keys to tables that are not distributed, ${leaving.length}: ${names(leaving)}`)
  const entering = record.keys.filter(
    ({ type, table, target }) => type === 'f' && !distributed.has(table) && distributed.has(target),
  )
  console.log(`Foreign keys from such tables, ${entering.length}: ${names(entering)}`)
}

if (process.argv[1] === import.meta.filename) {
  if (!existsSync(recorded)) throw new Error('Run bench/gulf-day.mjs first')
  list(JSON.parse(readFileSync(recorded, 'utf8')))
}
