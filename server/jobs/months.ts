import { type Db, run, statement } from '../database/db.ts'
import type { Queue } from './queue.ts'

const monthsSql = statement('months-create', 'select create_months()')

/** Creates the partitions of the next months of all tables partitioned by month, as each start does. */
export function monthJobs({ db, queue }: { db: Db; queue: Queue }) {
  queue.handle('months-ahead', {}, async () => {
    await run(db, monthsSql)
  })
}
