import pg from 'pg'

/**
 * The mutant of drills/kill.mjs and drills/webhook-kill.mjs: the shop from its sources, but an order (or the statement
 * named by EARLY_STATEMENT) is acknowledged before the commit, alone or in a transaction.
 */
const LATER_MS = 150
const name = process.env.EARLY_STATEMENT ?? 'order-place'
const { query } = pg.Pool.prototype
const { query: queryOfClient } = pg.Client.prototype
const send = (client, ...values) => Promise.resolve(queryOfClient.apply(client, values))

function commitLater(client, release) {
  setTimeout(async () => {
    await send(client, 'commit')
    release()
  }, LATER_MS)
}

async function answerEarly(pool, values) {
  const client = await pool.connect()
  await send(client, 'begin')
  const result = await send(client, ...values)
  commitLater(client, () => client.release())
  return result
}

pg.Pool.prototype.query = function (...values) {
  return values[0]?.name === name ? answerEarly(this, values) : query.apply(this, values)
}

pg.Client.prototype.query = function (...values) {
  if (values[0]?.name === name) this.answersEarly = true
  if (values[0] !== 'commit' || !this.answersEarly) return queryOfClient.apply(this, values)
  this.answersEarly = false
  const release = this.release.bind(this)
  this.release = () => commitLater(this, release)
  return Promise.resolve()
}

await import('../server/main.ts')
