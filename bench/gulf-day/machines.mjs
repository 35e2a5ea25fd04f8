import { dayOf } from './curves.mjs'

/** At the peak processors are used up to this share. */
const MOST_BUSY = 0.6
/** Node runs the requests of a process on one core. */
const STREAMS_OF_PROCESS = 2_000
const CONNECTIONS_OF_PROCESS = 16
/** Tables and indexes of so many days should fit into the database's memory. */
const WARM_DAYS = 7
const GB = 1024 ** 3

const upTo = (value, steps) => steps.find((one) => one >= value) ?? Math.ceil(value)

/** From the acts of a day and the cost of each to cores, network, log, disk and processes. */
export function machinesFor(size, { costs, idle }) {
  const { acts, streams } = dayOf(size)
  const atPeak = (key) => acts.reduce((sum, { name, peak }) => sum + peak * costs[name][key], 0)
  const overDay = (key) => acts.reduce((sum, { name, daily }) => sum + daily * costs[name][key], 0)
  const coresOf = (key) => (atPeak(key) / 1000 + idle[key] / idle.seconds) / MOST_BUSY
  const [web, worker, database] = ['web', 'worker', 'database'].map(coresOf)
  const isSmall = web + worker + database < 1
  // One more than needed, so that the peak is served without one of them.
  const webProcesses = Math.max(Math.ceil(web), Math.ceil(streams / STREAMS_OF_PROCESS)) + 1
  const workers = Math.ceil(worker) + 1
  const processes = isSmall ? 1 : webProcesses + workers
  return {
    size: size.name,
    'orders a day': size.orders,
    'orders a second at the peak': acts.find(({ name }) => name === 'order').peak,
    'web cores': web,
    'worker cores': worker,
    'PostgreSQL cores': database,
    'processes to run': isSmall ? '1 (all)' : `${webProcesses} web, ${workers} worker`,
    connections: processes * CONNECTIONS_OF_PROCESS,
    'PostgreSQL cores to buy': upTo(database, [2, 4, 8, 16, 32, 64]),
    'PostgreSQL memory to buy, GB': upTo(2 + (overDay('grown') * WARM_DAYS) / GB, [4, 8, 16, 32, 64, 128, 256, 512]),
    'disk a year, GB': (overDay('kept') / GB) * 365,
    'log a day, GB': overDay('wal') / GB,
    'log at the peak, Mbit/s': (atPeak('wal') * 8) / 1e6,
    'to clients at the peak, Mbit/s': (atPeak('toClient') * 8) / 1e6,
    'open streams': streams,
  }
}
