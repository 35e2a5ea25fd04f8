import pg from 'pg'

/**
 * The mutant of drills/kill.mjs and drills/webhook-kill.mjs: the shop from its sources, but an order (or what
 * EARLY_STATEMENT names) is answered before it is committed.
 */
const LATER_MS = 150
const name = process.env.EARLY_STATEMENT ?? 'order-place'
const { query } = pg.Pool.prototype
const { query: send } = pg.Client.prototype

async function answerEarly(pool, values) {
  const client = await pool.connect()
  await send.call(client, 'begin')
  const result = await send.apply(client, values)
  setTimeout(async () => {
    await send.call(client, 'commit')
    client.release()
  }, LATER_MS)
  return result
}

// In a transaction, its `commit` is answered at once; the connection is released when it is committed.
pg.Client.prototype.query = function (...values) {
  if (values[0]?.name === name) this.answersEarly = true
  if (values[0] !== 'commit' || !this.answersEarly) return send.apply(this, values)
  this.answersEarly = false
  const { release } = this
  this.release = () =>
    setTimeout(async () => {
      await send.call(this, 'commit')
      release.call(this)
    }, LATER_MS)
  return Promise.resolve()
}

pg.Pool.prototype.query = function (...values) {
  return values[0]?.name === name ? answerEarly(this, values) : query.apply(this, values)
}

await import('../server/main.ts')
