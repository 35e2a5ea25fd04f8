import type pg from 'pg'

/** One run for all metrics of a scrape, which are collected at once. Null if the database does not answer. */
export function scrapeQuery<Row extends pg.QueryResultRow>(pool: pg.Pool, text: string): () => Promise<Row[] | null> {
  let running: Promise<Row[] | null> | null = null
  const read = () =>
    pool.query<Row>(text).then(
      ({ rows }) => rows,
      () => null,
    )
  return () => {
    running ??= read().finally(() => {
      running = null
    })
    return running
  }
}
