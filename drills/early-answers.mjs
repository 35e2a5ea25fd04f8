import pg from 'pg'

/**
 * The mutant of drills/kill.mjs and drills/webhook-kill.mjs: the shop from its sources, but an order (or what
 * EARLY_STATEMENT names) is answered before it is committed.
 */
const LATER_MS = 150
const name = process.env.EARLY_STATEMENT ?? 'order-place'
const { query } = pg.Pool.prototype

async function answerEarly(pool, values) {
  const client = await pool.connect()
  await client.query('begin')
  const result = await client.query(...values)
  setTimeout(async () => {
    await client.query('commit')
    client.release()
  }, LATER_MS)
  return result
}

pg.Pool.prototype.query = function (...values) {
  return values[0]?.name === name ? answerEarly(this, values) : query.apply(this, values)
}

await import('../server/main.ts')
