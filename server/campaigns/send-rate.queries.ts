import { type Db, run, statement } from '../database/db.ts'

export interface Slowness {
  /** The provider's code. */
  code: string
  /** Division of the rate. */
  slowdown: number
  /** Seconds until the next call. */
  holds: number
}
const slownessSql = statement(
  'campaign-slowness',
  `select coalesce(slowed_by, '') as code, slowdown,
     greatest(0, extract(epoch from next_at - clock_timestamp()))::float8 as holds from campaign_send_rate where id = 1`,
)
/** Null at the full rate. */
export async function findSlowness({ db }: { db: Db }): Promise<Slowness | null> {
  const [row] = await run<Slowness>(db, slownessSql)
  return row && row.slowdown > 1 ? row : null
}
