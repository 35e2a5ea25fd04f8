import { type Db, run, statement } from '../database/db.ts'

const rateSql = statement(
  'campaign-send-rate',
  `insert into campaign_send_rate as p (id, next_at) values (1, clock_timestamp() + $1::float8 * interval '1 second')
   on conflict (id) do update set next_at =
     greatest(p.next_at, clock_timestamp()) + $1::float8 * p.slowdown * interval '1 second'
   returning slowdown, greatest(0, extract(epoch from
     p.next_at - $1::float8 * p.slowdown * interval '1 second' - clock_timestamp()) * 1000)::float8 as wait`,
)

/** Reserves calls on the clock shared by all processes; returns the milliseconds until they may start, and between them. */
export async function reserve({ db }: { db: Db }, calls: number, perSecond: number) {
  const [row] = await run<{ wait: number; slowdown: number }>(db, rateSql, [calls / perSecond])
  return { wait: row?.wait ?? 0, gap: (1000 / perSecond) * (row?.slowdown ?? 1) }
}

/** The rate is never divided by more. */
const MAX_SLOWDOWN = 16

// Calls that were in flight together count as one refusal.
const slowSql = statement(
  'campaign-slow',
  `insert into campaign_send_rate as p (id, next_at, slowdown, slowed_at, slowed_by)
   values (1, clock_timestamp() + $1::float8 * interval '1 second', 2, clock_timestamp(), $2)
   on conflict (id) do update set
     next_at = greatest(p.next_at, excluded.next_at), slowed_by = excluded.slowed_by,
     slowdown = case when p.slowed_at > clock_timestamp() - $1::float8 * interval '1 second' then p.slowdown
       else least(${MAX_SLOWDOWN}, p.slowdown * 2) end,
     slowed_at = case when p.slowed_at > clock_timestamp() - $1::float8 * interval '1 second' then p.slowed_at
       else clock_timestamp() end`,
)
/** Holds all campaigns for some seconds, and halves their rate. */
export async function slowDown({ db }: { db: Db }, seconds: number, code: string): Promise<void> {
  await run(db, slowSql, [seconds, code])
}

const fasterSql = statement(
  'campaign-faster',
  `update campaign_send_rate set slowdown = greatest(1, slowdown / 2), slowed_at = clock_timestamp()
   where slowdown > 1 and slowed_at < clock_timestamp() - interval '1 minute'`,
)
/** Doubles the rate, up to the full one, after a minute without a refusal. */
export async function speedUp({ db }: { db: Db }): Promise<void> {
  await run(db, fasterSql)
}
